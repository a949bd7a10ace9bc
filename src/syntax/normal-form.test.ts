import { expect, test } from "vitest";
import { normalForm, normalKey } from "./normal-form.ts";

/** `⏎` is a line break. Each text of `equal` is the same program as `program`; none of `different` is. */
interface Row {
  readonly file: string;
  readonly program: string;
  readonly equal: readonly string[];
  readonly different: readonly string[];
}

const rows: readonly Row[] = [
  {
    file: "a.py",
    program: "import os⏎from b import c, d⏎def f(n):⏎    total = n * 2⏎    return total + c('x')",
    equal: [
      'from b import d⏎from b import c⏎import os⏎⏎⏎def f(n):⏎  """Doubles."""⏎  # twice⏎  s = (n * 2)⏎  return s + c("x",)',
    ],
    different: [
      "import os⏎from b import c, d⏎def f(n):⏎    total = n * 2⏎    return n + c('x')",
      "import os⏎from b import c, d⏎def f(m):⏎    total = m * 2⏎    return total + c('x')",
      "import os⏎from b import c, d⏎def f(n):⏎    total = n * 2⏎    return c('x') + total",
      "import os⏎from b import c, d⏎def f(n):⏎    total = n * 2⏎    return total + d('x')",
      "import os⏎from b import c⏎def f(n):⏎    total = n * 2⏎    return total + c('x')",
    ],
  },
  {
    file: "a.js",
    program:
      "import { a, b } from './x.js';⏎import c from 'c';⏎function f(items) { const n = items.length; if (n > 1) { return { n, k: a(n) }; } return b; }",
    equal: [
      "import c from 'c'⏎import { b, a } from \"./x.js\"⏎/** Doc. */⏎function f(list) {⏎  const size = list.length // how many⏎  if (size > 1) return { n: size, k: a(size), }⏎  return b⏎}",
    ],
    different: [
      "import { a, b } from './x.js';⏎import c from 'c';⏎function f(items) { const n = items.length; if (n > 1) { return { m: n, k: a(n) }; } return b; }",
      "import { a, b } from './x.js';⏎import c from 'c';⏎function f(items) { const n = items.size; if (n > 1) { return { n, k: a(n) }; } return b; }",
      "import { a, b } from './x.js';⏎import c from 'c';⏎function f(items) { const n = items.length; if (n >= 1) { return { n, k: a(n) }; } return b; }",
    ],
  },
  {
    file: "a.ts",
    program:
      "import { A } from './a';⏎export function f<T>(x: T[], y?: A): number { let i = 0; for (const z of x) { i += g(z); } return i; }",
    equal: [
      "import { A } from './a'⏎export function f<U>(list: U[], other?: A): number {⏎  let sum = 0⏎  for (const one of list) sum += g(one)⏎  return sum⏎}",
    ],
    different: [
      "import { A } from './a';⏎export function f<T>(x: T[], y: A): number { let i = 0; for (const z of x) { i += g(z); } return i; }",
      "import { A } from './a';⏎export function f<T>(x: T[], y?: A): number { let i = 0; for (const z of x) { i += g(i); } return i; }",
    ],
  },
  {
    file: "a.tsx",
    program: "export function F(props: P) { const n = props.n; return <b title={n}>{n}</b>; }",
    equal: ["export function F(p: P) {⏎  const count = p.n // x⏎  return (<b title={count}>{count}</b>)⏎}"],
    different: [
      "export function F(props: P) { const n = props.n; return <i title={n}>{n}</i>; }",
      "export function F(props: P) { const n = props.n; return <b alt={n}>{n}</b>; }",
    ],
  },
  {
    file: "a.go",
    program:
      'package a⏎import (⏎"fmt"⏎"os"⏎)⏎func (s *S) F(n int) int {⏎t := n * 2⏎if t > s.max { return os.Getpid() }⏎fmt.Println(t)⏎return t⏎}',
    equal: [
      'package a⏎import "os"⏎import "fmt"⏎// F doubles.⏎func (x *S) F(k int) int {⏎  twice := k*2⏎  if twice > x.max {⏎    return os.Getpid()⏎  }⏎  fmt.Println(twice,)⏎  return twice⏎}',
    ],
    different: [
      'package a⏎import (⏎"fmt"⏎"os"⏎)⏎func (s *S) F(n int) int {⏎t := n * 2⏎if t > s.min { return os.Getpid() }⏎fmt.Println(t)⏎return t⏎}',
      'package a⏎import (⏎"fmt"⏎"os"⏎)⏎func (s S) F(n int) int {⏎t := n * 2⏎if t > s.max { return os.Getpid() }⏎fmt.Println(t)⏎return t⏎}',
    ],
  },
  {
    file: "a.rs",
    program:
      'use a::{b, c};⏎use d::e;⏎fn f(n: u8) -> S { let w = n + 1; println!("{}", w); S { w, k: b(w) } }',
    equal: [
      'use d::e;⏎use a::c;⏎use a::b;⏎/// Doc.⏎fn f(m: u8) -> S {⏎    let weight = m + 1; // one more⏎    println!("{}", weight);⏎    S { w: weight, k: b(weight) }⏎}',
    ],
    different: [
      'use a::{b, c};⏎use d::e;⏎fn f(n: u8) -> S { let w = n + 1; println!("{}", w); S { w, k: c(w) } }',
      'use a::{b, c};⏎use d::e;⏎fn f(n: u8) -> S { let mut w = n + 1; println!("{}", w); S { w, k: b(w) } }',
      'use a::{b, c};⏎use d::e;⏎fn f(n: u8) -> S { let v = n + 1; println!("{}", v); S { v, k: b(v) } }',
    ],
  },
  {
    file: "A.java",
    program:
      "import a.B;⏎import c.D;⏎class A { int w; int f(int n) { int t = n * 2; for (int i = 0; i < t; i++) { w += i; } return t + this.w; } }",
    equal: [
      "import c.D;⏎import a.B;⏎/** Doc. */⏎class A {⏎  int w;⏎  int f(int m) {⏎    int twice = (m * 2);⏎    for (int k = 0; k < twice; k++) w += k; // all⏎    return twice + this.w;⏎  }⏎}",
    ],
    different: [
      "import a.B;⏎import c.D;⏎class A { int w; int f(int n) { int t = n * 2; for (int i = 0; i < t; i++) { t += i; } return t + this.w; } }",
      "import a.B;⏎import c.D;⏎class A { int w; long f(int n) { int t = n * 2; for (int i = 0; i < t; i++) { w += i; } return t + this.w; } }",
    ],
  },
  {
    file: "a.kt",
    program:
      "import a.B⏎import c.D⏎fun f(n: Int): Int {⏎  val t = n * 2⏎  return items.map { x -> x + t }.sum()⏎}",
    equal: [
      "import c.D⏎import a.B⏎/** Doc. */⏎fun f(n: Int): Int {⏎  val twice = n * 2 // two⏎  return items.map { y -> y + twice }.sum()⏎}",
    ],
    different: [
      "import a.B⏎import c.D⏎fun f(m: Int): Int {⏎  val t = m * 2⏎  return items.map { x -> x + t }.sum()⏎}",
      "import a.B⏎import c.D⏎fun f(n: Int): Int {⏎  val t = n * 2⏎  return items.map { x -> t + x }.sum()⏎}",
    ],
  },
  {
    file: "a.cs",
    program:
      "using A;⏎using B;⏎class C { int F(int n) { var t = n * 2; if (t > 1) { return G(t); } return this.w; } }",
    equal: [
      "using B;⏎using A;⏎/// Doc.⏎class C⏎{⏎  int F(int n)⏎  {⏎    var twice = n * 2; // two⏎    if (twice > 1) return G(twice);⏎    return this.w;⏎  }⏎}",
    ],
    different: [
      "using A;⏎using B;⏎class C { int F(int m) { var t = m * 2; if (t > 1) { return G(t); } return this.w; } }",
      "using A;⏎using B;⏎class C { int F(int n) { var t = n * 2; if (t > 1) { return H(t); } return this.w; } }",
    ],
  },
  {
    file: "a.c",
    program:
      '#include <a.h>⏎#include "b.h"⏎int f(struct s *p, int n) { int t = n * 2; while (t > p->max) { t--; } return g(t); }',
    equal: [
      '#include "b.h"⏎#include <a.h>⏎/* Doc. */⏎int f(struct s *q, int k)⏎{⏎  int twice = n_is(k);⏎}'.replace(
        "int twice = n_is(k);",
        "int twice = k * 2; /* two */⏎  while (twice > q->max) twice--;⏎  return g(twice);",
      ),
    ],
    different: [
      '#include <a.h>⏎#include "b.h"⏎int f(struct s *p, int n) { int t = n * 2; while (t > p->min) { t--; } return g(t); }',
      "#include <a.h>⏎int f(struct s *p, int n) { int t = n * 2; while (t > p->max) { t--; } return g(t); }",
    ],
  },
  {
    file: "a.cpp",
    program:
      "#include <a>⏎#include <b>⏎namespace n { int S::f(const T& x) const { auto t = x.get(); for (auto& i : t) { i.go(w_); } return t.size(); } }",
    equal: [
      "#include <b>⏎#include <a>⏎namespace n {⏎/// Doc.⏎int S::f(const T& y) const {⏎  auto all = y.get(); // all⏎  for (auto& one : all) one.go(w_);⏎  return all.size();⏎}⏎}",
    ],
    different: [
      "#include <a>⏎#include <b>⏎namespace n { int S::f(const T& x) { auto t = x.get(); for (auto& i : t) { i.go(w_); } return t.size(); } }",
      "#include <a>⏎#include <b>⏎namespace n { int S::f(const T& x) const { auto t = x.get(); for (auto i : t) { i.go(w_); } return t.size(); } }",
    ],
  },
  {
    file: "a.lua",
    program:
      "local a = require('a')⏎local b = require('b')⏎local M = {}⏎function M:f(n) local t = n * 2 if t > self.w then return a.g(t) end return { t = t } end⏎return M",
    equal: [
      'local a = require("a")⏎local b = require("b")⏎local M = {}⏎-- Doc.⏎function M:f(k)⏎  local twice = k * 2;⏎  if (twice > self.w) then⏎    return a.g(twice)⏎  end⏎  return { t = twice, }⏎end⏎return M',
    ],
    different: [
      "local a = require('a')⏎local b = require('b')⏎local M = {}⏎function M:f(n) local t = n * 2 if t > self.w then return b.g(t) end return { t = t } end⏎return M",
      "local a = require('a')⏎local b = require('b')⏎local M = {}⏎function M:f(n) local t = n * 2 if t > self.w then return a.g(t) end return { n = t } end⏎return M",
    ],
  },
];

const lines = (text: string): string => `${text.replaceAll("⏎", "\n")}\n`;

/** Looks like formatting but changes the meaning. */
const meant: readonly (readonly [file: string, one: string, other: string])[] = [
  ["a.js", "f([a, , b]);", "f([a, b]);"],
  ["a.js", "f([, a]);", "f([a]);"],
  ["a.js", "x((a?.b).c);", "x(a?.b.c);"],
  ["a.js", "for (; a; b) c();", "for (a; b; ) c();"],
  ["a.js", "'use strict'; f();", "f();"],
  ["a.js", "f(`a b`);", "f(`a  b`);"],
  ["a.rs", "const A: [u8; 2] = [0; 5];", "const A: [u8; 2] = [0, 5];"],
  ["a.rs", "fn f() -> u8 { g() }", "fn f() -> u8 { g(); }"],
  ["a.py", "x = y[a,]", "x = y[a]"],
  ["a.py", "x = (a,)", "x = (a)"],
  ["a.py", "if a:⏎    b()⏎c()", "if a:⏎    b()⏎    c()"],
  ["a.lua", "return (f())", "return f()"],
  ["a.go", "package a⏎func f() { for a; b; { c() } }", "package a⏎func f() { for ; a; b { c() } }"],
  ["a.java", "class A { int[] a = {1}; int[][] b; }", "class A { int[] a = {1}; int[] b; }"],
  ["a.c", "int f(int a) { if (a) { b(); } else c(); }", "int f(int a) { if (a) b(); c(); }"],
];

test.each(meant)("%s: %s is not %s", async (file, one, other) => {
  expect(await normalForm(file, lines(one))).not.toBe(await normalForm(file, lines(other)));
});

test.each(rows)("$file: what means the same has one normal form", async ({ file, program, equal }) => {
  const form = await normalForm(file, lines(program));
  for (const other of equal) expect(await normalForm(file, lines(other))).toBe(form);
});

test.each(rows)("$file: what does not mean the same has another", async ({ file, program, different }) => {
  const key = await normalKey(file, lines(program));
  for (const other of different)
    expect([other, await normalKey(file, lines(other))]).not.toEqual([other, key]);
});

test("a text that does not parse, or that nobody reads, is its own form but for the ends of its lines", async () => {
  expect(await normalForm("a.py", "def (\n")).toBe("def (");
  expect(await normalForm("a.unknown", "a  \r\nb\n\n")).toBe("a\nb");
});

test("in C and C++ what a macro keeps from being parsed stands as it is, and the rest has its normal form", async () => {
  const text = "PUBLIC(int) f(int a)\n{\n  return a + 1;\n}\nint g(int b) { return b; }\n";
  const same =
    "PUBLIC(int) f(int a)\n{\n  /* one more */\n  return a + 1;\n}\n// itself\nint g(int b)\n{\n  return b;\n}\n";
  for (const path of ["a.c", "a.cpp"]) {
    expect(await normalForm(path, same)).toBe(await normalForm(path, text));
    expect(await normalForm(path, text.replace("return b;", "return -b;"))).not.toBe(
      await normalForm(path, text),
    );
    expect(await normalForm(path, text.replace("return b;", "return b"))).not.toBe(
      await normalForm(path, text),
    );
  }
});

test("a chain of thousands of operands is no chain of calls", async () => {
  const form = await normalForm("a.js", `const x = ${"1 + ".repeat(5000)}1;`);
  expect(form.match(/binary_expression/g)).toHaveLength(5000);
});

import { describe, expect, it } from "vitest";
import { languageOfFixture } from "../../tests/fixture-programs.ts";
import { proposeRepairs } from "./propose-repairs.ts";
import { applyChange } from "./syntax-check.ts";
import { templates } from "./templates/index.generated.ts";
import { readTestWords } from "./test-words.ts";

/** In `before` the wrong line begins with `>`; `after` are lines (joined by ⏎) that must be among the results. */
interface Row {
  readonly template: string;
  readonly file: string;
  readonly before: string;
  readonly after: readonly string[];
  /** The failing tests' texts. */
  readonly tests?: readonly string[];
}

/** A row with a failing test. */
const tested = (test: string, row: Row): Row => ({ ...row, tests: [test] });

const py = (template: string, before: string, ...after: string[]): Row => ({
  template,
  file: "a.py",
  before,
  after,
});
const js = (template: string, before: string, ...after: string[]): Row => ({
  template,
  file: "a.js",
  before,
  after,
});
const ts = (template: string, before: string, ...after: string[]): Row => ({
  template,
  file: "a.ts",
  before,
  after,
});

/** A line of a method with the parameters `a`, `b` (numbers), `s` (text) and `list`. */
const java = (template: string, line: string, ...after: string[]): Row => ({
  template,
  file: "A.java",
  before: `class A {⏎  int f(int a, int b, String s, List<String> list) {⏎>    ${line}⏎    return g(a) + list.size();⏎  }⏎}`,
  after: after.map((one) => `    ${one}`),
});

/** A line of a function with the parameters `a`, `b` (numbers), `s` (text) and `list`. */
const rs = (template: string, line: string, ...after: string[]): Row => ({
  template,
  file: "a.rs",
  before: `fn f(a: usize, b: usize, s: &str, list: &[usize]) -> usize {⏎>${line}⏎    g(a) + list[b] + list.len()⏎}`,
  after,
});

/** A line of a function with the parameters `a`, `b` (numbers), `s` (text) and `list`. */
const go = (template: string, line: string, ...after: string[]): Row => ({
  template,
  file: "a.go",
  before:
    `package p⏎func f(a, b int, s string, list []string) (int, error) {⏎>${line}⏎⇥return g(a) + len(list), nil⏎}`.replaceAll(
      "⇥",
      "\t",
    ),
  after,
});

/** A line of a method with the parameters `a`, `b` (numbers), `s` (text) and `list`. */
const rb = (template: string, line: string, ...after: string[]): Row => ({
  template,
  file: "a.rb",
  before: `class A⏎  def f(a, b, s, list)⏎>    ${line}⏎    g(a) + list[b]⏎  end⏎end`,
  after: after.map((one) => `    ${one}`),
});

/** A line of a method with the parameters `$a`, `$b` (numbers), `$s` (text) and `$list`. */
const php = (template: string, line: string, ...after: string[]): Row => ({
  template,
  file: "a.php",
  before: `<?php⏎class A {⏎  function f($a, $b, $s, $list) {⏎>    ${line}⏎    return g($a) + $list[$b];⏎  }⏎}`,
  after: after.map((one) => `    ${one}`),
});

const rows: Row[] = [
  tested(
    "assert str(e) == 'size of 3 exceeded'",
    py(
      "expected-text",
      "def f(a):⏎>    raise E(f'size of {a} exceded')",
      "    raise E(f'size of {a} exceeded')",
    ),
  ),
  tested(
    "expect(f({ same: 'strict' })).toBe('a=b; SameSite=Strict');",
    js("expected-text", "function f(a) {⏎>  a += '; SameSite';⏎}", "  a += '; SameSite=Strict';"),
  ),
  tested(
    "assert get('onError')",
    py("tested-entry", ">x = ['onSend', 'onClose']", "x = ['onSend', 'onClose', 'onError']"),
  ),
  tested(
    "assert get('c_d') == 1",
    py("tested-entry", ">x = ['a', 'b_c', 'd']", "x = ['a', 'b_c', 'c_d', 'd']"),
  ),
  tested(
    "assert log(channel=1)",
    py(
      "tested-entry",
      ">x = {'level': r['level'], 'name': r['name']}",
      "x = {'level': r['level'], 'name': r['name'], 'channel': r['channel']}",
    ),
  ),
  tested(
    "on('onError', f)",
    js(
      "tested-entry",
      "function f(a) {⏎>  if (a === 'onSend' || a === 'onClose') g();⏎}",
      "  if (a === 'onSend' || a === 'onClose' || a === 'onError') g();",
    ),
  ),
  tested(
    "f('TRACE')",
    js("tested-entry", ">const a = /^(?:GET|HEAD)$/;", "const a = /^(?:GET|HEAD|TRACE)$/;"),
  ),
  tested(
    "f('x')",
    js("tested-entry", "switch (a) {⏎  case 'b':⏎>  case 'c':⏎    g();⏎}", "  case 'x':⏎  case 'c':"),
  ),
  tested("f(`2017+08`)", {
    template: "tested-entry",
    file: "a.go",
    before: "package p⏎func f(s rune) {⏎\tswitch s {⏎>\tcase '-', ':':⏎\t\tg()⏎\t}⏎}",
    after: ["\tcase '-', ':', '+':"],
  }),

  js("replace-literal", "function f(a, b) {⏎>  g(a, null);⏎}", "  g(a, b);"),
  java("replace-literal", "g(a, null);", "g(a, s);"),
  py("change-arguments", "def f(a, b=1):⏎    g(b=2)⏎>    h(a)", "    h(a, b=b)"),
  py("change-arguments", "def f(a, b, c):⏎    g(b=2, c=3)⏎>    h(a)", "    h(a, b=b, c=c)"),
  php("regular-expression", "preg_match('/^a+$/i', $s);", "preg_match('/^a+$/is', $s);"),
  py(
    "regular-expression",
    "import re⏎>re.match('[0-9]+.[0-9]+.[a-z]', s)",
    "re.match('[0-9]+\\\\.[0-9]+\\\\.[a-z]', s)",
  ),
  js("regular-expression", ">const a = /^\\d+$/;", "const a = /^-?\\d+$/;"),
  js(
    "sibling-operand",
    "function f(a) {⏎  g(t.name);⏎>  if (a.kind !== t.text) h();⏎}",
    "  if (a.kind !== t.text && a.kind !== t.name) h();",
  ),
  js(
    "sibling-operand",
    "function has(a, b) {⏎}⏎function hasOwn(a, b) {⏎}⏎function f(a, b) {⏎>  if (!has(a, b)) h();⏎}",
    "  if (!has(a, b) && !hasOwn(a, b)) h();",
  ),
  py("sibling-operand", "def f(a):⏎>    if a[1] == 'e': g()", "    if a[1] == 'e' or a[1] == 'E': g()"),
  go("sibling-operand", 'if s == "-" { g(a) }', 'if s == "-" || s == "" { g(a) }'),
  java(
    "strengthen-condition",
    "boolean c = check(a < b); if (s.isEmpty()) g(a);",
    "boolean c = check(a < b || s.isEmpty()); if (s.isEmpty()) g(a);",
  ),
  js("assign-result", "function f(a) {⏎>  a.filter((b) => b);⏎  return a;⏎}", "  a = a.filter((b) => b);"),
  py("assign-result", "def f(a):⏎>    a.strip().lower()⏎    return a", "    a = a.strip().lower()"),
  py("assign-result", "class A:⏎  def f(self):⏎>    self.a.strip()", "    self.a = self.a.strip()"),
  rs("assign-result", "b.checked_sub(1).unwrap();", "b = b.checked_sub(1).unwrap();"),
  js("safe-access", "function f(a) {⏎>  return a.b;⏎}", "  return a?.b;", "  return a && a.b;"),
  py("safe-access", "def f(a):⏎>    return a.b", "    return a.b if a else None", "    return a and a.b"),
  js("safe-access", "function f(a) {⏎>  return a[0].b;⏎}", "  return a[0]?.b;"),
  rb("safe-access", "c = s.size", "c = s&.size"),
  php("safe-access", "$c = $s->size;", "$c = $s?->size;"),
  js(
    "append-method",
    "function f(a, b) {⏎  g(a.slice(1));⏎>  return h(b);⏎}",
    "  return h(b).slice(1);",
    "  return h(b.slice(1));",
  ),
  py(
    "append-method",
    "def f(a, b):⏎    g(a.replace('x', ''))⏎>    return h(b)",
    "    return h(b).replace('x', '')",
  ),
  java(
    "append-method",
    "String c = s.concat(list.get(0).trim());",
    "String c = s.concat(list.get(0).trim()).trim();",
  ),
  py(
    "change-arguments",
    "def f(a, b):⏎    g(a, key=b)⏎    g(a, True)⏎>    g(b)",
    "    g(b, key=b)",
    "    g(b, True)",
  ),
  py("wrap-call", "def f(a, b):⏎    g(path.norm(a, 1))⏎>    return b", "    return path.norm(b, 1)"),
  js(
    "strengthen-condition",
    "const t = {};⏎function f(a) {⏎  if (h(a.kind === t.word)) g();⏎  if (a.kind === t.name) g();⏎>  if (a.kind === t.text) h();⏎}",
    "  if (a.kind === t.text || a.kind === t.name) h();",
  ),
  js(
    "regular-expression",
    ">if (x.match(/---+(=|$)/)) return 1;",
    "if (x.match(/^---+(=|$)/)) return 1;",
    "if (x.match(/---*(=|$)/)) return 1;",
    "if (x.match(/---+(=|$)/g)) return 1;",
  ),
  ts(
    "regular-expression",
    ">s = s.replace(/\\[([^\\/])\\]/g, '$1');",
    "s = s.replace(/\\[([^\\/\\\\])\\]/g, '$1');",
    "s = s.replace(/\\[([^\\/]+)\\]/g, '$1');",
  ),
  py(
    "regular-expression",
    "import re⏎>s = r'\\d+\\.\\d+'⏎re.compile(s)",
    "s = r'\\d*\\.\\d+'",
    "s = r'^\\d+\\.\\d+'",
    "s = r'\\d+.\\d+'",
  ),
  py("regular-expression", "import re⏎>s = '%s%s+' % (s, fill)⏎re.compile(s)", "s = '%s%s*' % (s, fill)"),
  java(
    "regular-expression",
    'Pattern p = Pattern.compile("[a-z]+\\\\.");',
    'Pattern p = Pattern.compile("[a-zA-Z]+\\\\.");',
    'Pattern p = Pattern.compile("[a-z]+.");',
  ),
  go(
    "regular-expression",
    "\tre := regexp.MustCompile(`^\\s*\\d+$`)",
    "\tre := regexp.MustCompile(`^\\s*\\d+`)",
    "\tre := regexp.MustCompile(`^\\s+\\d+$`)",
  ),
  rb("comparison-operator", "return s if a < b", "return s if a <= b", "return s if a > b"),
  rb("negate-condition", "return s unless a > 1 && b > 1", "return s unless a > 1 && b <= 1"),
  rb("boolean-operator", "x = a > 1 && b > 1", "x = a > 1 || b > 1"),
  rb("assignment-kind", "@count = a", "@count += a"),
  rb("swap-arguments", "h(a, b)", "h(b, a)"),
  rb("replace-variable", "h(a, s)", "h(b, s)"),
  rb("slice-shift", "list.each { |one| h(one) }; h(list)", "list.each { |one| h(one) }; h(list[1..-1])"),
  rb("replace-jump", "list.each { |one| next }", "list.each { |one| break }"),
  {
    template: "return-value",
    file: "a.rb",
    before: "def f(a, b)⏎>  a⏎end",
    after: ["  b", "  nil"],
  },
  {
    template: "remove-statement",
    file: "a.rb",
    before: "def f(a)⏎>  h(a)⏎  a⏎end",
    after: ["def f(a)⏎  a⏎end"],
  },
  php("comparison-operator", "if ($a < $b) { h($a); }", "if ($a <= $b) { h($a); }"),
  php("boolean-operator", "$x = $a > 1 && $b > 1;", "$x = $a > 1 || $b > 1;"),
  php("negate-condition", "if ($s === null) { h($a); }", "if ($s !== null) { h($a); }"),
  php("replace-variable", "h($a, $s);", "h($b, $s);"),
  php("swap-arguments", "h($a, $b);", "h($b, $a);"),
  php("arithmetic-operator", "$x = $a + $b;", "$x = $a - $b;"),
  php("assignment-kind", "$this->count = $a;", "$this->count += $a;"),
  php(
    "slice-shift",
    "foreach ($list as $one) { h($one); }",
    "foreach (array_slice($list, 1) as $one) { h($one); }",
  ),
  {
    template: "return-value",
    file: "a.rs",
    before: "fn f(a: usize, b: usize) -> usize {⏎>    a⏎}",
    after: ["    b", "    0"],
  },
  go("comparison-operator", "if a < b {}", "if a <= b {}", "if a > b {}"),
  py("regroup-operands", ">x = a and b or c", "x = a and (b or c)"),
  js("regroup-operands", ">x = a * (b - c);", "x = a * b - c;"),
  {
    template: "insert-jump",
    file: "a.go",
    before: "package p⏎func f(s string) (int, error) {⏎\ta, err := h(s)⏎>\treturn a, nil⏎}",
    after: ["\ta, err := h(s)⏎\tif err != nil {⏎\t\treturn 0, err⏎\t}⏎\treturn a, nil"],
  },
  go("regroup-operands", "if a > 1 && b > 1 || a < b {}", "if a > 1 && (b > 1 || a < b) {}"),
  go("strengthen-condition", "if a < b {}", 'if s == "" || a < b {}', "if list == nil || a < b {}"),
  go("return-value", "return a, nil", "return b, nil", "return 0, nil"),
  go("null-guard", "s = list[a]", "if len(list) == 0 {⏎\treturn 0, nil⏎}"),
  py(
    "insert-statement",
    "def f(a, b):⏎    if a is None:⏎        return 1⏎>    g(a)⏎def h(a):⏎    return a",
    "    if a is None:⏎        return 1⏎    g(a)⏎    if a is None:⏎        return 1",
  ),
  go("comparison-bound", "for a > 1 {}", "for a >= 2 {}"),
  go("arithmetic-operator", "a += b", "a -= b"),
  go("arithmetic-operator", "a++", "a--"),
  go("assignment-kind", "a += b", "a = b"),
  go("boolean-operator", "for i := 0; i < a && b > 1; i++ {}", "for i := 0; i < a || b > 1; i++ {}"),
  go("negate-condition", "if !h(s) {}", "if h(s) {}"),
  go("replace-callee", "a = strings.Index(s, s)", "a = strings.LastIndex(s, s)"),
  go("replace-variable", "c := list[a]", "c := list[b]"),
  go("off-by-one", "c := s[a:]", "c := s[a + 1:]", "c := s[a - 1:]"),
  go(
    "remove-statement",
    "h(s)",
    "func f(a, b int, s string, list []string) (int, error) {⏎\treturn g(a) + len(list), nil",
  ),
  rs("comparison-operator", "if a < b { h(); }", "if a <= b { h(); }", "if a > b { h(); }"),
  rs("negate-condition", "while a < b && s.is_empty() {}", "while a < b && !s.is_empty() {}"),
  rs("negate-condition", "if let Some(x) = h(a) { x(); }"),
  rs("arithmetic-operator", "let c = a - b;", "let c = a + b;"),
  rs("assignment-kind", "a += b;", "a = b;"),
  rs("replace-variable", "let c = h(a, 1);", "let c = h(b, 1);"),
  rs("replace-callee", "let c = s.starts_with('a');", "let c = s.ends_with('a');"),
  rs("swap-arguments", "let c = s.replace(a, b);", "let c = s.replace(b, a);"),
  rs("off-by-one", "let c = list[a];", "let c = list[a - 1];", "let c = list[a + 1];"),
  rs("integer-literal", "let c = &list[1..];", "let c = &list[2..];"),
  rs(
    "replace-jump",
    "for c in list { if c > &a { break; } h(c); }",
    "for c in list { if c > &a { continue; } h(c); }",
  ),
  py(
    "replace-jump",
    "def f(a):⏎    for b in a:⏎>        if b: break⏎        g(b)",
    "        if b: continue⏎        g(b)",
    "        if b: return⏎        g(b)",
  ),
  js("replace-jump", "for (const b of a) {⏎>  if (b) continue;⏎}", "  if (b) break;"),
  rs("constant-flip", "let c = true;", "let c = false;"),
  rs("null-guard", "    let c = list[a];", "    if list.is_empty() { return 0; }⏎    let c = list[a];"),
  rs("unwrap-call", "return s.trim();", "return s;"),
  rs("remove-statement", "h(a);", "    g(a) + list[b] + list.len()"),
  rs("initial-value", "let mut c = 0;", "let mut c = 1;", "let mut c = a;"),
  py("comparison-operator", ">if a < b: pass", "if a <= b: pass", "if a > b: pass", "if a >= b: pass"),
  py("comparison-operator", ">if a not in b: pass", "if a in b: pass"),
  py("comparison-operator", ">x = a == None", "x = a is None", "x = a != None"),
  js("comparison-operator", ">if (a === b) f();", "if (a !== b) f();", "if (a == b) f();"),
  ts("comparison-operator", ">const x: boolean = a<number>(1) > b;", "const x: boolean = a<number>(1) >= b;"),
  java("comparison-operator", "if (a < b) f();", "if (a <= b) f();", "if (a > b) f();"),
  java("arithmetic-operator", "a += b;", "a -= b;"),
  java("integer-literal", "a = 0x7f;", "a = 0x7e;", "a = 0x80;"),
  java(
    "strengthen-condition",
    "if (a > 1 && parent().isBlock()) f();",
    "if (a > 1 && (parent() == null || parent().isBlock())) f();",
  ),
  java("assignment-kind", "a += b;", "a = b;"),
  java("replace-callee", "int c = s.indexOf(s);", "int c = s.lastIndexOf(s);"),
  java("replace-variable", "int c = Math.max(a, 1);", "int c = Math.max(b, 1);"),
  java("swap-arguments", "int c = s.indexOf(s, a);", "int c = s.indexOf(a, s);"),
  java("constant-flip", "s = s.replace('a', 'b') + list.get(1);", "s = s.replace('b', 'b') + list.get(1);"),
  java("null-guard", "s = list.get(a);", "if (list == null) { return 0; }"),
  java("wrap-call", "int c = list.indexOf(a);", "int c = list.indexOf(g(a));"),
  java("negate-condition", "if (s.isEmpty() && a > b) f();", "if (!s.isEmpty() && a > b) f();"),
  py("comparison-bound", ">if len(a) == 0: pass", "if len(a) <= 1: pass"),
  js("comparison-bound", ">if (a.length > 1) f();", "if (a.length >= 2) f();", "if (a.length >= 0) f();"),
  py("arithmetic-operator", ">x = a // b", "x = a / b", "x = a % b"),
  py("arithmetic-operator", ">n ^= n - 1", "n &= n - 1", "n |= n - 1", "n ^= n + 1"),
  js("arithmetic-operator", ">for (;;) i++;", "for (;;) i--;"),
  py("boolean-operator", ">if a and b: pass", "if a or b: pass"),
  js("boolean-operator", ">x = a || b;", "x = a && b;"),
  py("negate-condition", ">while a in b: pass", "while a not in b: pass"),
  py("negate-condition", ">if a and b: pass", "if not (a and b): pass", "if a and not b: pass"),
  js("negate-condition", ">if (!a) f();", "if (a) f();"),
  ts("negate-condition", ">return (a as boolean) ? 1 : 2;", "return !(a as boolean) ? 1 : 2;"),
  py("drop-operand", ">if a and b: pass", "if a: pass", "if b: pass"),
  js("drop-operand", ">x = 1 + f(x);", "x = f(x);"),
  py(
    "strengthen-condition",
    "def f(a, b):⏎>    if a.x > 1: return b",
    "    if a is None or a.x > 1: return b",
  ),
  py(
    "strengthen-condition",
    "def f(a, b):⏎    if b > 2: return a⏎>    if a > 1: return b",
    "    if a > 1 and b > 2: return b",
  ),
  js("strengthen-condition", "function f(a) {⏎>  if (a.b) g();⏎}", "  if (a != null && a.b) g();"),
  py("replace-condition", "def f(queue):⏎>    while True: pass", "    while queue: pass"),
  js(
    "replace-condition",
    "function f(queue) {⏎>  if (g(queue)) h();⏎}",
    "  if (false) h();",
    "  if (queue) h();",
  ),
  py("replace-variable", "def f(start, end):⏎>    return g(start)", "    return g(end)"),
  js("replace-variable", "function f(start, end) {⏎>  return g(start);⏎}", "  return g(end);"),
  ts("replace-variable", "function f(a: A, b: A): A {⏎>  return a;⏎}", "  return b;"),
  py(
    "replace-variable",
    "class A:⏎    def __init__(self):⏎        self.low = self.high = 0⏎    def f(self):⏎>        return self.low",
    "        return self.high",
  ),
  py("replace-member", "x = node.next⏎>y = node.value", "y = node.next"),
  js("replace-member", "x = node.next;⏎>y = node?.value;", "y = node?.next;"),
  py("replace-callee", ">x = any(y)", "x = all(y)"),
  js("replace-callee", ">x = Math.floor(y);", "x = Math.ceil(y);"),
  py("swap-arguments", ">return f(a % b, b)", "return f(b, a % b)"),
  ts("swap-arguments", ">f<number>(a, b!);", "f<number>(b!, a);"),
  py(
    "change-arguments",
    "def f(a, b):⏎>    return g(a, 1)",
    "    return g(a)",
    "    return g(1)",
    "    return g(a, 1, b)",
  ),
  js("change-arguments", "function f(a, b) {⏎>  return g(a + 1);⏎}", "  return g(b);"),
  py("swap-operands", ">x = a + b[i]", "x = b[i] + a"),
  py("swap-operands", ">x = a - (b if c else d)", "x = (b if c else d) - a"),
  js("swap-operands", ">x = a / (b + c);", "x = (b + c) / a;"),
  py("integer-literal", ">x = y[1]", "x = y[0]", "x = y[2]", "x = y[-1]"),
  js("integer-literal", ">x = -1;", "x = 0;", "x = 1;", "x = -2;"),
  py("off-by-one", ">x = y[i]", "x = y[i - 1]", "x = y[i + 1]"),
  py("off-by-one", ">for i in range(n): pass", "for i in range(n + 1): pass"),
  js("off-by-one", ">while (i < a.length) i++;", "while (i < a.length - 1) i++;"),
  py(
    "return-value",
    "def f(found):⏎    done = found == 1⏎>    return True",
    "    return done",
    "    return found == 0",
  ),
  js(
    "return-value",
    "function f(a, b) {⏎>  return a;⏎}",
    "  return b;",
    "  return [];",
    "  return undefined;",
  ),
  py("null-guard", "def f(a):⏎>    b = a.c", "    if a is None: return⏎    b = a.c"),
  py("null-guard", "def f(a):⏎>    b = a.c", "    if a is not None:⏎        b = a.c"),
  py(
    "null-guard",
    "def f(a):⏎    for b in a:⏎>        c = b.d",
    "        if b is None: continue⏎        c = b.d",
  ),
  js("null-guard", "function f(a) {⏎>  b = a.c;⏎}", "  if (a == null) return;⏎  b = a.c;"),
  py("null-default", ">for a in b: pass", "for a in b or []: pass"),
  js("null-default", ">const a = b;", "const a = b ?? [];"),
  py("unwrap-call", ">yield flatten(x)", "yield x"),
  js("unwrap-call", ">x = y.trim();", "x = y;"),
  py("wrap-call", "a = clean(b)⏎>x = y", "x = clean(y)"),
  py("wrap-call", "def f(a):⏎>  return a", "  return str(a)", "  return int(a)"),
  js("wrap-call", "function f(a) {⏎>  return a;⏎}", "  return String(a);", "  return Number(a);"),
  ts("wrap-call", "const a = clean(b);⏎>const x: string = y;", "const x: string = clean(y);"),
  py("constant-flip", ">x = True", "x = False"),
  js("constant-flip", "const a = { color: 'red' };⏎>const b = 'rod';", "const b = 'red';"),
  py("assignment-kind", ">x += y", "x = y"),
  py("assignment-kind", "def f(x, y):⏎>    x = y + 1", "    x += y + 1", "    x = max(x, y + 1)"),
  js("assignment-kind", "let x = 1;⏎>x = y;", "x += y;", "x = Math.max(x, y);"),
  py("call-to-assignment", ">a[k].update(b)", "a[k] = b"),
  js("call-to-assignment", ">a.push(b);", "a = b;"),
  py("remove-statement", "a = 1⏎>f(a)⏎b = 2", "a = 1⏎b = 2"),
  py("remove-statement", "if a:⏎>    f(a)", "if a:⏎    pass"),
  js("remove-statement", "f();⏎>g();⏎h();", "f();⏎h();"),
  py("insert-statement", "def f(a, b):⏎    a.add(b)⏎>    return b", "    a.add(b)⏎    a.add(b)⏎    return b"),
  js("insert-statement", "function f(a) {⏎  a.go();⏎>  a = 1;⏎}", "  a = 1;⏎  a.go();"),
  py(
    "insert-assignment",
    "class A:⏎    def f(self, n):⏎        self.size = 0⏎    def g(self, count):⏎>        count += 1",
    "        count += 1⏎        self.size = count",
  ),
  js(
    "insert-assignment",
    "class A {⏎  f() {⏎    this.size = 0;⏎  }⏎  g(count) {⏎>    h(count);⏎  }⏎}",
    "    h(count);⏎    this.size = count;",
  ),
  rs("insert-assignment", "let c = h(a); self.size = 1;"),
  {
    template: "insert-assignment",
    file: "a.rs",
    before:
      "impl A {⏎    fn f(&mut self) {⏎        self.size = 0;⏎    }⏎    fn g(&mut self, count: usize) {⏎>        h(count);⏎    }⏎}",
    after: ["        h(count);⏎        self.size = count;"],
  },
  py("replace-literal", "def f(low, high):⏎>    return pick(0, high - 1)", "    return pick(low, high - 1)"),
  js(
    "replace-literal",
    "function f(low, high) {⏎>  return pick(0, high - 1);⏎}",
    "  return pick(low, high - 1);",
  ),
  go("replace-literal", "a = g(0)", "a = g(b)"),
  js(
    "narrow-condition",
    "function f(a, b) {⏎  if (Array.isArray(b)) g();⏎>  if (a === null) h();⏎}",
    "  if (a === null || Array.isArray(a)) h();",
  ),
  py("shift-range", ">for i in range(len(a)): pass", "for i in range(1, len(a) + 1): pass"),
  py(
    "shift-range",
    ">for i in range(1, n + 1): pass",
    "for i in range(2, n + 2): pass",
    "for i in range(0, n): pass",
  ),
  js("shift-range", ">for (let i = 0; i < n; i++) f(i);", "for (let i = 1; i <= n; i++) f(i);"),
  java("shift-range", "for (int i = 1; i <= b; i++) f(i);", "for (int i = 0; i < b; i++) f(i);"),
  go("shift-range", "for i := 0; i < b; i++ {}", "for i := 1; i <= b; i++ {}"),
  rs("shift-range", "for i in 0..b { h(i); }", "for i in 1..=b { h(i); }"),
  py(
    "narrow-condition",
    "def f(a, b):⏎    if ready(b):⏎        g()⏎>    if a > 1: h()",
    "    if a > 1 or ready(a): h()",
  ),
  js(
    "narrow-condition",
    "function f(a) {⏎  g(a.steps);⏎>  if (a.kind === 1) h();⏎}",
    "  if (a.kind === 1 && !a.steps) h();",
  ),
  py(
    "narrow-condition",
    "def f(a):⏎>    if a:⏎        return a[0]",
    "    if a and a[0]:⏎        return a[0]",
  ),
  js("wrap-call", "function f(a) {⏎  if (g(a.trim())) return a;⏎>  return a;⏎}", "  return a.trim();"),
  go("range-guard", "s = s[:4]", "if len(s) < 4 {⏎\treturn 0, nil⏎}⏎s = s[:4]"),
  py("range-guard", "def f(a):⏎>    return a[2]", "    if len(a) < 3: return⏎    return a[2]"),
  rs("range-guard", "let c = list[2];", "if list.len() < 3 { return 0; }⏎let c = list[2];"),
  {
    template: "insert-jump",
    file: "A.java",
    before: "class A {⏎  void f(Node a, Node b) {⏎>    g(a, b);⏎    h(b);⏎  }⏎}",
    after: ["    if (a == b) { return; }⏎    g(a, b);"],
  },
  py("insert-call", "def f(a, b, c):⏎    a.append(b)⏎>    b = c", "    b = c⏎    a.append(c)"),
  js("insert-call", "function f(a, b) {⏎  a.push(1);⏎>  b = 2;⏎}", "  b = 2;⏎  a.push(b);"),
  py("insert-jump", "def f(a):⏎    if a > 1: g()⏎>    return h(a)", "    if a > 1: return⏎    return h(a)"),
  js("insert-jump", "function f(a) {⏎  if (a) g();⏎>  h(a);⏎}", "  if (a) return;⏎  h(a);"),
  py(
    "slice-shift",
    "def f(a, b):⏎>    return g(a, b[1:])",
    "    return g(a[1:], b[1:])",
    "    return g(a, b)",
  ),
  js("slice-shift", ">for (const a of b) f(a);", "for (const a of b.slice(1)) f(a);"),
  py("slice-shift", "def f(a, k):⏎    g(a[:k])⏎>    for x in a: h(x)", "    for x in a[k:]: h(x)"),
  js("slice-shift", "function f(a, k) {⏎  g(a.slice(0, k));⏎>  h(a);⏎}", "  h(a.slice(k));"),
  py("initial-value", ">x = 0", "x = 1", "x = None"),
  py("initial-value", ">def f(a=[]): pass", "def f(a=None): pass"),
  ts("initial-value", ">let x: number[] = [];", "let x: number[] = {};"),
  py("add-operand", "def f(x, y):⏎>    return x - y", "    return x - y * y"),
  js(
    "add-operand",
    "function f(x, y) {⏎>  return g(x) > y;⏎}",
    "  return g(x) > y * y;",
    "  return g(x) > y - x;",
  ),
  js(
    "explicit-null-test",
    "function f(a) {⏎>  if (!a.b && c) g();⏎}",
    "  if (a.b == null && c) g();",
    "  if (!a.b && c != null) g();",
    "  if (!a.b && c === true) g();",
  ),
  ts("explicit-null-test", ">const x = a[0] ? 1 : 2;", "const x = a[0] != null ? 1 : 2;"),
  js(
    "explicit-null-test",
    ">if (typeof a.b === 'object') f();",
    "if (a.b != null && typeof a.b === 'object') f();",
  ),
  py("explicit-null-test", ">x = 1 if a else 2", "x = 1 if a is not None else 2"),
  js("swap-receiver", ">x = a.b.concat(c);", "x = c.concat(a.b);"),
  py("swap-receiver", ">x = a.union(b[0])", "x = b[0].union(a)"),
  py("swap-statements", "a = b⏎>c = a⏎d = c", "a = b⏎d = c⏎c = a"),
  js("swap-statements", "a = b;⏎>c = a;", "c = a;⏎a = b;"),
  py(
    "fill-collection",
    "def f(start):⏎    seen = set()⏎    def visit(node):⏎        if node in seen: return⏎>        for one in node.near: visit(one)⏎    visit(start)",
    "        seen.add(node)⏎        for one in node.near: visit(one)",
  ),
  py(
    "fill-collection",
    "def f(tokens):⏎    stack = []⏎    for token in tokens:⏎>        while stack: print(stack.pop())⏎    return stack",
    "        while stack: print(stack.pop())⏎        stack.append(token)",
  ),
  py(
    "fill-collection",
    "class A:⏎    def __init__(self):⏎        self.seen = {}⏎    def f(self, key):⏎        if key in self.seen: return⏎>        g(key)",
    "        g(key)⏎        self.seen[key] = True",
  ),
  js(
    "fill-collection",
    "function f(nodes) {⏎  const seen = new Set();⏎  for (const node of nodes) {⏎    if (seen.has(node.id)) continue;⏎>    g(node);⏎  }⏎}",
    "    seen.add(node.id);⏎    g(node);",
  ),
  ts(
    "fill-collection",
    "function f(nodes: A[]): A[] {⏎  const found: A[] = [];⏎  for (const node of nodes) {⏎>    g(node);⏎  }⏎  return found;⏎}",
    "    g(node);⏎    found.push(node);",
  ),
  {
    template: "fill-collection",
    file: "A.java",
    before:
      "class A {⏎  void f(List<String> list) {⏎    Set<String> seen = new HashSet<>();⏎    for (String one : list) {⏎      if (seen.contains(one)) continue;⏎>      g(one);⏎    }⏎  }⏎}",
    after: ["      seen.add(one);⏎      g(one);"],
  },
  {
    template: "fill-collection",
    file: "a.go",
    before:
      "package p⏎func f(list []string) {⏎\tseen := make(map[string]bool)⏎\tfor _, one := range list {⏎\t\tif seen[one] {⏎\t\t\tcontinue⏎\t\t}⏎>\t\tg(one)⏎\t}⏎}",
    after: ["\t\tseen[one] = true⏎\t\tg(one)"],
  },
  {
    template: "fill-collection",
    file: "a.rs",
    before:
      "fn f(list: &[usize]) {⏎    let mut seen = HashSet::new();⏎    for one in list {⏎        if seen.contains(one) { continue; }⏎>        g(one);⏎    }⏎}",
    after: ["        seen.insert(one);⏎        g(one);"],
  },
  {
    template: "fill-collection",
    file: "a.rb",
    before: "def f(list)⏎  seen = []⏎  for one in list⏎    next if seen.include?(one)⏎>    g(one)⏎  end⏎end",
    after: ["    seen << one⏎    g(one)"],
  },
  {
    template: "fill-collection",
    file: "a.php",
    before:
      "<?php⏎function f($list) {⏎  $seen = [];⏎  foreach ($list as $one) {⏎    if (in_array($one, $seen)) { continue; }⏎>    g($one);⏎  }⏎}",
    after: ["    $seen[] = $one;⏎    g($one);"],
  },
  py(
    "update-variable",
    "def f(node):⏎    before = None⏎    while node:⏎        after = node.next⏎        node.next = before⏎>        node = after⏎    return before",
    "        before = node⏎        node = after",
  ),
  py(
    "update-variable",
    "def f(items):⏎    count = 0⏎    for item in items:⏎>        g(item)⏎    return count",
    "        g(item)⏎        count += 1",
    "        g(item)⏎        count += item",
  ),
  js(
    "update-variable",
    "function f(items) {⏎  let found = false;⏎  for (const item of items) {⏎>    g(item);⏎  }⏎  return found;⏎}",
    "    g(item);⏎    found = true;",
  ),
  {
    template: "update-variable",
    file: "A.java",
    before:
      "class A {⏎  Node f(Node node) {⏎    Node before = null;⏎    Node after;⏎    while (node != null) {⏎      after = node.next;⏎>      node = after;⏎    }⏎    return before;⏎  }⏎}",
    after: ["      before = node;⏎      node = after;"],
  },
  {
    template: "update-variable",
    file: "a.go",
    before:
      "package p⏎func f(list []int) int {⏎\tlast := 0⏎\tfor _, one := range list {⏎>\t\tg(one)⏎\t}⏎\treturn last⏎}",
    after: ["\t\tg(one)⏎\t\tlast = one", "\t\tg(one)⏎\t\tlast += 1"],
  },
  {
    template: "update-variable",
    file: "a.rs",
    before:
      "fn f(list: &[usize]) -> usize {⏎    let mut total = 0;⏎    for one in list {⏎>        g(one);⏎    }⏎    total⏎}",
    after: ["        g(one);⏎        total += one;"],
  },
  {
    template: "update-variable",
    file: "a.rb",
    before: "def f(list)⏎  last = nil⏎  for one in list⏎>    g(one)⏎  end⏎  last⏎end",
    after: ["    g(one)⏎    last = one"],
  },
  {
    template: "update-variable",
    file: "a.php",
    before:
      "<?php⏎function f($list) {⏎  $last = null;⏎  foreach ($list as $one) {⏎>    g($one);⏎  }⏎  return $last;⏎}",
    after: ["    g($one);⏎    $last = $one;"],
  },
  py("clamp-value", "def f(a, b):⏎>    a = a - b", "    a = max(0, a - b)"),
  js("clamp-value", ">x = list.slice(a + 1);", "x = list.slice(Math.max(0, a + 1));"),
  java("clamp-value", "a = a - b;", "a = Math.max(0, a - b);"),
  py(
    "reuse-result",
    "def f(a, b):⏎    p = Parser(a, b)⏎>    return Parser(a).find(b)",
    "    return p.find(b)",
  ),
  js("reuse-result", "function f(a) {⏎  const c = get(a, 1);⏎>  return g(get(a));⏎}", "  return g(c);"),
  py("reuse-variable", "def f(a, b):⏎    c = a - 1⏎>    return get(b) + a", "    return c + a"),
  js("reuse-variable", "function f(a, b) {⏎  const c = a - 1;⏎>  return a[b] < b;⏎}", "  return c < b;"),
  py("swap-arguments", ">x = a[j, k]", "x = a[k, j]"),
  py("swap-arguments", ">return (a, b)", "return (b, a)"),
  py("off-by-one", ">x = n * [0]", "x = (n - 1) * [0]"),
  py("off-by-one", ">x = (len(n)) * [0]", "x = (len(n) - 1) * [0]"),
  py("replace-callee", "def all_of(a): pass⏎def any_of(a): pass⏎>x = any_of(y)", "x = all_of(y)"),
  java(
    "return-value",
    "return new ArrayList<Integer>();",
    "return new ArrayList<Integer>(java.util.Arrays.asList(a));",
  ),
  py("return-value", ">return []", "return [[]]"),
  java(
    "return-value",
    "return new ArrayList<List<Integer>>();",
    "return new ArrayList<List<Integer>>(java.util.Arrays.asList(new ArrayList<>()));",
  ),
  {
    template: "replace-callee",
    file: "A.java",
    before:
      "class A {⏎  static boolean any(int[] a) { return true; }⏎  static boolean all(int[] a) { return false; }⏎  boolean f(int[] b) {⏎>    return any(b);⏎  }⏎}",
    after: ["    return all(b);"],
  },
  {
    template: "slice-shift",
    file: "A.java",
    before:
      "class A {⏎  void f(List<String> list, String[] names, int k) {⏎    g(list.subList(0, k));⏎>    for (String one : list) g(one);⏎  }⏎}",
    after: ["    for (String one : list.subList(k, list.size())) g(one);"],
  },
  {
    template: "strengthen-condition",
    file: "A.java",
    before: "class A {⏎  int f(int[] list, int a) {⏎>    if (a < 0) return 0;⏎    return list[a];⏎  }⏎}",
    after: ["    if (list.length == 0 || a < 0) return 0;", "    if (list.length != 0 && a < 0) return 0;"],
  },
];

function split(row: Row): { text: string; line: number } {
  const lines = row.before.split("⏎");
  const line = lines.findIndex((one) => one.startsWith(">"));
  if (line < 0) throw new Error(`no line of ${row.before} is marked`);
  return { text: `${lines.map((one) => one.replace(/^>/, "")).join("\n")}\n`, line: line + 1 };
}

/** The texts that the template makes from the row's, each preceded by a line break. */
async function resultsOf(row: Row): Promise<string[]> {
  const { text, line } = split(row);
  const proposals = await proposeRepairs({
    file: row.file,
    text,
    language: languageOfFixture(row.file),
    statements: [{ file: row.file, startLine: line, endLine: line, score: 1 }],
    templates: templates.filter((template) => template.name === row.template),
    ...(row.tests && { words: readTestWords(row.tests, []) }),
  });
  return proposals.map((proposal) => `\n${applyChange(text, proposal)}`);
}

describe("templates", () => {
  it.each(rows)("$template writes $after for $before in $file", async (row) => {
    const results = await resultsOf(row);
    for (const after of row.after) {
      const wanted = `\n${after.replaceAll("⏎", "\n")}\n`;
      expect(
        results.some((result) => result.includes(wanted)),
        `${after} among\n${results.join("")}`,
      ).toBe(true);
    }
  });

  it("do not go on with the next round where the round is over anyway", async () => {
    const python = "def f(a):⏎    for b in a:⏎        if b:⏎            g(b)⏎>            break⏎    h()";
    const results = await resultsOf(py("replace-jump", python));
    expect(results.map((result) => /(continue|return|break)/.exec(result)?.[0])).toEqual(["return"]);
  });

  it.each([
    [
      "A.java",
      "class A {⏎  int f(A b) {⏎    while (true) {⏎>      b = b.next();⏎      if (b.end) return 1;⏎    }⏎  }⏎}",
      false,
    ],
    [
      "A.java",
      "class A {⏎  int f(A b) {⏎    for (;;) {⏎>      b = b.next();⏎      if (b.end) return 1;⏎    }⏎  }⏎}",
      false,
    ],
    [
      "A.java",
      "class A {⏎  int f(A b) {⏎    while (true) {⏎>      b = b.next();⏎    }⏎    return 1;⏎  }⏎}",
      true,
    ],
    ["A.java", "class A {⏎  void f(A b) {⏎    while (true) {⏎>      b = b.next();⏎    }⏎  }⏎}", true],
    [
      "a.go",
      "package a⏎func f(b *A) int {⏎\tfor {⏎>\t\tb = b.next⏎\t\tif b == nil {⏎\t\t\treturn 1⏎\t\t}⏎\t}⏎}",
      false,
    ],
    ["a.js", "function f(b) {⏎  while (true) {⏎>    b = b.next();⏎    if (b.end) return 1;⏎  }⏎}", true],
  ])(
    "break no loop whose end is the end of a function with a result: %s %s",
    async (file, before, breaks) => {
      const results = await resultsOf({ template: "null-guard", file, before, after: [] });
      expect(results.some((result) => /\bbreak\b/.test(result))).toBe(breaks);
      expect(results.some((result) => /\breturn\b/.test(result))).toBe(true);
    },
  );

  it.each([
    // Filled, handed on, or not empty at first.
    py("fill-collection", "def f(a):⏎    s = []⏎    for b in a:⏎        s.append(b)⏎>        g(s[0])"),
    py("fill-collection", "def f(a):⏎    s = []⏎    fill(s)⏎    for b in a:⏎>        g(s[0])"),
    py("fill-collection", "def f(a):⏎    s = set(a)⏎    for b in a:⏎>        g(b in s)"),
    js(
      "fill-collection",
      "function f(a) {⏎  const s = {};⏎  for (const b of a) {⏎    s[b] = 1;⏎>    g(s[b]);⏎  }⏎}",
    ),
    js(
      "fill-collection",
      "function f(a) {⏎  const s = [];⏎  const t = s;⏎  for (const b of a) {⏎>    g(s[0]);⏎  }⏎}",
    ),
    rb("fill-collection", "s = []; s << a; list.each { |one| g(s.include?(one)) }"),
    // Assigned again, or a limit that a calculation gives.
    py("update-variable", "def f(a):⏎    n = 0⏎    for b in a:⏎        n += 1⏎>        g(b)⏎    return n"),
    py("update-variable", "def f(a):⏎    n = len(a)⏎    for b in a:⏎>        g(b)⏎    return n"),
    py("update-variable", "def f(a):⏎    n = 0⏎    for b in a:⏎>        g(b)⏎    return b"),
    js(
      "update-variable",
      "function f(a) {⏎  let n = 0;⏎  for (const b of a) {⏎    n++;⏎>    g(b);⏎  }⏎  return n;⏎}",
    ),
    go("update-variable", "n := 0; for _, c := range list { g(&n); g(c) }"),
  ])("insert nothing where nothing is missing: $before", async (row) => {
    expect(await resultsOf(row)).toEqual([]);
  });

  it.each([
    py("remove-statement", "def f(a):⏎    g(a)⏎>    logger.debug('%s', a)⏎    h()"),
    js("remove-statement", "g();⏎>console.debug(a);⏎h();"),
    rs("remove-statement", 'trace!("{}", a); g(b);'),
  ])("leave alone what only logs: $before", async (row) => {
    expect(await resultsOf(row)).toEqual([]);
  });

  it.each([
    // The expected text has a value that the test passes in, or a number.
    tested("assert f('bob') == 'hello my bob'", py("expected-text", "def f(a):⏎>    return 'hello my' + a")),
    tested(
      "assert f(3) == 'took about 3 ms'",
      py("expected-text", "def f(a):⏎>    return 'took about ' + str(a)"),
    ),
    // The code compares the text, or looks it up: the test may pass in a text that it must refuse.
    tested("assert f('colours')", py("expected-text", "def f(a):⏎>    return a == 'colour'")),
    tested("expect(f('colours'))", js("expected-text", "function f(a) {⏎>  return a['colour'];⏎}")),
    tested("expect(f('colours'))", js("expected-text", "switch (a) {⏎>  case 'colour': g();⏎}")),
    tested("assert f('colours')", py("expected-text", "def f(a):⏎>    return a.startswith('colour')")),
    // Words of another form, one comparison only, and a list of other things.
    tested("f('on-error', 'Error')", py("tested-entry", ">x = ['onSend', 'onClose']")),
    tested("f('on')", js("tested-entry", "function f(a) {⏎>  if (a === 'off') g();⏎}")),
    tested("f('on')", js("tested-entry", ">const x = [a, 'off', 'in'];")),
  ])("take no word that does not fit: $before with $tests", async (row) => {
    expect(await resultsOf(row)).toEqual([]);
  });

  it("are each shown to work in Python and in JavaScript or TypeScript", () => {
    const shown = (name: string, isPython: boolean): boolean =>
      rows.some((row) => row.template === name && row.file.endsWith(".py") === isPython);
    const missing = templates.filter(({ name }) => !shown(name, true) || !shown(name, false));
    expect(missing.map((template) => template.name)).toEqual([]);
  });

  it("say what they do and where they come from, each under a name of its own", () => {
    expect(new Set(templates.map((template) => template.name)).size).toBe(templates.length);
    for (const template of templates) {
      expect(template.name).toMatch(/^[a-z]+(-[a-z]+)+$/);
      expect(template.description.length).toBeGreaterThan(15);
      expect(template.source.length).toBeGreaterThan(10);
      expect(template.prior).toBeGreaterThan(0);
      expect(template.prior).toBeLessThanOrEqual(1);
    }
  });
});

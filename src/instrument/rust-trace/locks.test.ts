import { expect, test } from "vitest";
import { findLockingTypes, listLocking } from "./locks.ts";

const find = (files: Readonly<Record<string, string>>) =>
  findLockingTypes({ files: Object.keys(files), read: (path) => Promise.resolve(files[path]) });

test("types that hold a lock through others, macros and names of their own are found; those without words are not", async () => {
  const { own, crates } = await find({
    "Cargo.toml": '[package]\nname = "my-app"\n',
    "tests/whole.rs": "",
    "src/lib.rs": `use std::sync::Mutex as Lock;
// struct Commented { a: Mutex<u8> }
const TEXT: &str = "struct Quoted { a: Mutex<u8> }"; const BRACE: char = '{';
#[derive(Clone, Debug)]
pub struct Inner { map: Lock<u8> }
type Shared = std::sync::Arc<Inner>;
pin_project! { #[derive(Debug)] pub struct Outer<T> where T: Clone { #[pin] of: T, inner: Option<Shared> } }
#[derive(Debug)] enum Kind { Inner, Other(u8) }
#[derive(Debug)] enum Held { No, Some { of: Shared } }
struct Silent(Mutex<u8>);
#[derive(Debug)] struct Plain<'a>(&'a str);`,
  });
  expect([...own].toSorted()).toEqual(["Held", "Inner", "Outer"]);
  expect([...crates].toSorted()).toEqual(["my_app", "whole"]);
});

test("words written by hand that take a lock count, those of a trait's object too", async () => {
  const { own, known } = await find({
    "src/lib.rs": `struct Global;
impl fmt::Debug for Global { fn fmt(&self) { write!(out, "{}", TABLE.read().len()) } }
struct Free;
impl<'a> Debug for Free { fn fmt(&self) { out.write("x") } }
impl Free { fn with(&self) { self.0.lock(); } }
trait Shape: Debug {}
impl Shape for Global {}
#[derive(Debug)] struct Boxed { shape: Box<dyn a::Shape + Send> }
impl Iterator for Free { type Item = Mutex<u8>; }
#[derive(Debug)] struct Item;`,
  });
  expect([...own].toSorted()).toEqual(["Boxed", "Global", "dyn Shape"]);
  expect(known).toContain("dyn Debug");
});

test("sources without a lock name well-known ones alone", async () => {
  const found = await find({ "src/lib.rs": "#[derive(Debug)] struct S(u8);" });
  expect(found.own.size + found.crates.size).toBe(0);
  expect(listLocking(found)).toMatch(/^Mutex,RwLock,/);
  expect(listLocking({ known: new Set(["M"]), own: new Set(["S", "dyn T"]), crates: new Set(["c"]) })).toBe(
    "M,~S,~dyn T,::c",
  );
});

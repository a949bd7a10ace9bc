import { expect, test } from "vitest";
import { readRustErrors, rustBuildErrors } from "./errors.ts";
import { planRustTrace } from "./plan.ts";

const files: Readonly<Record<string, string>> = {
  "src/lib.rs": `mod more;
pub struct S { a: u8 }
pub trait T { fn required(&self); fn dflt(&self) -> u8 { 1 } }
impl T for S { fn required(&self) { deep() } }
impl From<u8> for S { fn from(a: u8) -> S { S { a } } }
impl From<u16> for S { fn from(a: u16) -> S { S { a: a as u8 } } }
#[cfg(unix)]
pub fn parse(text: &str) -> Option<u8> { // a comment
    let first = text.bytes().next()?;
    Some(first)
}
pub const fn fixed() {}
mod m { pub fn deep() { crate::more::deeper(1); } }
use m::deep;
pub fn größe() {}
`,
  "tests/ui/wrong.rs": "fn main() { wrong(); }\nfn wrong() {}\n",
  "tests/ui/wrong.stderr": "error",
  "tests/made.rs": 'const MADE: &str = "src/made.rs";\nfn same() { std::fs::read_to_string(MADE); }\n',
  "src/made.rs": "struct Made;\nfn made() {}\n",
  "src/wrapped.rs": `cfg_any! {
    struct W;
    impl W { cfg_more! { fn in_both(&self) -> &str { "é" } } }
}
cfg_none!(x);
fn beside() {}
`,
  "src/bare.rs": "#![no_implicit_prelude]\nfn shown() -> ::std::fmt::Result { ok() }\n",
  "src/held.rs":
    "fn free() {}\n#[rewritten]\nimpl S {\n    fn plain(&self) {}\n    /// A word.\n\n    #[instrument]\n    fn marked(&self) {}\n}\n",
  "src/odd.rs":
    'fn odd() { f(1 @@ 2) }\nfn typed() -> String { str![[r#"x"#]] }\n#[tracing::instrument]\nfn later() -> Later { Box::pin(async {}) }\n#[instrument]\nfn now() -> u8 { 1 }\n',
  "src/main.rs": "fn main() { more::deeper(1); } mod more;\n",
  "src/more.rs": "pub fn deeper(n: u8) { deepest(); }\nfn deepest() {}\n",
};
const plan = (names: readonly string[], depth = 0, path = "src/lib.rs") =>
  planRustTrace({
    sources: { files: Object.keys(files), read: (path) => Promise.resolve(files[path]) },
    specs: [{ path, names }],
    depth,
    paths: { root: "/project", runtime: "/runtime", scratch: "/scratch" },
  });
const namesOf = async (names: readonly string[], depth = 0, path?: string) =>
  (await plan(names, depth, path)).functions.map(({ name }) => name);

test("names mean methods by their type or trait, functions by their module, and all of a type", async () => {
  expect(await namesOf(["S::from"])).toEqual(["<S as From<u8>>::from", "<S as From<u16>>::from"]);
  expect(await namesOf(["<S as From<u16>>::from", "T::dflt"])).toEqual(["T::dflt", "<S as From<u16>>::from"]);
  expect(await namesOf(["T.required", "m::deep"])).toEqual(["<S as T>::required", "m::deep"]);
  expect(await namesOf(["S::*"])).toHaveLength(3);
  expect((await plan(["fixed", "parse"])).functions).toMatchObject([
    { name: "parse", line: 8, endLine: 11, level: "values", group: "function" },
    { name: "fixed", level: "none", group: "left-out", reason: expect.stringMatching(/const fn/) },
  ]);
});

test("a file whose text or whose compiler messages a test compares is left as it is", async () => {
  const { functions, changes } = await plan(["*"], 0, "tests/ui/wrong.rs");
  expect(functions.map(({ group }) => group)).toEqual(["left-out", "left-out"]);
  expect(changes).toEqual([]);
  expect(await plan(["*"], 0, "src/made.rs")).toMatchObject({
    functions: [{ group: "left-out", reason: "a test reads the text of its file" }],
    changes: [],
  });
});

test("a name that nothing has comes back with the nearest ones first and how many there are", async () => {
  const { unknown } = await plan(["prase", "grosse", "T::dfltt"]);
  expect(unknown.map(({ nearest }) => nearest[0])).toEqual(["parse", "größe", "T::dflt"]);
  expect(unknown.map(({ functions }) => functions)).toEqual([8, 8, 8]);
});

test("callees inside the repository are followed so many calls away", async () => {
  expect(await namesOf(["T::required"], 1)).toEqual(["<S as T>::required", "m::deep"]);
  expect(await namesOf(["T::required"], 3)).toEqual(["<S as T>::required", "m::deep", "deeper", "deepest"]);
  expect(await namesOf(["main"], 2, "src/main.rs")).toEqual(["main", "deeper", "deepest"]);
});

test("functions that a macro hands on under a condition are functions like others, at their own lines", async () => {
  const { functions, changes } = await plan(["*"], 0, "src/wrapped.rs");
  expect(functions.map(({ name, line }) => [name, line])).toEqual([
    ["W::in_both", 3],
    ["beside", 6],
  ]);
  expect(changes[0]?.content.split("\n")[2]).toMatch(
    /^ {4}impl W \{ cfg_more! \{ fn in_both\(&self\) -> &str \{let __mw=/,
  );
});

test("a file without functions has none, and none is missed", async () => {
  expect(await plan(["*"], 0, "tests/ui/wrong.stderr")).toMatchObject({ functions: [], unknown: [] });
});

test("lines stay where they are, and what the compiler refuses is weakened step by step", async () => {
  let next = await plan(["parse"]);
  const lines = (files["src/lib.rs"] ?? "").split("\n");
  const changed = next.changes[0]?.content.split("\n") ?? [];
  expect(changed).toHaveLength(lines.length);
  expect(changed[7]).toContain("// a comment");
  expect(changed[8]).toContain("text.bytes().next()/*?*/");
  const stderr =
    "error[E0282]: type annotations needed\n --> src/lib.rs:9:17\n  |\n\nerror: could not compile `x` (lib)\n";
  const levels: string[] = [];
  for (;;) {
    const healed = await next.heal?.({ stdout: "", stderr });
    if (healed === undefined) break;
    next = healed;
    levels.push(...next.functions.map(({ level }) => level));
  }
  // In the end no type of the file has a display either.
  expect(levels).toEqual(["values", "return", "calls", "none", "none"]);
  expect(next.functions[0]?.reason).toBe("error[E0282]: type annotations needed");
  expect(next.changes).toEqual([]);
});

test("an error in no function leaves out what holds it, an attribute's is its function's, and another file's is none", async () => {
  const healOnce = async (line: number, path = "src/wrapped.rs") => {
    const said = `error: unexpected token\n --> ${path}:${line}:1\n\nerror: could not compile \`x\` (lib)\n`;
    return (await plan(["*"], 0, path)).heal?.({ stdout: "", stderr: said });
  };
  const levels = async (line: number, path?: string) =>
    (await healOnce(line, path))?.functions.flatMap(({ level, group }) =>
      group === "function" ? [level] : [],
    );
  expect(await levels(1)).toEqual(["none", "none"]);
  expect((await healOnce(1))?.functions[0]?.reason).toBe("error: unexpected token");
  expect((await healOnce(1))?.changes).toEqual([]);
  expect(await levels(7, "src/held.rs")).toEqual(["values", "values", "return"]);
  expect(await levels(2, "src/held.rs")).toEqual(["values", "none", "none"]);
  expect(
    await (await healOnce(1))?.heal?.({ stdout: "", stderr: "error: could not compile" }),
  ).toBeUndefined();
});

test("what the grammar does not know, or an attribute looks at, costs its function's values alone; a macro may be named like a type", async () => {
  const { functions, changes } = await plan(["*"], 0, "src/odd.rs");
  expect(functions.map(({ name, level }) => [name, level])).toEqual([
    ["odd", "calls"],
    ["typed", "values"],
    ["later", "calls"],
    ["now", "values"],
  ]);
  expect(functions[0]?.reason).toMatch(/does not parse/);
  expect(functions[2]?.reason).toMatch(/an attribute/);
  expect(changes[0]?.content).toContain(
    "{let __mw=millwright_trace::enter(1).plain();if __mw.on(){__mw.go_bare();} f(1 @@ 2)",
  );
  expect(changes[0]?.content).toContain('let __mw_v: String=str![[r#"x"#]];');
});

test("without a prelude our names begin at the root", async () => {
  const { changes } = await plan(["*"], 0, "src/bare.rs");
  expect(changes[0]?.content).toContain("let __mw=::millwright_trace::enter(1);");
  expect(changes[0]?.content).toContain("let __mw_v: ::std::fmt::Result=");
});

test("errors of the compiler are read as text, in short and as JSON, and those of tests are none", () => {
  const end = "error: could not compile `x` (lib) due to 1 previous error\n";
  const text = "error[E0425]: no such value\n  --> src/a.rs:3:5\n   |\n";
  const json = JSON.stringify({
    reason: "compiler-message",
    message: {
      level: "error",
      message: "no such value",
      code: { code: "E0425" },
      spans: [{ file_name: "src/a.rs", line_start: 3, is_primary: true }],
    },
  });
  for (const stderr of [
    `${text}${end}`,
    `src/a.rs:3:5: error[E0425]: no such value\n${end}`,
    `${json}\n${end}`,
  ])
    expect(readRustErrors({ stdout: "", stderr })[0]?.places).toEqual([{ path: "src/a.rs", line: 3 }]);
  expect(rustBuildErrors({ stdout: "", stderr: text + end })).toEqual([
    "src/a.rs:3: error[E0425]: no such value",
  ]);
  expect(
    rustBuildErrors({
      stdout: `${text}error: aborting due to 1 previous error\ntest result: FAILED.\n`,
      stderr: "error: test failed\n",
    }),
  ).toEqual([]);
});

test("what cargo refuses before it builds is an error of the build, and what a program prints is none", () => {
  const refused =
    "error: no matching package named `missing` found\nlocation searched: vendored index\nrequired by package `x v0.1.0`\nAs a reminder, you're using offline mode\n";
  expect(rustBuildErrors({ stdout: "", stderr: refused })).toEqual([
    "error: no matching package named `missing` found; location searched: vendored index; required by package `x v0.1.0`",
  ]);
  const ran =
    "    Finished `dev` profile\n     Running `target/debug/x`\nerror: no matching package named `x`\n";
  expect(rustBuildErrors({ stdout: "", stderr: ran })).toEqual([]);
});

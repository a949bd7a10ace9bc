import { expect, test } from "vitest";
import { findRustTestFiles } from "./rust-test-files.ts";

const files: Readonly<Record<string, string>> = {
  "Cargo.toml": '[package]\nname = "clap"\n\n[[test]]\nname = "odd"\npath = "tests/odd/start.rs"\n',
  "src/lib.rs": "",
  "tests/builder/main.rs": "#![allow(x)]\nmod utf8;\npub(crate) mod deep;\nmod inner {\n    mod low;\n}\n",
  "tests/builder/utf8.rs": "",
  "tests/builder/deep/mod.rs": "mod further;\n",
  "tests/builder/deep/further.rs": "",
  "tests/builder/inner/low.rs": "",
  "tests/builder/new.rs": "",
  "tests/macros.rs": '#[path = "shared/given.rs"]\nmod given;\nautomod::dir!("tests/all");\n',
  "tests/shared/given.rs": "",
  "tests/all/one.rs": "",
  "tests/odd/start.rs": "",
  "tests/ui/broken.rs": "",
  "examples/demo.rs": "",
  "clap_derive/Cargo.toml": "",
  "clap_derive/tests/ui/enum.rs": "",
  "clap_derive/tests/arg_enum.rs": "",
};
const found = () => findRustTestFiles({ files: Object.keys(files), read: async (path) => files[path] });

test("a test file is in a program by its place, by its manifest or by a line of another file", async () => {
  const { left } = await found();
  expect([...left]).toEqual([
    "tests/builder/new.rs",
    "tests/ui/broken.rs",
    "examples/demo.rs",
    "clap_derive/tests/ui/enum.rs",
  ]);
});

test("the author of a file that no program contains is told the line or the place that it needs", async () => {
  const { place } = await found();
  expect(place("tests/builder/new.rs")).toBe(
    "The tests in tests/builder/ are modules of one program: add the line `mod new;` to tests/builder/main.rs, or tests/builder/new.rs does not run.",
  );
  expect(place("clap_derive/tests/ui/enum.rs")).toBe(
    "Cargo builds no program from clap_derive/tests/ui/enum.rs: write it as clap_derive/tests/enum.rs.",
  );
  expect(place("tests/builder/utf8.rs")).toBeUndefined();
  expect(place("src/lib.rs")).toBeUndefined();
});

const find = (more: Readonly<Record<string, string>>) =>
  findRustTestFiles({
    files: ["Cargo.toml", ...Object.keys(more)],
    read: async (path) => more[path],
  });

test.each([
  [
    "an array before the path",
    "it/Cargo.toml",
    '[[test]]\nname = "a"\nrequired-features = ["full"]\npath = "tests/x/a.rs"\n',
  ],
  ["single quotes", "it/Cargo.toml", "[dependencies]\n[[ test ]]\npath = 'tests/x/a.rs'\n[features]\n"],
  ["a raw name", "it/tests/x/main.rs", "mod r#a;"],
  ["a path on some systems", "it/tests/y/main.rs", '#[cfg_attr(windows, path = "../x/a.rs")]\nmod os;'],
  ["attributes after the path", "it/tests/y/main.rs", '#[path = "../x/a.rs"]\n#[cfg(unix)]\npub mod os;'],
])("a program contains a file: %s", async (_, path, text) => {
  const { left } = await find({ "it/Cargo.toml": "", "it/tests/x/a.rs": "mod b;", [path]: text });
  expect([...left]).toEqual([]);
});

test.each([
  ["a line comment", "// mod new;\n"],
  ["a block comment", "/* once:\nmod new;\n*/\n"],
  ["a documentation comment", "/// mod new;\nmod old;\n"],
])("%s names no module", async (_, text) => {
  const { left } = await find({ "tests/it/main.rs": text, "tests/it/new.rs": "" });
  expect([...left]).toEqual(["tests/it/new.rs"]);
});

test("the marks of a comment in a text hide no module", async () => {
  const text =
    'const A: &str = "http://a/*";\nconst B: char = \'"\';\nconst C: &str = r#"" // "#;\nmod new; // "\n';
  const { left } = await find({ "tests/it/main.rs": text, "tests/it/new.rs": "" });
  expect([...left]).toEqual([]);
});

test("a backslash ends no raw text without a mark", async () => {
  const text = 'const A: &str = r"C:\\";\nconst B: &str = "//";\nmod new;\n/* " */\n';
  const { left } = await find({ "tests/it/main.rs": text, "tests/it/new.rs": "" });
  expect([...left]).toEqual([]);
  const bytes = 'const A: &[u8] = br"\\";\n// mod new; "\n';
  expect([...(await find({ "tests/it/main.rs": bytes, "tests/it/new.rs": "" })).left]).toEqual([
    "tests/it/new.rs",
  ]);
});

test("a manifest with `autotests = false` names all programs", async () => {
  const manifest =
    '[package]\nname = "a"\nautotests = false\n\n[[test]]\nname = "it"\n\n[[test]]\nname = "odd"\npath = "tests/x/start.rs"\n';
  const { left, place } = await find({
    "Cargo.toml": manifest,
    "tests/it/main.rs": "mod one;\n",
    "tests/it/one.rs": "",
    "tests/it/two.rs": "",
    "tests/x/start.rs": "",
    "tests/alone.rs": "",
  });
  expect([...left]).toEqual(["tests/it/two.rs", "tests/alone.rs"]);
  expect(place("tests/it/two.rs")).toContain("add the line `mod two;` to tests/it/main.rs");
  expect(place("tests/alone.rs")).toBe(
    "Cargo builds no program from tests/alone.rs, because Cargo.toml says `autotests = false`: put its tests into tests/it/main.rs or tests/x/start.rs.",
  );
  const open = await find({ "Cargo.toml": "[package]\n# autotests = false\n", "tests/alone.rs": "" });
  expect([...open.left]).toEqual([]);
});

const around = {
  "tests/it/main.rs": "mod deep;",
  "tests/it/deep/mod.rs": "",
  "tests/b.rs": "mod common;",
  "tests/c.rs": "mod common;",
  "tests/common/mod.rs": "",
  "tests/solo.rs": "",
};

test.each([
  ["tests/it/new-case.rs", "`new-case` cannot be a module's name"],
  ["tests/it/sub/mod.rs", "add the line `mod sub;` to tests/it/main.rs"],
  ["tests/it/deep/new.rs", "add the line `mod new;` to tests/it/deep/mod.rs"],
  ["tests/it/type.rs", "add the line `mod r#type;` to tests/it/main.rs"],
  ["tests/ui/b.rs", "write it as tests/ui_b.rs"],
  ["tests/ui/it.rs", "write it as tests/ui_it.rs"],
  ["tests/common/new.rs", "write it as tests/new.rs"],
  ["tests/solo/new.rs", "write it as tests/new.rs"],
])("the place of %s fits Cargo's rules", async (path, expected) => {
  const { place } = await find({ ...around, [path]: "" });
  expect(place(path)).toContain(expected);
});

test("a new module gets a file of its own while another reproduction holds the program's root", async () => {
  const { place } = await find({ ...around, "tests/it/more.rs": "" });
  expect(place("tests/it/more.rs", new Set(["tests/it/main.rs"]))).toContain("write it as tests/more.rs");
});

test("a package in a folder of one letter keeps its files", async () => {
  const { left } = await find({ "a/Cargo.toml": "", "a/tests/one.rs": "", "a/tests/ui/two.rs": "" });
  expect([...left]).toEqual(["a/tests/ui/two.rs"]);
});

test("many packages with many files take little time", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 800 }, (_, crate) => [
      [`vendor/c${crate}/Cargo.toml`, ""],
      ...Array.from({ length: 30 }, (__, file) => [`vendor/c${crate}/tests/t${file}.rs`, "mod x { mod y; }"]),
    ]).flat(),
  );
  const before = process.cpuUsage();
  const { left } = await find(many);
  expect(left.size).toBe(0);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(10_000);
});

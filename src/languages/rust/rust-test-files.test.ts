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
    "Cargo builds no program of clap_derive/tests/ui/enum.rs: write it as clap_derive/tests/enum.rs.",
  );
  expect(place("tests/builder/utf8.rs")).toBeUndefined();
  expect(place("src/lib.rs")).toBeUndefined();
});

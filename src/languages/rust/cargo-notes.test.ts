import { expect, test } from "vitest";
import { describeCargo } from "./cargo-notes.ts";

test.each([
  ["cargo test", "The command builds with the default features."],
  ["cargo test --all-features", "The command builds with all features."],
  [
    "cargo test --features 'wrap_help yaml'",
    "The command builds with the default features and `wrap_help`, `yaml`.",
  ],
  [
    "cargo test --no-default-features -F std",
    "The command builds without the default features but with `std`.",
  ],
  ["cargo test --features ''", "The command builds with the default features."],
])("an author learns which features %s builds", (command, expected) => {
  expect(describeCargo(command, ["Cargo.toml", "src/lib.rs", "tests/fixtures/a/Cargo.toml"])).toBe(expected);
});

test("in a workspace an author learns how a member's tests run", () => {
  expect(describeCargo("cargo test --workspace", ["Cargo.toml", "clap_derive/Cargo.toml"])).toBe(
    "The command builds with the default features. Millwright runs a test file of one package of the workspace with `-p PACKAGE` and the command's other options.",
  );
  expect(describeCargo("make test", ["Cargo.toml"])).toBeUndefined();
});

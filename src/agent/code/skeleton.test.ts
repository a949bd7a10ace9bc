import { expect, test } from "vitest";
import { renderSkeleton } from "./skeleton.ts";

const text = [
  "import utils from './utils.js';",
  "",
  "class Headers {",
  "  set(name) {",
  "    this[name] = 1;",
  "  }",
  "}",
  "",
  "// frozen",
  "utils.freeze(Headers.prototype);",
  "utils.freeze(Headers);",
  "",
  "export default Headers;",
].join("\n");
const definition = (startLine: number, endLine: number, name: string) => ({
  startLine,
  endLine,
  kind: "method",
  name,
  signature: `${name}()`,
});
const definitions = [definition(3, 7, "Headers"), definition(4, 6, "set")];

test("what is not shown is named by its lines and name, calls at the level of the file too; imports and comments are left out", () => {
  expect(renderSkeleton(text, definitions, [{ start: 4, end: 6 }], 9)).toBe(
    "3-7 Headers, 10-11 utils.freeze(Headers.prototype); utils.freeze(Headers);, 13 export default Headers;",
  );
  expect(renderSkeleton(text, definitions, [{ start: 1, end: 13 }], 9)).toBe("");
});

test("attributes of Rust are no entries", () => {
  const rust = ["#[derive(Debug)]", "struct Deck;", "", '#[cfg(feature = "std")]', "impl Deck {}"].join("\n");
  expect(
    renderSkeleton(rust, [definition(2, 2, "Deck"), definition(5, 5, "Deck")], [{ start: 2, end: 2 }], 9),
  ).toBe("5 Deck");
});

test("of many what is called and the nearest are named, and the others counted", () => {
  expect(renderSkeleton(text, definitions, [{ start: 1, end: 2 }], 1)).toBe(
    "10-11 utils.freeze(Headers.prototype); utils.freeze(Headers);, 3 more",
  );
});

import { expect, test } from "vitest";
import { choosePlaces } from "./edit-places.ts";

const place = (file: string, startLine: number, endLine: number) => ({
  file,
  startLine,
  endLine,
  why: "it decides",
});
const known = [place("src/a.js", 3, 9), place("src/a.js", 40, 50), place("src/b.js", 1, 5)];
const files = new Set(["src/a.js", "src/b.js", "src/c.js"]);
const choose = (intent: string) => choosePlaces(intent, known, files);

test("an editor is shown the places that the intent names, and all where it names none", () => {
  expect(choose("refuse the empty list")).toMatchObject({ places: known, areNamed: false });
  expect(choose("in src/a.js refuse it")).toMatchObject({ places: known.slice(0, 2), areNamed: true });
  expect(choose("at src/a.js:44 and in src/b.js")).toMatchObject({ places: known.slice(1), areNamed: true });
});

test("a file is also named without its folder, if no other file has that name", () => {
  expect(choose("in a.js and at src/b.js:2 refuse it")).toMatchObject({ places: known, areNamed: true });
  const two = new Set([...files, "lib/a.js"]);
  expect(choosePlaces("in a.js and at src/b.js:2", known, two)).toMatchObject({ places: known.slice(2) });
});

test("lines that nobody has found yet are shown too, where there is such a file", () => {
  expect(choose("see src/c.js:7-9, at 12:30").places).toEqual([
    { file: "src/c.js", startLine: 7, endLine: 9, why: "" },
  ]);
  expect(choose("see c.js:7-9").places).toEqual([{ file: "src/c.js", startLine: 7, endLine: 9, why: "" }]);
  expect(choose("src/c.js:7-9 and 20-24, and src/b.js:2").places).toMatchObject([
    { file: "src/b.js" },
    { file: "src/c.js", startLine: 7, endLine: 9 },
    { file: "src/c.js", startLine: 20, endLine: 24 },
  ]);
  expect(choose("src/c.js:7 and 20: write it right").places).toMatchObject([
    { file: "src/c.js", startLine: 7, endLine: 7 },
    { file: "src/c.js", startLine: 20, endLine: 20 },
  ]);
  expect(choose("src/c.js:7 and 3 other lines").places).toMatchObject([{ startLine: 7 }]);
  expect(choose("In src/c.js, class Cart, beside total (7-9): add mean").places).toEqual([
    { file: "src/c.js", startLine: 7, endLine: 9, why: "" },
  ]);
  // An intent with a missing file is told so, and no other file is shown.
  expect(choose("see src/none.js:7")).toEqual({ places: [], areNamed: true, absent: ["src/none.js"] });
});

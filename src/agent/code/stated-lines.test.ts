import { expect, test } from "vitest";
import { withStatedLines } from "./stated-lines.ts";

const lines = Array.from({ length: 100 }, (_, at) => `  step${at + 1}();`);
lines[1] = "const options = {";
lines[39] = "  if (res.headers['content-encoding']) {";
lines[41] = "  // content-encodings are not it";
lines[60] = "  unzip(options);";
const definition = (name: string, kind: string, startLine: number, endLine: number) => ({
  ...{ name, kind, startLine, endLine },
  signature: name,
});
const outline = [
  definition("options", "constant", 2, 5),
  definition("unused", "constant", 6, 9),
  definition("handle", "function", 20, 90),
];
const reader = { outline: () => outline, linesOf: () => lines };
const place = (startLine: number, endLine: number) => ({ file: "lib/http.js", startLine, endLine, why: "" });
const shown = (statement: string, ...places: ReturnType<typeof place>[]): number[][] =>
  withStatedLines(reader, places, statement).map((each) => [each.startLine, each.endLine]);

test("a part of a long function is shown with the function's stated lines and the constants that it uses", () => {
  const statement = "Responses with `Content-Encoding: br` fail";
  expect(shown(statement, place(58, 70))).toEqual([
    [58, 70],
    [40, 40],
    [2, 5],
  ]);
  // A whole function, and a statement without names, add nothing.
  expect(shown(statement, place(20, 90))).toEqual([[20, 90]]);
  expect(shown("Empty responses fail", place(58, 70))).toEqual([[58, 70]]);
});

test("a name on many lines of the function points at none of them", () => {
  const many = lines.map((line, at) => (at > 29 && at < 50 ? "  decode(body);" : line));
  const found = withStatedLines({ ...reader, linesOf: () => many }, [place(58, 70)], "`decode` is wrong");
  expect(found.map(({ startLine }) => startLine)).toEqual([58, 2]);
});

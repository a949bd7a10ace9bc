import { expect, test } from "vitest";
import { mergePlaces } from "./retrieve-places.ts";

test("a place stands once in the state, also if another search names its lines in other words or as a part", () => {
  const place = (startLine: number, endLine: number, why: string) => ({
    file: "a.py",
    startLine,
    endLine,
    why,
  });
  const known = [place(10, 20, "it decides"), place(40, 42, "it asks")];
  const merged = mergePlaces(known, [
    place(10, 18, "named by the author"),
    place(12, 14, "named by the author"),
    place(30, 31, "it answers"),
    place(30, 31, "named twice"),
  ]);
  expect(merged.map(({ startLine, why }) => [startLine, why])).toEqual([
    [10, "it decides"],
    [40, "it asks"],
    [30, "it answers"],
  ]);
});

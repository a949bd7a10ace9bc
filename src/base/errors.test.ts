import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeReadError } from "./errors.ts";

function problemOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return describeReadError(error);
  }
}

test("says in words why a file cannot be read", () => {
  expect(problemOf(join(import.meta.dirname, "nowhere.txt"))).toBe("it does not exist");
  expect(problemOf(import.meta.dirname)).toBe("it is a folder");
  expect(describeReadError(new Error("too long"))).toBe("too long");
});

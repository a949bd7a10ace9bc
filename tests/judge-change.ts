import { expect } from "vitest";
import { compareTexts } from "../src/agent/code/change.ts";
import { judgeCareless } from "../src/agent/review/careless/careless.ts";
import type { Finding } from "../src/agent/review/contract.ts";

/** What the checks for careless code find in the change of one file. The repository has no other file. */
export async function judgeChange(
  path: string,
  before: string,
  after: string,
  statement = "it is wrong",
): Promise<Finding[]> {
  expect(after).not.toBe(before);
  const base = { list: async () => [], read: async () => undefined };
  return judgeCareless([compareTexts(path, before, after)], base, statement);
}

/** Judges a change as a special case by syntax alone. */

import { compareTexts } from "../src/agent/code/change.ts";
import { judgeSpecialCases } from "../src/agent/review/special-cases/special-cases.ts";
import { readShownKeys } from "../src/agent/review/statement/shown-literals.ts";
import type { TestKey } from "../src/domain/test-outcome.ts";
import { isTestFile } from "../src/languages/source-files.ts";

export interface SpecialCase {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
  readonly tests: Readonly<Record<string, string>>;
  readonly key: Pick<TestKey, "target" | "name">;
  readonly statement?: string;
  readonly others?: Readonly<Record<string, string>>;
  readonly isFeature?: boolean;
}

/** Lists the objections to a change of one file, given its tests. */
export async function judgeSpecial({
  path,
  before,
  after,
  tests,
  key,
  statement = "",
  others = {},
  isFeature = false,
}: SpecialCase): Promise<string[]> {
  const files: Record<string, string | undefined> = { [path]: before, ...tests, ...others };
  const trees = {
    list: async () => Object.keys(files).map((each) => ({ path: each, mode: "100644", hash: "" })),
    read: async (_: string, each: string) =>
      files[each] === undefined ? undefined : Buffer.from(files[each] ?? ""),
  };
  const shown = await readShownKeys(trees as never, ["base"], [{ package: "", ...key }]);
  const findings = await judgeSpecialCases({
    files: [compareTexts(path, before, after)],
    shown,
    statement,
    isFeature,
    base: { list: async () => Object.keys(files), read: async (each) => files[each] },
    regions: { isWhole: isTestFile, spansIn: async () => [] },
  });
  return findings.filter(({ weight }) => weight === "objection").map(({ text }) => text);
}

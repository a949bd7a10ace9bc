import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import type { TestFramework } from "../../languages/contract.ts";
import { plainCommand } from "../../languages/shell/plain-command.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import type { TestRun } from "../../workspace/test-runner.ts";
import type { RunContext } from "../action.ts";
import { executableUnits } from "../measure/executable-lines.ts";
import { findExecuted } from "./executed-code.ts";

const text = `exports.shorten = (word, size) => {
  if (size < 0) {
    throw new RangeError('negative')
  }
  const cut = word.slice(0, size)
  if (cut.length < word.length) {
    return cut + '.'
  }
  return cut
}
`;
const key = { package: "", target: "test/shorten.js", name: "shortens" };
type Shorten = (word: string, size: number) => string;

/** Runs a check of the program's text in this process; a mutated tree is its text. */
function contextOf(name: string, check: (shorten: Shorten) => boolean, late = 0): RunContext {
  let left = late;
  const outcomeOf = (program: string): TestOutcome => {
    const exports: { shorten?: Shorten } = {};
    const passes = (): boolean => {
      try {
        runInNewContext(program, { exports });
        return exports.shorten !== undefined && check(exports.shorten);
      } catch {
        return false;
      }
    };
    return { key, status: passes() ? "passed" : "failed", durationMs: 1 };
  };
  return partOf<RunContext>({
    frameworks: [partOf<TestFramework>({ name, coverage: "none" })],
    suite: partOf<RunContext["suite"]>({
      ...{ command: { framework: name, command: "", directory: "", foundBy: "" }, outcomes: [] },
      durationMs: 1,
    }),
    recorder: partOf<RunContext["recorder"]>({ step: (_options, execute) => execute() }),
    limits: partOf<RunContext["limits"]>({ remainingMs: () => (late > 0 ? 20_000 : 60_000) }),
    workspace: partOf<RunContext["workspace"]>({
      trees: partOf<TreeStore>({
        read: async (tree) => Buffer.from(tree),
        write: async (_tree, [file]) => String(file?.content),
      }),
    }),
    executor: partOf<RunContext["executor"]>({
      run: async (_command, { tree }) => {
        left -= 1;
        const outcomes = left < 0 ? [outcomeOf(tree)] : [];
        return partOf<TestRun>({
          report: partOf<TestRun["report"]>({ outcomes }),
          end: left < 0 ? "exited" : "timed-out",
        });
      },
    }),
  });
}

async function linesLeft(
  check: (shorten: Shorten) => boolean,
  { name = "tap", file = "shorten.js", isPassing = true, late = 0 } = {},
): Promise<number[] | string> {
  const units =
    (await executableUnits({ file, text, spans: [{ startLine: 0, endLine: 20 }], pragmas: false })) ?? [];
  const code = [{ file, text, units }];
  const found = await findExecuted(contextOf(name, check, late), {
    tree: text,
    tests: [key],
    code,
    isPassing,
  });
  if (typeof found === "string") return found;
  expect(found.inferred).toBe(`${name} does not report the executed lines of a test`);
  return [...new Set(units.filter((unit) => !found.run.has(unit)).map(({ line }) => line))];
}

const isThrown = (shorten: Shorten): boolean => {
  try {
    return shorten("ab", -1) === undefined;
  } catch (error) {
    return String(error) === "RangeError: negative";
  }
};

test("where no lines are measured, a noticed mutant of each line shows that a test executes it", async () => {
  const both = (shorten: Shorten) => shorten("abc", 2) === "ab." && shorten("ab", 2) === "ab";
  expect(await linesLeft((shorten) => both(shorten) && isThrown(shorten))).toEqual([]);
  expect(await linesLeft(both)).toEqual([3]);
  // Mutants that there was no time for are tried again.
  expect(await linesLeft((shorten) => both(shorten) && isThrown(shorten), { late: 9 })).toEqual([]);
});

test("a test that runs nothing of the code shows no line of it", async () => {
  expect(await linesLeft((shorten) => typeof shorten === "function")).toEqual([1, 2, 3, 5, 6, 7, 9]);
});

test("mutants show nothing while the tests fail, or where a mutant may not build unseen", async () => {
  expect(await linesLeft(() => true, { isPassing: false })).toMatch(/only after the new tests pass$/);
  expect(await linesLeft(() => true, { name: plainCommand, file: "shorten.ts" })).toMatch(/may not build$/);
});

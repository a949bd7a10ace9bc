import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TestOutcome, TestStatus } from "../../domain/test-outcome.ts";
import { runWithoutUnread } from "./run-without-unread.ts";

const keyOf = (name: string) => ({ package: "", target: "test/fee.test.js", name });
const passing = (name: string, durationMs = 1): TestOutcome => ({
  ...{ key: keyOf(name), status: "passed", durationMs },
});
const code = { old: "module.exports = (n) => n;\n", now: "module.exports = (n) => 2 * n;\n" };
const bundle = `f(${'"x", '.repeat(2_000)}1);\n`;
const texts: Record<string, Record<string, string>> = {
  base: { "src/fee.js": code.old, "dist/fee.min.js": "f();\n" },
  patch: { "src/fee.js": code.now, "dist/fee.min.js": bundle },
};

type Statuses = Readonly<Record<string, TestStatus>>;
interface Runs {
  readonly without: readonly Statuses[];
  readonly patched?: Statuses;
  readonly base?: readonly TestOutcome[];
  readonly remainingMs?: number;
}

/** Tests pass unless `without` (one run after the other) or `patched` say otherwise. */
async function judge({ without, patched = {}, base = [], remainingMs = 60_000 }: Runs) {
  const asked: string[][] = [];
  const left = [...without];
  const context = partOf<Parameters<typeof runWithoutUnread>[0]>({
    suite: { command: {}, outcomes: base, durationMs: 1_000, testTimeoutMs: 1_000 },
    limits: { remainingMs: () => remainingMs },
    recorder: {
      step: async (_options: unknown, execute: (last: unknown) => unknown) => execute(undefined),
    } as never,
    regions: { isWhole: () => false },
    workspace: {
      base: "base",
      trees: {
        list: async () => [],
        stat: async () => Object.keys(texts["patch"] ?? {}).map((path) => ({ path })),
        read: async (tree, path) => Buffer.from(texts[tree]?.[path] ?? ""),
        write: async (tree, files) => `${tree} without ${files.map(({ path }) => path)}`,
      },
    },
    executor: {
      project: { read: () => undefined },
      run: async (_, { tree, selection, timeoutMs }) => {
        const keys = selection.kind === "tests" ? selection.tests : [];
        asked.push([tree, ...keys.map(({ name }) => name)]);
        const given = tree === "patch" ? patched : (left.shift() ?? {});
        if (timeoutMs <= 1_000) await new Promise((done) => setTimeout(done, timeoutMs + 50));
        return { report: { outcomes: keys.map((key) => ({ key, status: given[key.name] ?? "passed" })) } };
      },
    },
  });
  const state = { fault: undefined };
  const claim = { tests: [keyOf("heavy")], patched: "patch" };
  const { objections } = await runWithoutUnread(context, state, { tree: "patch" }, claim);
  return { objections, asked };
}

const broken = { light: "failed" } as const;
const lightest = [passing("light"), passing("slow", 30_000)];

test("a cheap test of the base that breaks without an unread file is an objection", async () => {
  const { objections, asked } = await judge({ without: [broken, broken], base: lightest });
  expect(objections).toEqual([
    expect.stringMatching(/dist\/fee\.min\.js, and without them, these tests do not pass: .*light/),
  ]);
  const without = "patch without dist/fee.min.js";
  expect(asked).toEqual([
    [without, "heavy", "light"],
    [without, "light"],
    ["patch", "light"],
  ]);
});

test("a test that also fails with the file, or fails only once, is none", async () => {
  expect((await judge({ without: [broken, broken], patched: broken, base: lightest })).objections).toEqual(
    [],
  );
  expect((await judge({ without: [{ heavy: "failed" }] })).objections).toEqual([]);
  const needed = await judge({ without: [{ heavy: "failed" }, { heavy: "failed" }] });
  expect(needed.objections).toEqual([expect.stringMatching(/these tests do not pass: .*heavy/)]);
});

test("a test that a time limit ends with the file still breaks without it", async () => {
  const late = { light: "timed-out" } as const;
  const { objections } = await judge({ without: [broken, broken], patched: late, base: lightest });
  expect(objections).toHaveLength(1);
});

test("a run that a time limit ends says so", async () => {
  const { objections } = await judge({ without: [{ heavy: "not-run" }], remainingMs: 0 });
  expect(objections).toEqual([expect.stringMatching(/there was no time to run the tests without them/)]);
});

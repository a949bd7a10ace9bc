import { expect, test } from "vitest";
import type { BatchDocument, BatchTry } from "./batch-document.ts";
import { renderBatches } from "./batch-tables.ts";
import { reportArms } from "./reported-arms.ts";

function made(
  strategy: string,
  id: string,
  outcome: BatchTry["outcome"],
  more: Partial<BatchTry> = {},
): BatchTry {
  return {
    ...{ id, strategy, model: null, attempt: 1, outcome, reason: "a | b", run: `${id}-${strategy}` },
    ...{ agentSeconds: 10, gradingSeconds: 1 },
    verdict: outcome === "resolved" ? "verified" : "unverified",
    usage: { calls: 2, inputTokens: 900, cachedTokens: 300, outputTokens: 100, usd: 0.5 },
    ...more,
  };
}

function batchOf(tries: BatchTry[]): BatchDocument {
  const arms = [...new Set(tries.map(({ strategy }) => strategy))].map((strategy) => ({
    strategy,
    model: null,
  }));
  const tasks = { file: "tasks.jsonl", sha256: "0123456789abcdef", count: 3 };
  return {
    ...{
      schema: "millwright.bench-run/1",
      version: "1.0.0",
      tasks,
      rules: ["fail-only"],
      sandbox: "docker",
      arms,
    },
    tries,
  };
}

const batch = batchOf([
  made("react", "a", "resolved", { agentSeconds: 1 }),
  made("react", "b", "unresolved", { verdict: "verified" }),
  made("react", "c", "infrastructure-error", { verdict: null, agentSeconds: 30 }),
  made("unified", "a", "resolved"),
  made("unified", "b", "resolved", { verdict: "unverified" }),
  made("unified", "c", "unresolved"),
]);

test("verdicts are held against the tests, and arms against each other", () => {
  const [react, unified] = reportArms([{ path: "one", batch }]);
  expect(react).toMatchObject({
    alone: [],
    seconds: { median: 10, p90: 30 },
    verified: { count: 2, resolved: 1 },
  });
  expect(react?.falselyVerified.map(({ id }) => id)).toEqual(["b"]);
  expect(react?.falselyDenied).toEqual([]);
  expect(unified?.alone).toEqual(["b"]);
  expect(unified?.falselyDenied.map(({ id }) => id)).toEqual(["b"]);
});

test("every task is in the tables, whatever became of it", () => {
  const text = renderBatches([{ path: "one", batch }]);
  expect(text).toContain("| react | 1 | 3 | 33.3 | 6.1 to 79.2 | 0 | 1 | 0 |");
  expect(text).toContain("| react | 2 | 1 | 50.0 | 0 |");
  expect(text).toContain("| unified | 10.0 | 10.0 | 2.0 | 900 | 300 | 100 | 0.500 |");
  expect(text).toContain("| b | unresolved (verified) | resolved (unverified) |");
  expect(text).toContain("| c | infrastructure error | unresolved |");
  expect(text).toContain(
    "- react: verified, and unresolved: b (b-react): a | b\n- unified: resolved, and unverified: b",
  );
});

test("what further rules and partial scores say is told, and an attempt without a patch counts as not resolved", () => {
  const covered = (outcome: BatchTry["outcome"]) => [{ rule: "usebench-patch-coverage", outcome }];
  const measured = batchOf([
    made("react", "a", "resolved", { otherRules: covered("resolved"), measures: { patchCoverage: 1 } }),
    made("react", "b", "unresolved", { otherRules: covered("unresolved"), measures: { patchCoverage: 0.5 } }),
    made("react", "c", "unresolved"),
  ]);
  const text = renderBatches([{ path: "one", batch: measured }]);
  expect(text).toContain("| react | usebench-patch-coverage | 1 | 3 | 33.3 | 6.1 to 79.2 |");
  expect(text).toContain(
    "| react | lines of the fix that the tests execute (patchCoverage) | 75.0 | 1 | 2 of 3 |",
  );
  expect(renderBatches([{ path: "one", batch }])).not.toContain("Partial scores");
});

test("overfitted patches are a share of the plausible ones, over the tasks with extra tests", () => {
  const extra = (isOverfitted: boolean) => ({ isOverfitted, reason: "1 of 2", success: [], failure: [] });
  const facts = ["a", "b", "c", "d"].map((id) => ({
    ...{ id, kind: "repair" as const, repository: "acme/one", language: null, fix: null },
    ...(id === "d" ? {} : { hasExtraTests: true as const }),
  }));
  const known = batchOf([
    made("react", "a", "resolved", { extra: extra(true) }),
    made("react", "b", "resolved", { extra: extra(false) }),
    made("react", "c", "unresolved"),
    made("react", "d", "resolved"),
  ]);
  const text = renderBatches([{ path: "one", batch: { ...known, tasks: { ...known.tasks, facts } } }]);
  // Intervals of statsmodels' proportion_confint(…, method="wilson").
  expect(text).toContain(
    "| react | 2 | 3 | 66.7 | 20.8 to 93.9 | 1 | 50.0 | 9.5 to 90.5 | 1 | 33.3 | 6.1 to 79.2 |",
  );
  expect(text).toContain("- react: overfitted: a (a-react): 1 of 2");
  expect(renderBatches([{ path: "one", batch }])).not.toContain("overfitted");
});

test("resolved tasks by edited lines are told even if no property divides the tasks", () => {
  const facts = ["a", "b"].map((id) => ({
    ...{ id, kind: "repair" as const, repository: "acme/one", language: "python" },
    fix: { files: 1, hunks: 1, lines: 3 },
  }));
  const tries = [made("react", "a", "resolved"), made("react", "b", "unresolved")];
  const known = batchOf(tries);
  const whole = { ...known, tasks: { ...known.tasks, facts } };
  const text = renderBatches([{ path: "one", batch: whole }]);
  expect(text).not.toContain("By properties");
  expect(text).toContain("| react | 3 | 1 | 2 | 50.0 |");
  const sizes = Array.from({ length: 40 }, (_, at) => ({
    ...facts[0],
    id: `t${at}`,
    fix: { files: 1, hunks: 1, lines: at + 1 },
  }));
  const many = { ...known, tasks: { ...known.tasks, facts: sizes as typeof facts } };
  const long = renderBatches([
    { path: "one", batch: { ...many, tries: sizes.map(({ id }) => made("react", id, "resolved")) } },
  ]);
  expect(long).toContain("| react | 4 | 4 | 4 | 100.0 |");
  expect(long).toContain("| react | 40 | 40 | 40 | 100.0 |");
  expect(long.match(/^\| react \| \d+ \| \d+ \| \d+ \| 100\.0 \|$/gm)).toHaveLength(12);
});

test("the sets of arms that resolve a task are a matrix, with the size of each set and arm", () => {
  const text = renderBatches([{ path: "one", batch }]);
  expect(text).toContain(
    "| tasks resolved by exactly | react | unified |\n| --- | --- | --- |\n| 1 | ● | ● |\n| 1 | · | ● |\n| 1 | · | · |\n| total of each arm | 1 | 2 |",
  );
});

test("dynamic and static repair have shares and intervals, for marscode only", () => {
  const part = (name: string) => ({ name, uses: 1, failed: 0, tokens: 5, usd: 0, seconds: 1 });
  const work = (stage: string) => ({ work: { parts: [part("plan"), part(stage)], sequences: [] } });
  const known = batchOf([
    made("marscode", "a", "resolved", work("program")),
    made("marscode", "b", "unresolved", work("edit")),
    made("marscode", "c", "resolved", work("edit")),
    made("react", "a", "resolved", work("edit")),
  ]);
  const text = renderBatches([{ path: "one", batch: known }]);
  expect(text).toContain("| marscode | dynamic | 1 | 3 | 33.3 | 6.1 to 79.2 | 1 | 100.0 | 20.7 to 100.0 |");
  expect(text).toContain("| marscode | static | 2 | 3 | 66.7 | 20.8 to 93.9 | 1 | 50.0 | 9.5 to 90.5 |");
  expect(text).not.toContain("| react | static");
});

test("arms of one name in two batches are told apart", () => {
  const other = batchOf([made("react", "a", "unresolved")]);
  const text = renderBatches([
    { path: "one", batch },
    { path: "two", batch: other },
  ]);
  expect(text).toContain("| task | react (one) | unified | react (two) |");
  expect(text).toContain("| b | unresolved (verified) | resolved (unverified) | not attempted |");
});

test("results by properties of the tasks, the agreement of verdicts, and the size of patches are told where known", () => {
  const facts = [
    { id: "a", repository: "acme/one", language: "python", fix: { files: 1, hunks: 1, lines: 2 } },
    { id: "b", repository: "acme/two", language: "python", fix: { files: 1, hunks: 2, lines: 30 } },
  ].map((each) => ({ ...each, kind: "repair" as const }));
  const tries = [
    made("react", "a", "resolved", { edited: { files: 1, hunks: 1, lines: 4 } }),
    made("react", "b", "unresolved", { verdict: "verified", edited: { files: 2, hunks: 2, lines: 7 } }),
  ];
  const known = batchOf(tries);
  const text = renderBatches([{ path: "one", batch: { ...known, tasks: { ...known.tasks, facts } } }]);
  expect(text).toContain("| repository | acme/two | react | 0 of 1 | 0.0 | 0.0 to 79.3 |");
  expect(text).toContain("| lines of the fix | 21 to 50 | react | 0 of 1 |");
  expect(text).not.toContain("| language |");
  expect(text).toContain("| react | 50.0 | 9.5 to 90.5 | 100.0 | 20.7 to 100.0 |");
  expect(text).toContain("## Resolved by edited lines");
  expect(text).toContain("| react | 2 | 1 | 1 | 100.0 |\n| react | 30 | 1 | 2 | 50.0 |");
  expect(text).toContain("| react | 5.5 | 1.5 | 1.5 | 2 of 2 |");
  expect(renderBatches([{ path: "one", batch }])).not.toContain("By properties");
});

test("a report says in which settings its arms differ, and which flags they share", () => {
  const tried = (settings: Record<string, unknown>): BatchDocument => {
    const arms = [{ strategy: "react", model: null, settings }];
    return { ...batchOf([made("react", "a", "resolved")]), arms, settings: { timeLimit: "30 min 0 s" } };
  };
  const text = renderBatches([
    { path: "one", batch: tried({ maxTime: "10m" }) },
    { path: "two", batch: { ...tried({ maxTime: "20m" }), sandbox: "local" } },
  ]);
  expect(text).toContain("Flags that all arms have: --time-limit 30 min 0 s.");
  expect(text).toContain("The arms differ in these settings.");
  expect(text).toContain("| sandbox | docker | local |\n| --max-time | 10m | 20m |\n");
  const alone = renderBatches([{ path: "one", batch: tried({ maxTime: "10m" }) }]);
  expect(alone).toContain("Flags: --time-limit 30 min 0 s; --max-time 10m.");
  expect(alone).not.toContain("differ in");
});

test("a report lists infrastructure errors with their reason and worker", () => {
  const failed = (id: string, more: Partial<BatchTry>) =>
    made("react", id, "infrastructure-error", { verdict: null, reason: "no space\nleft", ...more });
  const text = renderBatches([
    { path: "one", batch: batchOf([failed("a", { worker: "w1" }), failed("b", { run: "" })]) },
  ]);
  expect(text).toContain("## Infrastructure errors\n");
  expect(text).toContain("- react: a (a-react) (worker w1): no space left\n- react: b: no space left\n");
  expect(renderBatches([{ path: "one", batch: batchOf([made("react", "a", "resolved")]) }])).not.toContain(
    "Infrastructure errors",
  );
});

test("a report reads each try a few times, however many there are", () => {
  const count = 400;
  let reads = 0;
  const tries = ["react", "unified"].flatMap((strategy) =>
    Array.from({ length: count }, (_, at) =>
      Object.defineProperty(made(strategy, "", at % 2 === 0 ? "resolved" : "unresolved"), "id", {
        get() {
          reads += 1;
          return `task-${at}`;
        },
      }),
    ),
  );
  renderBatches([{ path: "one", batch: batchOf(tries) }]);
  expect(reads / tries.length).toBeLessThan(20);
});

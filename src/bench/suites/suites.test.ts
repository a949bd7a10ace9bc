import { expect, test } from "vitest";
import type { BatchDocument, BatchTry } from "../batch-document.ts";
import { itemOf, type LabelFiles, type LabelSubject } from "../labels.ts";
import { renderMarkdown } from "../report-sections.ts";
import { errorGroups } from "../work/compile-errors.ts";
import type { RunWork } from "../work/run-work.ts";
import { readResults, type Suite, type SuiteBatch } from "./contract.ts";
import marsLite from "./mars-lite.ts";
import rustSweBench, { errors } from "./rust-swe-bench.ts";
import useBench, { published, publishedAll } from "./use-bench.ts";

interface Made {
  readonly resolved: boolean;
  readonly work?: Partial<RunWork>;
  readonly attempt?: number;
}

function batchOf(dataset: string, variant: string, tries: readonly Made[]): SuiteBatch {
  const arm = { strategy: variant, model: "m" };
  const rows = tries.map(({ resolved, work, attempt = 1 }, at): BatchTry => {
    const id = attempt > 1 ? "0" : String(at);
    return {
      ...{ ...arm, id, attempt, reason: "", run: id, gradingSeconds: 1, agentSeconds: 10, verdict: null },
      ...{ outcome: resolved ? "resolved" : "unresolved", edited: { files: 1, hunks: 2, lines: 3 } },
      usage: { calls: 1, inputTokens: 900, cachedTokens: 0, outputTokens: 100, usd: 0.5 },
      ...(work === undefined ? {} : { work: { parts: [], sequences: [], ...work } }),
    };
  });
  const tasks = { file: "t", sha256: "0", count: tries.length };
  const document = { schema: "millwright.bench-run/1", version: "1", rules: [], sandbox: "docker" } as const;
  const batch: BatchDocument = { ...document, rules: [], tasks, arms: [arm], tries: rows };
  return { dataset, variant, path: variant, batch };
}

function print(suite: Suite, ...batches: readonly SuiteBatch[]): string {
  return printLabelled(suite, batches, undefined);
}

function printLabelled(suite: Suite, batches: readonly SuiteBatch[], files: LabelFiles | undefined): string {
  return renderMarkdown("Suite", suite.tables(readResults(suite, batches, files)));
}

/** One person's labels, by run. */
function labelled(subject: LabelSubject, byRun: Readonly<Record<string, string>>): LabelFiles {
  const labels = Object.entries(byRun).map(([run, label]) => [itemOf(subject, { run }), label] as const);
  return { people: [{ person: "ann", labels: new Map(labels) }], consensus: undefined };
}

const part = (name: string) => ({ name, uses: 1, failed: 0, tokens: 50, usd: 0, seconds: 12 });

test("USEbench's tables have the paper's figures and ours beside them", () => {
  const text = print(
    useBench,
    batchOf("swe-bench", "unified-as-published", [{ resolved: true }, { resolved: false }]),
    batchOf("repocod", "unified-as-published", [{ resolved: false }]),
    batchOf("swe-bench", "workflow-as-published", [{ resolved: true }]),
  );
  expect(text).toContain(
    "| SWE-bench Verified | 228 of 500 (45.6 %) / 66.7 / 42.7 | 192 of 500 (38.4 %) / 52.1 / 35.9 | 1 of 2 (50.0 %) | not run | not run |",
  );
  expect(text).toContain("| 340 of 1271 (26.8 %) / 44.1 / 22.6 | 1 of 3 (33.3 %, 2 data sets) | not run |");
  expect(text).toContain(
    "| SWETRY | 8 of 100 (8.0 %) / 30.4 / 8.7 | 7 of 100 (7.0 %) / 8.7 / 4.3 | not run |",
  );
  // Table 4: ours as published, and with fixed sequences.
  expect(text).toContain(
    "| SWE-bench Verified | 49.6 | 46.2 | 49.6 | 1 of 2 (50.0 %) | 1 of 1 (100.0 %) | not run |",
  );
  expect(text).toContain("| REPOCOD Lite | 7.66 | 0.50 | not run | not run |");
});

test.each([useBench, rustSweBench, marsLite])(
  "$name: without a batch, each of its tables has the published figures, and says what was not run",
  (suite) => {
    for (const { title, tables = [] } of suite.tables(readResults(suite, []))) {
      const cells = tables.flatMap(({ head, rows }) => [head, ...rows].flat());
      expect(cells, title).toContain("not run");
      for (const { head, rows } of tables)
        for (const row of rows) expect(row, title).toHaveLength(head.length);
    }
  },
);

test("a variant that ran without a figure has a dash, and one that did not run says so", () => {
  const text = print(marsLite, batchOf("swe-bench", "marscode", [{ resolved: true }]));
  expect(text).toContain("| ours: marscode, m | 1 of 1 (100.0 %) | – | – | – |");
  expect(text).toContain("| ours: agentless | not run | – | – | – |");
  const rust = print(rustSweBench, batchOf("rust-swe-bench", "rustforger", [{ resolved: true }]));
  expect(rust).toMatch(/\| E0599 \| 18\.06 \| – (?:\| not run ){6}\|/);
});

test("several attempts are a mean, and have pass@5 if there are five", () => {
  const five = [1, 2, 3, 4, 5].map((attempt) => ({ attempt, resolved: attempt === 2 }));
  const text = print(useBench, batchOf("swe-bench", "unified", five));
  expect(text).toContain("| 0.2 of 1 (20.0 %, mean of 5 attempts) | not run | not run | 100.0 |");
});

test("the published figures of USEbench add up", () => {
  const sum = (read: (set: (typeof published)[number]) => number): number =>
    published.reduce((total, each) => total + read(each), 0);
  expect(sum(({ tasks }) => tasks)).toBe(publishedAll.tasks);
  expect(sum(({ useAgent }) => useAgent[0])).toBe(publishedAll.useAgent[0]);
  expect(sum(({ openHands }) => openHands[0])).toBe(publishedAll.openHands[0]);
  for (const { tasks, useAgent } of [...published, publishedAll])
    expect((useAgent[0] / tasks) * 100).toBeCloseTo(useAgent[1], 1);
});

test("MarsCode's tables mark the paper's inconsistency, and divide ours by the stages of the runs", () => {
  const located = { files: 1, lines: 10, file: true, snippet: false };
  const text = print(
    marsLite,
    batchOf("swe-bench", "marscode", [
      { resolved: true, work: { parts: [part("plan"), part("program")], located } },
      { resolved: false, work: { parts: [part("edit"), part("vote")] } },
      { resolved: false, work: { parts: [part("edit"), part("vote")] } },
    ]),
  );
  expect(text).toContain("| theirs: MarsCode Agent | static | 216 (the table says 202) | 70 | 32.4 |");
  expect(text).toContain("its table 2 has 202 static tasks, but 300 − 84 = 216");
  expect(text).toContain("| ours: marscode, m | dynamic | 1 | 1 | 100.0 |");
  expect(text).toContain("| ours: marscode, m | static | 2 | 0 | 0.0 |");
  expect(text).toContain(
    "| ours: marscode, m | 1 of 3 (33.3 %) | 1 of 1 (100.0 %) | 0 of 1 (0.0 %) | 1.0 files, 10.0 lines |",
  );
});

test("Rust-SWE-bench's tables have sizes, compile errors, reproductions, ablations and Trace", () => {
  const text = print(
    rustSweBench,
    batchOf("rust-swe-bench", "rustforger", [
      {
        resolved: true,
        work: {
          parts: [part("bash"), part("trace")],
          compileErrors: { reproduction: { E0433: 1 }, other: { E0599: 3 } },
          reproduction: { isShown: true, runs: 4 },
        },
      },
      { resolved: false, work: { reproduction: { isShown: false, runs: 1, cause: "dependency" } } },
    ]),
    batchOf("rust-swe-bench", "rustforger-without-trace", [{ resolved: false }]),
  );
  expect(text).toContain("| theirs: RustForger | Claude 3.7 Sonnet | 143 of 500 (28.6 %) |");
  expect(text).toContain("| ours: rustforger | m | 1 of 2 (50.0 %) | 3.00 | 2.00 | 1.00 | 0.50 | 1000 |");
  expect(text).toContain("| E0599 | 18.06 | 75.0 |");
  expect(text).toContain("| structure of the repository | 43.7 | 25.0 |");
  expect(text).toContain("| errors per task, mean | about 3 | 2.0 |");
  expect(text).toContain("| ours: rustforger, m | – | – | 1 of 2 (50.0 %) | 1.5 | 100.0 / 0.0 / 0.0 / 0.0 |");
  expect(text).toContain("| workspace without Trace | 47 | 14 | 29 | 10 | 25 | m: 0 of 1 (0.0 %) |");
  expect(text).toContain("| ours: rustforger, m | 100.0 | 50.0 | 12.0 |");
});

test("the figures of USEagent and of Rust-SWE-bench are tables, and ages need tasks with dates", () => {
  const work = { parts: [part("edit-code")], sequences: [["edit-code", "finish"], ["edit-code"]] };
  const use = print(useBench, batchOf("swe-bench", "unified", [{ resolved: true, work }]));
  expect(use).toContain("| ours: unified, m, swe-bench | 1 | edit-code | 2 |");
  expect(use).toContain("| ours: unified, m, swe-bench | 2 | finish | 1 |");
  expect(use).toContain("| ours: unified, m, swe-bench | edit-code | 0.0000 | 0.0000 |");
  const made = batchOf("rust-swe-bench", "rustforger", [{ resolved: true }, { resolved: false }]);
  const facts = [0.5, 40].map((days, at) => ({
    ...{ id: String(at), kind: "repair" as const, repository: "a/b", language: "rust", days },
    fix: { files: 1, hunks: 1, lines: 3 + at },
  }));
  const { batch } = made;
  const dated = { ...made, batch: { ...batch, tasks: { ...batch.tasks, facts } } };
  const text = print(rustSweBench, dated);
  expect(text).toContain("| ours: rustforger, m | 3 | 1 | 1 | 100.0 |");
  expect(text).toContain("| ours: rustforger, m | 4 | 1 | 2 | 50.0 |");
  expect(text).toMatch(/\| up to a day \| [^|]+ \| 100\.0 \(1 of 1\) \|/);
  expect(text).toMatch(/\| up to a week \| [^|]+ \| – \|/);
  expect(text).toMatch(/\| up to six months \| [^|]+ \| 0\.0 \(0 of 1\) \|/);
  expect(print(rustSweBench, made)).toMatch(/\| up to a day \| [^|]+ \| – \|/);
});

test("USEbench's audit has the people's labels of each arm and dataset beside the published counts", () => {
  const resolved = [{ resolved: true }, { resolved: true }, { resolved: true }, { resolved: false }];
  const batches = [batchOf("swe-bench", "unified", resolved)];
  const files = labelled("patches", { 0: "correct", 1: "overfitted" });
  const text = printLabelled(useBench, batches, files);
  expect(text).toContain(
    "| theirs: USEagent, all five | 218 | not reported | 23 of 218 (10.5 %) | 3 of 218 (1.3 %) | 33 of 218 | – |",
  );
  expect(text).toContain(
    "| ours: unified, m, swe-bench | 2 | 1 of 2 (50.0 %) | 1 of 2 (50.0 %) | 0 of 2 (0.0 %) | 0 of 2 (0.0 %) | 0 |",
  );
  expect(print(useBench, ...batches)).not.toContain("| ours: unified, m, swe-bench | 2 |");
});

test("USEbench's costs have the correlation of time and cost over all datasets of an arm", () => {
  const batch = batchOf("swe-bench", "unified", [{ resolved: true }, { resolved: true }]);
  const priced = (times: readonly number[]) => ({
    ...batch,
    batch: {
      ...batch.batch,
      tries: batch.batch.tries.map((each, at) => {
        const seconds = times[at] ?? 0;
        return { ...each, agentSeconds: seconds, usage: { ...each.usage, usd: seconds / 10 } };
      }),
    },
  });
  const text = print(useBench, priced([1, 2]), { ...priced([3, 4]), dataset: "swt-bench" });
  expect(text).toContain("| theirs: USEagent | 0.89 | not reported |");
  expect(text).toContain("| ours: unified, m | 1.00 | 4 |");
});

test("reproductions that people judged or that were replayed stand beside the published rates", () => {
  const reproduction = { isShown: true, runs: 1 };
  const made = batchOf("rust-swe-bench", "rustforger", [
    { resolved: true, work: { reproduction } },
    { resolved: false, work: { reproduction } },
    { resolved: false },
  ]);
  const tries = made.batch.tries.map((each, at) => ({
    ...each,
    replayed: {
      ...{ run: each.run, reason: "", outputs: [] },
      validity: at === 0 ? ("valid" as const) : ("none" as const),
    },
  }));
  const replayed = { ...made, batch: { ...made.batch, tries } };
  const files = labelled("reproductions", { 0: "valid", 1: "irrelevant" });
  expect(printLabelled(rustSweBench, [replayed], files)).toContain(
    "| ours: rustforger, m | 1 of 2 (50.0 %) | 1 of 3 (33.3 %) | 2 of 2 (100.0 %) | 0.0 | – / – / – / – |",
  );
});

test("the published shares of the two groups of compile errors are those of their codes", () => {
  const shares = Object.values(errorGroups).map((codes) =>
    [...codes].reduce((sum, code) => sum + (errors[code] ?? 0), 0),
  );
  // The paper: 43.7 and 32.6 (its second group adds up to 32.55).
  expect(shares).toEqual([expect.closeTo(43.73), expect.closeTo(32.55)]);
});

/** The HTML report in a real browser, light and dark, with every section: axe finds no serious fault, and it loads nothing. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { BatchDocument, BatchTry } from "../../src/bench/batch-document.ts";
import { type LabelFiles, listItems } from "../../src/bench/labels.ts";
import { renderReportPage } from "../../src/bench/report-page.ts";
import type { RunWork } from "../../src/bench/work/run-work.ts";

/** Debian's, or one that the user names. */
const browserPath = [process.env["MILLWRIGHT_CHROMIUM"], "/usr/bin/chromium"].find(
  (path) => path !== undefined && existsSync(path),
);
const missing =
  browserPath === undefined
    ? " (skipped: install Debian's chromium, or name one in MILLWRIGHT_CHROMIUM)"
    : "";

const arms = ["marscode", "react", "search-repair"];

function workOf(at: number): RunWork {
  const part = (name: string, tokens: number) => ({
    ...{ name, uses: 1 + (at % 2), failed: 0, tokens, usd: tokens / 10_000, seconds: 10 },
  });
  const isShown = at % 3 === 0;
  return {
    parts: [
      part("edit-code", 500 + at),
      part("reproduction", 300),
      part(at % 2 === 0 ? "edit" : "program", 20),
      part("between actions", 90),
    ],
    sequences: [["reproduction", "code-retrieval", "edit-code", "finish"].slice(0, 2 + (at % 3))],
    reproduction: { isShown, runs: 1 + (at % 4), ...(isShown ? {} : { cause: "irrelevant" }) },
    compileErrors: { reproduction: { E0433: 1 }, other: { E0599: 2 } },
    located: { files: 2, lines: 40, file: true, function: at % 2 === 0, snippet: at % 3 === 0 },
  };
}

function tryOf(strategy: string, task: number): BatchTry {
  const at = task + arms.indexOf(strategy);
  const outcomes = ["resolved", "unresolved", "resolved", "agent-error", "infrastructure-error"] as const;
  return {
    ...{ id: `acme__tool-${task}`, strategy, model: strategy === "search-repair" ? null : "a/model" },
    ...{ attempt: 1, outcome: outcomes[at % 5] ?? "resolved", reason: "the tests decided", run: `r${at}` },
    ...{ verdict: at % 3 === 0 ? "verified" : "unverified", agentSeconds: 10 * at + 5, gradingSeconds: 2 },
    edited: { files: 1, hunks: 1 + (at % 3), lines: 4 * at + 1 },
    usage: { calls: 4, inputTokens: 900, cachedTokens: 300, outputTokens: 100, usd: 0.1 + at / 10 },
    otherRules: [{ rule: "usebench-patch-coverage", outcome: "resolved" }],
    measures: { patchCoverage: 0.5 },
    extra: { isOverfitted: at % 2 === 0, reason: "1 of 2 extra tests fails", success: [], failure: [] },
    replayed: { run: `r${at}`, validity: at % 2 === 0 ? "valid" : "irrelevant", reason: "", outputs: [] },
    work: workOf(at),
  };
}

const tasks = Array.from({ length: 12 }, (_, at) => at);
const batch: BatchDocument = {
  ...{ schema: "millwright.bench-run/1", version: "1.0.0", rules: ["fail-only"], sandbox: "docker" },
  tasks: {
    ...{ file: "tasks.jsonl", sha256: "0123456789abcdef", count: tasks.length },
    facts: tasks.map((at) => ({
      ...{ id: `acme__tool-${at}`, kind: "repair", repository: `acme/tool-${at % 2}`, language: "python" },
      fix: { files: 1, hunks: 1, lines: 3 ** (at % 5) },
      hasExtraTests: true,
    })),
  },
  arms: arms.map((strategy) => ({ strategy, model: strategy === "search-repair" ? null : "a/model" })),
  tries: tasks.flatMap((task) => arms.map((strategy) => tryOf(strategy, task))),
};

/** Two people label the patches, and differ at one. */
const items = [...listItems("patches", batch.tries).keys()];
const labelled = (person: string, last: string) => ({
  person,
  labels: new Map(items.map((item, at) => [item, at === items.length - 1 ? last : "correct"])),
});
const labels: LabelFiles = {
  people: [labelled("ann", "overfitted"), labelled("bob", "memorised")],
  consensus: undefined,
};

const foundSchema = z.object({
  violations: z.array(
    z.object({
      ...{ id: z.string(), impact: z.string().nullish() },
      nodes: z.array(z.object({ html: z.string(), failureSummary: z.string().optional() })),
    }),
  ),
  passes: z.array(z.object({ id: z.string() })),
});

describe.skipIf(browserPath === undefined)(`the HTML report in Chromium${missing}`, () => {
  let folder: string;
  let browser: Browser;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "report-"));
    writeFileSync(join(folder, "report.html"), await renderReportPage([{ path: "batch", batch }], labels));
    browser = await chromium.launch({ executablePath: browserPath ?? "" });
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(["light", "dark"] as const)("%s: axe finds no serious fault", async (colorScheme) => {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1100, height: 900 } });
    const asked: string[] = [];
    const said: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (message) => said.push(message.text()));
    const address = `file://${join(folder, "report.html")}`;
    await page.goto(address);
    // All data is visible to axe.
    await page.locator("details").evaluateAll((all) => {
      for (const each of all) each.setAttribute("open", "");
    });
    await page.evaluate(axe.source);
    const { violations, passes } = foundSchema.parse(await page.evaluate("axe.run()"));
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    expect(serious).toEqual([]);
    expect(passes.map(({ id }) => id)).toEqual(expect.arrayContaining(["color-contrast", "role-img-alt"]));
    expect(await page.locator("h2").allTextContents()).toEqual([
      ...[
        "Arms",
        "Settings",
        "Infrastructure errors",
        "By other rules",
        "Partial scores",
        "Plausible and overfitted",
        "By properties of the tasks",
      ],
      ...["Resolved by edited lines", "Verdicts", "Labels by people: patches", "Cost of an attempt"],
      ...[
        "Size of the patches",
        "Actions",
        "Actions by position",
        "Localisation",
        "Dynamic and static repair",
      ],
      ...["Reproductions", "Reproductions, replayed", "Compile errors (Rust)", "Time and cost", "Tasks"],
    ]);
    expect(await page.locator("figure svg").count()).toBe(8);
    // Wide tables scroll in their own box, never the page.
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(asked).toEqual([address]);
    expect(said).toEqual([]);
    const folderOfPictures = process.env["MILLWRIGHT_PICTURES"];
    if (folderOfPictures !== undefined)
      await page.screenshot({ path: join(folderOfPictures, `${colorScheme}.png`), fullPage: true });
    await page.close();
  });
});

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { BatchDocument, BatchTry } from "./batch-document.ts";
import { renderReportPage } from "./report-page.ts";

const hostile = "<img src=x onerror=alert(1)>";

function made(strategy: string, id: string, outcome: BatchTry["outcome"], agentSeconds: number): BatchTry {
  return {
    ...{ id, strategy, model: hostile, attempt: 1, outcome, reason: hostile, run: id, agentSeconds },
    ...{ gradingSeconds: 1, verdict: "verified", measures: { [hostile]: 0.5 } },
    usage: { calls: 2, inputTokens: 900, cachedTokens: 300, outputTokens: 100, usd: 0.5 },
  };
}

const batch: BatchDocument = {
  ...{ schema: "millwright.bench-run/1", version: "1.0.0", rules: [hostile], sandbox: "docker" },
  tasks: { file: hostile, sha256: "0123456789abcdef", count: 3 },
  arms: ["react", "unified"].map((strategy) => ({ strategy, model: hostile })),
  tries: [
    made("react", "a", "resolved", 10),
    made("react", "b", "unresolved", 20),
    made("react", "c", "agent-error", 5),
    made("unified", "a", "resolved", 12),
    made("unified", "b", "resolved", 30),
    made("unified", hostile, "infrastructure-error", 1),
  ],
};

test("the page runs nothing, loads nothing, and shows what it is given as text", async () => {
  const page = await renderReportPage([{ path: hostile, batch }]);
  expect(page).not.toMatch(/<script|<img|<link|<iframe|\son\w+=(?!alert)|(?:href|src)=(?!x )/i);
  expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;");
  const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
  const hash = createHash("sha256").update(style).digest("base64");
  expect(page).toContain(`content="default-src 'none'; style-src 'sha256-${hash}'"`);
});

test("each chart has its data as a table", async () => {
  const page = await renderReportPage([{ path: "one", batch }]);
  const charts = [
    ...page.matchAll(
      /<figcaption>([^<]*)<[\s\S]*?<svg [\s\S]*?<\/svg>[\s\S]*?<details>([\s\S]*?)<\/details>/g,
    ),
  ];
  const rowsOf = (title: RegExp): string[][] => {
    const [, , table = ""] = charts.find(([, name = ""]) => title.test(name)) ?? [];
    const rows = [...table.matchAll(/<tr><th scope="row">(.*?)<\/tr>/g)].map(([, row = ""]) => row);
    return rows.map((row) => row.split(/<\/t[hd]>(?:<td>)?/).slice(0, -1));
  };
  expect(charts).toHaveLength(5);
  const name = (strategy: string): string => `${strategy},&lt;img src=x onerror=alert(1)&gt;`;
  // Wilson's interval according to statsmodels' proportion_confint(1, 3, method="wilson").
  expect(rowsOf(/interval/)[0]).toEqual([name("react"), "33.3", "6.1", "79.2"]);
  expect(rowsOf(/outcome/)).toContainEqual([name("unified"), "infrastructure error", "1"]);
  expect(rowsOf(/verdicts/)).toContainEqual([name("react"), "verified, not resolved", "2"]);
  expect(rowsOf(/seconds/)).toContainEqual([name("unified"), "30", "66.7"]);
  // Only unified resolves b, both resolve a, neither resolves c and the last one.
  expect(rowsOf(/arms that resolve/)).toEqual([
    ["none", "2"],
    [`${name("react")} + ${name("unified")}`, "1"],
    [name("unified"), "1"],
  ]);
});

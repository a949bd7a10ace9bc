/** The suite for MarsCode Agent's results on SWE-bench Lite (Liu et al., 2024). */
import { percent, type Section } from "../report-sections.ts";
import { defineSuite, noFigure, rowsOfOurs, type SuiteResults, tellPart, tellResolved } from "./contract.ts";

const dataset = "swe-bench";
const tasks = 300;
const theirs = "theirs: MarsCode Agent";

export default defineSuite({
  name: "mars-lite",
  description: "MarsCode Agent's results on SWE-bench Lite, including table 2 of its paper",
  source: "MarsCode Agent (Liu et al., 2024), table 2 and its text, SWE-bench Lite (300 tasks)",
  datasets: [dataset],
  variants: [
    { name: "marscode", title: "marscode", strategy: "marscode" },
    { name: "agentless", title: "agentless", strategy: "agentless" },
    { name: "unified", title: "unified", strategy: "unified" },
  ],
  tables: (results) => [overall(results), repairs(results)],
});

function overall(results: SuiteResults): Section {
  const head = ["system", "resolved", "right file", "right snippet", "located, mean"];
  const rows = [
    [theirs, "102 of 300 (34.0 %)", "265 of 300 (88.3 %)", "206 of 300 (68.7 %)", "not reported"],
    ...rowsOfOurs(results, head.length, ({ arm }) => {
      const located = arm.work?.located;
      return [
        [
          tellResolved(arm),
          ...[located?.file, located?.snippet].map((share) =>
            share === undefined ? noFigure : tellPart(share),
          ),
          ...(located === undefined
            ? []
            : [`${located.files.toFixed(1)} files, ${located.lines.toFixed(1)} lines`]),
        ],
      ];
    }),
  ];
  return { title: "Resolved tasks and localisation", tables: [{ head, rows }] };
}

function repairs(results: SuiteResults): Section {
  const head = ["system", "repair", "attempts", "resolved", "%"];
  const rows = [
    [theirs, "dynamic", "84", "32", "38.1"],
    [theirs, "static", `${tasks - 84} (the table says 202)`, "70", "32.4"],
    ...rowsOfOurs(
      results,
      head.length,
      ({ arm }) =>
        arm.repairs.map(({ mode, resolved }) => {
          const share = resolved.of === 0 ? noFigure : percent(resolved.count / resolved.of);
          return [mode, String(resolved.of), String(resolved.count), share];
        }),
      { isShown: ({ name }) => name === "marscode" },
    ),
  ];
  const text =
    "The paper is inconsistent here: its table 2 has 202 static tasks, but 300 − 84 = 216. The rate fits 216: 70 of 216 are 32.4 %, 70 of 202 are 34.7 %.";
  return { title: "Table 2: dynamic and static repair", texts: [text], tables: [{ head, rows }] };
}

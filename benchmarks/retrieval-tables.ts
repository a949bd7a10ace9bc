/** Renders the figures of the retrieval benchmark. */
import { intervalOf } from "./retrieval-intervals.ts";
import type { Measured, Ranks } from "./retrieval-measure.ts";

export interface MeasuredTask {
  readonly id: string;
  readonly language: string;
  readonly measured: Measured;
}

const tops = [1, 5, 10] as const;
const methods = ["plain", "ours"] as const;
const titles = { plain: "plain BM25", ours: "millwright" } as const;

export function renderTables(tasks: readonly MeasuredTask[]): string {
  const languages = [...new Set(tasks.map(({ language }) => language))].sort();
  const groups = languages.map((language) => ({
    name: language,
    tasks: tasks.filter((task) => task.language === language),
  }));
  if (groups.length > 1) groups.push({ name: "all", tasks: [...tasks] });
  const lines: string[] = [];
  for (const level of ["files", "functions"] as const) {
    lines.push("", `Gold ${level}: any in the top k (Acc@k), all in the top k (Recall@k)`);
    lines.push(row("", "", "tasks", ...tops.map((k) => `Acc@${k}`), ...tops.map((k) => `Rec@${k}`), "MRR"));
    for (const group of groups) {
      for (const method of methods)
        lines.push(rankRow(group.name, titles[method], level, ranksOf(group.tasks, method)));
    }
  }
  lines.push("", "Difference between ours and plain BM25, with a 95 % bootstrap interval");
  lines.push(row("", "", "tasks", ...["Acc@1", "Acc@5", "Rec@10", "functions@10"].map(wide)));
  for (const group of groups) lines.push(differenceRow(group.name, group.tasks));
  lines.push("", "Gold lines among what is shown under the budget, and what they cost");
  lines.push(row("", "", "tasks", "recall", "tok/line", "tokens"));
  for (const group of groups) {
    for (const method of methods)
      lines.push(lineRow(group.name, titles[method], ranksOf(group.tasks, method)));
  }
  lines.push("", timeLine(tasks));
  return `${lines.join("\n")}\n`;
}

function ranksOf(tasks: readonly MeasuredTask[], method: "ours" | "plain"): Ranks[] {
  return tasks.map(({ measured }) => measured[method]);
}

function rankRow(name: string, title: string, level: "files" | "functions", ranks: readonly Ranks[]): string {
  const lists = ranks.map((rank) => rank[level]).filter((list) => list.length > 0);
  const share = (holds: (list: readonly number[]) => boolean): string =>
    (lists.filter(holds).length / Math.max(1, lists.length)).toFixed(3);
  const reciprocal = lists.reduce((sum, list) => sum + 1 / Math.min(...list), 0) / Math.max(1, lists.length);
  return row(
    name,
    title,
    String(lists.length),
    ...tops.map((k) => share((list) => Math.min(...list) <= k)),
    ...tops.map((k) => share((list) => Math.max(...list) <= k)),
    reciprocal.toFixed(3),
  );
}

function differenceRow(name: string, tasks: readonly MeasuredTask[]): string {
  const cell = (level: "files" | "functions", holds: (list: readonly number[]) => boolean): string => {
    const counted = tasks.filter(({ measured }) => measured.ours[level].length > 0);
    const { mean, low, high } = intervalOf(
      counted.map(
        ({ measured }) => Number(holds(measured.ours[level])) - Number(holds(measured.plain[level])),
      ),
    );
    return wide(`${signed(mean)} ${signed(low)}…${signed(high)}`);
  };
  const any = (k: number) => (list: readonly number[]) => Math.min(...list) <= k;
  const all = (list: readonly number[]): boolean => Math.max(...list) <= 10;
  const cells = [
    cell("files", any(1)),
    cell("files", any(5)),
    cell("files", all),
    cell("functions", any(10)),
  ];
  return row(name, "", String(tasks.length), ...cells);
}

function wide(cell: string): string {
  return cell.padStart(24);
}

function signed(share: number): string {
  return `${share < 0 ? "−" : "+"}${Math.abs(share).toFixed(3)}`;
}

/** Recall is the mean over tasks; tokens for a line are all tokens over all lines found. */
function lineRow(name: string, title: string, ranks: readonly Ranks[]): string {
  const counted = ranks.filter(({ goldLines }) => goldLines > 0);
  const recall = counted.reduce((sum, { shownLines, goldLines }) => sum + shownLines / goldLines, 0);
  const tokens = counted.reduce((sum, rank) => sum + rank.tokens, 0);
  const lines = counted.reduce((sum, { shownLines }) => sum + shownLines, 0);
  const count = Math.max(1, counted.length);
  return row(
    name,
    title,
    String(counted.length),
    (recall / count).toFixed(3),
    lines === 0 ? "–" : (tokens / lines).toFixed(0),
    (tokens / count).toFixed(0),
  );
}

function timeLine(tasks: readonly MeasuredTask[]): string {
  const times = tasks.map(({ measured }) => measured.queryMs).sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1);
  const most = Math.max(0, ...tasks.map(({ measured }) => measured.fileCount));
  return `A query takes p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, at most ${at(1)} ms; the largest repository has ${most} files.`;
}

export function renderDetails(tasks: readonly MeasuredTask[]): string {
  const list = (ranks: readonly number[]): string =>
    ranks.map((rank) => (Number.isFinite(rank) ? rank : "–")).join(",") || "none";
  return tasks
    .map(
      ({ id, measured: { ours, plain } }) =>
        `${id}: files ${list(ours.files)} (BM25 ${list(plain.files)}), functions ${list(ours.functions)} (BM25 ${list(plain.functions)})\n`,
    )
    .join("");
}

function row(name: string, title: string, ...cells: readonly string[]): string {
  return `${name.padEnd(12)} ${title.padEnd(12)}${cells.map((cell) => cell.padStart(9)).join("")}`.trimEnd();
}

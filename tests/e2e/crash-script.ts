/** A run with a model that does most of what a run can do, and ends verified: recorded once, to be killed in its replays. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Playground } from "./millwright.ts";
import { editBlock } from "./scripted-solve.ts";

const file = "ledger/account.py";
const says = (role: string, name: string, input: object) => ({ when: { role }, calls: [{ name, input }] });
const guard = "        if not can_cover(self, amount):";
const vain = ["is True", "== True", "is not False"].flatMap((end, index) => [
  says("planning", "edit-code", { intent: `change the guard: ${end}` }),
  says("editing", "edit", {
    edits: editBlock(file, guard, `        if not (can_cover(self, amount) ${end}):`),
  }),
  says("editing", "done", { summary: "another guard" }),
  says("planning", "execute-tests", { candidate: `c${index + 1}` }),
]);
const right = editBlock(file, "    return amount < available", "    return amount <= available");
const place = { file, startLine: 22, endLine: 24, why: "it decides" };

const answers = [
  says("planning", "probe-environment", {}),
  says("planning", "ask", { question: "All of it?", choices: ["yes", "no"], assumption: "yes" }),
  ...vain,
  says("planning", "backtrack", { way: "elsewhere", note: "the guard is right" }),
  says("planning", "code-retrieval", { intent: "where a payment is refused" }),
  says("retrieval", "find", { query: "withdraw refuses the whole balance" }),
  says("retrieval", "report", { places: [place], answer: "can_cover decides" }),
  says("planning", "edit-code", { intent: "let all of it be paid" }),
  says("editing", "edit", { edits: right }),
  says("editing", "done", { summary: "all of it may be paid" }),
  says("planning", "finish", { candidate: "c4" }),
];

/** Arguments of `solve` for it, on `repair-python`. */
export function unifiedArguments(playground: Playground): string[] {
  const script = join(playground.folder, "unified.json");
  writeFileSync(script, JSON.stringify({ answers }));
  return ["--strategy", "unified", "--without", "review-patch", "--model", `scripted:${script}`];
}

/** … and for its replays. */
export function replayArguments({ runs }: Playground, run: string): string[] {
  return [
    "--strategy",
    "unified",
    "--without",
    "review-patch",
    "--model",
    `replay:${join(runs, run, "calls")}`,
  ];
}

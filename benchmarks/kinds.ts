/**
 * Measures how often rules and a model find a task's kind from the description alone. `npm run bench:kinds --
 * TASKS.jsonl… --repositories DIR [--model PROVIDER/ID --most N] [--verbose]`. TASKS: rows with SWE-bench's fields.
 * DIR: a git repository `OWNER+NAME/repo` for each. The model gets N of the descriptions that the rules leave
 * undecided, spread over the kinds.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { askKind } from "../src/agent/kinds/ask-kind.ts";
import { tellKind } from "../src/agent/kinds/tell-kind.ts";
import { type KindByRule, type TaskKind, taskKindSchema } from "../src/domain/task.ts";
import { openModelSession } from "../src/session/model-session.ts";
import { parseSettings } from "../src/session/settings.ts";
import { type Described, describeRow, type IssueRow } from "./kinds-derive.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repositories: { type: "string", default: "" },
    model: { type: "string", default: "none" },
    "model-url": { type: "string" },
    most: { type: "string", default: "12" },
    verbose: { type: "boolean", default: false },
  },
});
const kinds = taskKindSchema.options;

interface Told extends Described {
  readonly byRule: KindByRule;
}

const all: Told[] = [];
for (const file of positionals) {
  const rows = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  for (const [at, line] of rows.entries()) {
    const row: IssueRow & { readonly repo: string } = { patch: "", ...JSON.parse(line) };
    const folder = join(values.repositories, row.repo.replace("/", "+"), "repo");
    if (!existsSync(folder)) continue;
    for (const described of await describeRow(row, folder, at))
      all.push({ ...described, byRule: await tellKind(described, kinds, described.read) });
  }
}

console.log("| kind | descriptions | told by rule | of these right | left open | right if nobody is asked |");
console.log("| --- | --- | --- | --- | --- | --- |");
const isRight = ({ kind, byRule }: Told): boolean => byRule.kind === kind;
for (const kind of [...kinds, undefined]) {
  const own = all.filter((each) => kind === undefined || each.kind === kind);
  const sure = own.filter(({ byRule }) => byRule.isSure);
  const figures = [own.length, sure.length, sure.filter(isRight).length, own.length - sure.length];
  console.log(`| ${[kind ?? "all", ...figures, own.filter(isRight).length].join(" | ")} |`);
}
if (values.verbose)
  for (const { name, kind, byRule } of all.filter((each) => !isRight(each) || !each.byRule.isSure))
    console.log(`${kind} ${name}: ${byRule.isSure ? "" : "perhaps "}${byRule.kind} (${byRule.reason})`);
if (values.model !== "none") await askModel();

async function askModel(): Promise<void> {
  const url = values["model-url"];
  const settings = parseSettings({ model: values.model, ...(url === undefined ? {} : { modelUrl: url }) });
  const { client } = await openModelSession(settings, { environment: process.env });
  const open = all.filter(({ byRule }) => !byRule.isSure);
  let right = 0;
  const asked = spread(open, Number(values.most));
  for (const { name, kind, statement, read, byRule } of asked) {
    const limits = { remainingMs: () => Number.POSITIVE_INFINITY, exhausted: () => undefined };
    const context = {
      models: client,
      limits,
      signal: AbortSignal.timeout(3_600_000),
      decoding: { temperature: 0 },
    };
    const choice = await askKind(context, { task: { statement }, byRule, read });
    if (choice.kind === kind) right += 1;
    console.log(
      `${choice.kind === kind ? "right" : "WRONG"}: ${kind} ${name}: ${choice.kind} by ${choice.by} (${choice.reason})`,
    );
  }
  console.log(`asked ${asked.length} of ${open.length}: ${right} right`);
}

/** So many of them, each kind in turn. */
function spread(items: readonly Told[], most: number): Told[] {
  const groups = kinds.map((kind: TaskKind) => items.filter((each) => each.kind === kind));
  const longest = Math.max(...groups.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, at) =>
    groups.flatMap((group) => group[at] ?? []),
  ).flat();
  return inTurn.slice(0, most);
}

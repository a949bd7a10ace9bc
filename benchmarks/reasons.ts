/**
 * Measures whether rules recognise tests that fail for an issue's reason: precision and recall over failures of real
 * tasks. `npm run bench:reasons -- TASKS.jsonl… --repositories DIR --recipes FILE --cache DIR [--beside COMMIT]
 * [--mutants N] [--verbose]`. TASKS: rows with SWE-bench's fields and a `test_cmd`. DIR: a git repository `OWNER+NAME`
 * for each. FILE: the set-up of each repository (`{"OWNER/NAME": {"prepare": "shell text", "path": [".venv/bin"]}}`).
 * The cache stores finished measurements. If a task's set-up fails, the benchmark prints the reason.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { matchReason, type TestText } from "../src/agent/measure/stated-reason.ts";
import { type KnownOfBase, textOfTests } from "../src/agent/measure/text-of-tests.ts";
import { readSignature, type SignatureMatch } from "../src/agent/state/statement-signature.ts";
import { formatTestKey, type TestOutcome } from "../src/domain/test-outcome.ts";
import { isTestFile } from "../src/languages/source-files.ts";
import { type Collected, collectOnce, readBase, readReasonTasks, recipesSchema } from "./reasons-collect.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repositories: { type: "string", default: "" },
    recipes: { type: "string", default: "" },
    cache: { type: "string", default: "" },
    mutants: { type: "string", default: "6" },
    only: { type: "string", default: "" },
    beside: { type: "string", default: "5e8fab3" },
    verbose: { type: "boolean", default: false },
  },
});
const goal = { recall: 0.95, precision: 0.9 };

type Rule = (statement: string, outcome: TestOutcome, read: TestText) => Promise<SignatureMatch>;
const rules: [string, Rule][] = [
  ["this tree", (statement, outcome, read) => matchReason(readSignature(statement), outcome, read)],
];
const other = values.cache === "" ? undefined : await ruleOf(values.beside);
if (other !== undefined) rules.push([values.beside, other]);

/** The same two functions of another commit, whose sources are laid in the cache. */
async function ruleOf(commit: string): Promise<Rule | undefined> {
  const root = join(import.meta.dirname, "..");
  const folder = join(values.cache, `rule-${commit}`);
  try {
    if (!existsSync(folder)) {
      mkdirSync(folder, { recursive: true });
      const tar = execFileSync("git", ["archive", commit, "src", "package.json"], {
        cwd: root,
        maxBuffer: 2 ** 28,
      });
      execFileSync("tar", ["-x"], { cwd: folder, input: tar });
      symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    }
    const own = await import(join(folder, "src/agent/measure/stated-reason.ts"));
    const { readSignature: read } = await import(join(folder, "src/agent/state/statement-signature.ts"));
    return (statement, outcome, text) => own.matchReason(read(statement), outcome, text);
  } catch (error) {
    console.log(`the rule of ${commit} cannot be loaded: ${String(error).split("\n")[0]}`);
    return undefined;
  }
}

const recipes = recipesSchema.parse(
  values.recipes === "" ? {} : JSON.parse(readFileSync(values.recipes, "utf8")),
);
const all: Collected[] = [];
for (const task of positionals
  .flatMap(readReasonTasks)
  .filter(({ instance_id: id }) => id.includes(values.only))) {
  const { repositories } = values;
  try {
    all.push(
      await collectOnce(task, values.cache, { repositories, recipes, mutants: Number(values.mutants) }),
    );
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    console.log(`${task.instance_id}: not measured: ${said.split("\n").slice(0, 3).join(" ").slice(0, 300)}`);
  }
}

/** By the task: what its base has. */
const knownOf = new Map<string, KnownOfBase>();
const none: KnownOfBase = {
  product: async () => new Set(),
  parameters: async () => new Set(),
  tests: async () => [],
  callers: async () => new Set(),
};
for (const task of positionals.flatMap(readReasonTasks))
  if (all.some((each) => each.task === task.instance_id))
    knownOf.set(task.instance_id, await readBase(task, values));

interface Case {
  readonly task: string;
  readonly kind: string;
  readonly isStated: boolean;
  readonly statement: string;
  readonly outcome: TestOutcome;
  readonly texts: Collected["texts"];
}

const cases: Case[] = all.flatMap(({ task, repo, statement, failures, texts }) => [
  ...failures
    // That a loaded machine met our limit says nothing of a reason.
    .filter(({ outcome }) => outcome.status !== "timed-out")
    .map(({ kind, outcome }) => ({
      task,
      kind,
      isStated: kind === "stated",
      statement,
      outcome,
      texts,
    })),
  ...all
    .filter((each) => each.repo === repo && each.task !== task)
    .flatMap((each) =>
      each.failures
        .filter(({ kind }) => kind === "stated")
        .map(({ outcome }) => ({
          task,
          kind: "other task",
          isStated: false,
          statement,
          outcome,
          texts: each.texts,
        })),
    ),
]);

const percent = (part: number, whole: number): string =>
  whole === 0 ? "none" : `${((100 * part) / whole).toFixed(1)} % of ${whole}`;
console.log(`${all.length} tasks, ${cases.length} failures`);
for (const [name, rule] of rules) {
  const said = new Map<string, { accepted: number; all: number }>();
  for (const { task, kind, isStated, statement, outcome, texts } of cases) {
    const trees = {
      list: async () => Object.keys(texts).map((path) => ({ path, mode: "100644", blob: "" })),
      read: async (_: string, path: string) => Buffer.from(texts[path] ?? ""),
    };
    const regions = {
      isWhole: (path: string) => path in texts || isTestFile(path),
      inside: () => ({ items: false, examples: false }),
      spansIn: async () => [],
    };
    const read = textOfTests({ workspace: { trees }, regions }, "", knownOf.get(task) ?? none);
    const { matches, isStrong, evidence } = await rule(statement, outcome, read);
    const count = said.get(kind) ?? { accepted: 0, all: 0 };
    said.set(kind, { accepted: count.accepted + Number(matches), all: count.all + 1 });
    if (values.verbose && matches !== isStated && name === "this tree")
      console.log(
        `${matches ? "ACCEPTED" : "REFUSED "} ${kind} of ${task}${isStrong ? " (strong)" : ""}: ${formatTestKey(outcome.key)}: ${outcome.failure?.type}: ${outcome.failure?.message.split("\n")[0]?.slice(0, 100)}\n    ${evidence}`,
      );
  }
  const stated = said.get("stated") ?? { accepted: 0, all: 0 };
  const accepted = [...said.values()].reduce((sum, each) => sum + each.accepted, 0);
  console.log(
    `${name}: recall ${percent(stated.accepted, stated.all)}, precision ${percent(stated.accepted, accepted)} accepted`,
  );
  for (const [kind, count] of said)
    if (kind !== "stated") console.log(`  ${kind}: ${percent(count.accepted, count.all)} accepted`);
  if (name === "this tree") {
    const [recall, precision] = [stated.accepted / stated.all, stated.accepted / accepted];
    const missed = [
      ...(recall >= goal.recall ? [] : [`recall by ${(100 * (goal.recall - recall)).toFixed(1)} points`]),
      ...(precision >= goal.precision
        ? []
        : [`precision by ${(100 * (goal.precision - precision)).toFixed(1)} points`]),
    ];
    console.log(
      `  goal (recall ${goal.recall} at precision ${goal.precision}): ${missed.length === 0 ? "met" : `missed: ${missed.join(", ")}`}`,
    );
  }
}

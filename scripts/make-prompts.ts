// Writes docs/prompts.md from recorded runs with a scripted model: the prompts of each role in `unified`, and those of `react`.
// `npm run prompts`; tests/e2e/prompts.test.ts fails if the page lacks a prompt or a tool.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { kindQuestion, kindSystem } from "../src/agent/kinds/kind.prompt.ts";
import { taskKindSchema } from "../src/domain/task.ts";
import { answersFor, statement } from "../tests/prompt-run.ts";

const root = dirname(import.meta.dirname);
const folder = mkdtempSync(join(tmpdir(), "millwright-prompts-"));

const requestSchema = z.object({
  request: z.object({
    role: z.string(),
    system: z.string(),
    messages: z.array(z.object({ role: z.string(), text: z.string().optional() })),
    tools: z.array(z.object({ name: z.string(), description: z.string() })),
  }),
});
type Request = z.infer<typeof requestSchema>["request"];

function runOf(strategy: keyof typeof answersFor): readonly Request[] {
  const repository = join(folder, strategy, "ledger");
  cpSync(join(root, "tests/fixtures/repos/repair-python"), repository, { recursive: true });
  const names = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
  for (const words of [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-qm", "As it was found"],
  ])
    execFileSync("git", [...names, ...words], { cwd: repository });
  const script = join(folder, `${strategy}.json`);
  writeFileSync(script, JSON.stringify({ answers: answersFor[strategy] }));
  const runs = join(folder, strategy, "runs");
  const flags = ["--repo", repository, "--strategy", strategy, "--model", `scripted:${script}`];
  spawnSync(join(root, "bin/millwright"), ["solve", statement, ...flags, "--runs-dir", runs], {
    stdio: "inherit",
  });
  const [run = ""] = readdirSync(runs).filter((name) => /^\d/.test(name));
  const calls = join(runs, run, "calls");
  return readdirSync(calls)
    .filter((name) => name.endsWith(".request.json"))
    .map((name) => requestSchema.parse(JSON.parse(readFileSync(join(calls, name), "utf8"))).request);
}

const titles: Readonly<Record<string, string>> = {
  planning: "Planning: the Meta-Agent of `unified`",
  reproduction: "Reproduction: the author of tests",
  retrieval: "Retrieval: the search for places",
  editing: "Editing: the author of code",
  review: "Review: the reader of the patch",
};

/** The role's request with the shortest conversation, which shows how a conversation begins. */
function firstOf(requests: readonly Request[], role: string): Request | undefined {
  return requests
    .filter((request) => request.role === role)
    .toSorted((a, b) => a.messages.length - b.messages.length)[0];
}

function quote(text: string): string {
  const fence = "`".repeat(Math.max(3, ...(text.match(/`+/g) ?? []).map(({ length }) => length + 1)));
  return `${fence}text\n${text.replaceAll(folder, "")}\n${fence}`;
}

/** Quotes a text of several lines, because Markdown would join its lines. */
function inItem(text: string): string {
  return text.includes("\n") ? `\n\n${quote(text)}\n`.replaceAll(/\n(?=.)/g, "\n  ") : ` ${text}`;
}

function section(title: string, { system, messages, tools }: Request): string {
  const listed = tools.map(({ name, description }) => `- \`${name}\`:${inItem(description)}`);
  return [
    `## ${title}`,
    quote(system),
    "Its first message:",
    quote(messages[0]?.text ?? ""),
    ...(listed.length === 0 ? [] : [`Its tools:\n\n${listed.join("\n")}`]),
  ].join("\n\n");
}

const unified = runOf("unified");
const react = firstOf(runOf("react"), "editing");
const parts = Object.entries(titles).flatMap(([role, title]) => {
  const request = firstOf(unified, role);
  return request === undefined ? [] : section(title, request);
});
const head = `# Requests to models

\`npm run prompts\` writes this page from two recorded runs on a small repository; do not edit it by hand. The prompts of
other strategies are in the \`*.prompt.ts\` files of their folders. \`millwright show RUN\` names the requests of any run; its folder contains them in \`calls/\`.`;
/** The first request of a run, if the rules do not determine the kind. */
const kind = [
  "## Planning: the kind of a task, if the rules are unsure",
  quote(kindSystem(taskKindSchema.options)),
  "Its first message:",
  quote(kindQuestion("Add a way to close an account.", [])),
].join("\n\n");
const text = [
  head,
  kind,
  ...parts,
  ...(react === undefined ? [] : [section("`react`: a shell and an editor", react)]),
].join("\n\n");
writeFileSync(join(root, "docs/prompts.md"), `${text}\n`);
rmSync(folder, { recursive: true });

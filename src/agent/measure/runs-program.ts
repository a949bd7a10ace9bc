/**
 * Finds failing tests that run a program of the repository in a process of its own. Such a test calls no name of the
 * product, so its text does not show what it runs. Two runs show it: one with a stop in the product's code, and one with
 * a comment at the same places. Only the stop may change the failure: a test of other programs, or of the code's text,
 * does not count.
 */
import { formatTestKey, isFailing, isUnbuilt, type TestOutcome } from "../../domain/test-outcome.ts";
import { crashType } from "../../languages/report-lines.ts";
import { isOwnSource, languageOf } from "../../languages/source-files.ts";
import type { FileChange } from "../../workspace/contract.ts";
import type { ActionContext, RunContext } from "../action.ts";
import { withoutSurroundings } from "../state/statement-signature.ts";
import { runOn } from "./run-candidate.ts";

/** Maximum number of source files to change. */
const mostFiles = 1_000;

/** The ways in which tests start programs. Without one of them, no run is worth its time. */
const starts =
  /subprocess|popen|spawn|exec|\bCommand\b|cargo_bin|CARGO_BIN_EXE|\bsystem\b|ProcessBuilder|Open3|proc_open|pexpect|`[^`\n]+`/i;

/** Files of programs without a language in their names: `bin/tool`, `run.sh`. */
const script = /^(?:(?:[\w-]+\/)*(?:bin|exe|scripts?)\/)?[\w-]+(?:\.sh)?$/;

const interpreters: Readonly<Record<string, string>> = { node: "javascript", sh: "shell", bash: "shell" };

/** The language of a script, by its first line: `#!/usr/bin/env node`. Pure. */
export function interpreterOf(text: string): string {
  const name = /^#!.*?\b(python|node|ruby|php|lua|bash|sh)[\d.]*(?!\w)/.exec(text)?.[1] ?? "";
  return interpreters[name] ?? name;
}

/** Returns the ids of the tests of `failing` that run a program of the repository. `tree`: the base with the tests. */
export async function findRunning(
  context: RunContext & Pick<ActionContext, "regions">,
  tree: string,
  failing: readonly TestOutcome[],
): Promise<ReadonlySet<string>> {
  const { trees } = context.workspace;
  const files = new Set(failing.map(({ key }) => key.target));
  const texts = await Promise.all([...files].map((file) => trees.read(tree, file)));
  if (!texts.some((text) => starts.test(text?.toString("utf8") ?? ""))) return new Set();
  const isProduct = (path: string): boolean => isOwnSource(path) && !context.regions.isWhole(path);
  const isScript = (path: string): boolean => script.test(path) && !context.regions.isWhole(path);
  const paths = (await trees.list(tree)).map(({ path }) => path);
  const product = paths.filter((path) => isProduct(path) || isScript(path));
  const tests = failing.map(({ key }) => key);
  const run = async (what: keyof Insertion): Promise<ReadonlyMap<string, TestOutcome> | undefined> => {
    const changes: FileChange[] = [];
    for (const path of product) {
      const text = (await trees.read(tree, path))?.toString("utf8") ?? "";
      const content = withInsertion(languageOf(path)?.name ?? interpreterOf(text), text, what);
      if (content !== undefined) changes.push({ path, content });
    }
    if (changes.length === 0) return undefined;
    const ran = await runOn(context, await trees.write(tree, changes), { kind: "tests", tests });
    return new Map(ran.outcomes.map((outcome) => [formatTestKey(outcome.key), outcome]));
  };
  const stopped = product.length > mostFiles ? undefined : await run("stop");
  const changed = failing.filter((outcome) => isChanged(outcome, stopped, isProduct));
  const commented = changed.length === 0 ? undefined : await run("comment");
  return new Set(
    changed
      .map((outcome) => [formatTestKey(outcome.key), outcome] as const)
      .filter(([id, outcome]) => reasonOf(commented?.get(id)) === reasonOf(outcome))
      .map(([id]) => id),
  );
}

/** True if the stop changed the test's result, and the test itself still ran outside of the product's code. */
function isChanged(
  before: TestOutcome,
  stopped: ReadonlyMap<string, TestOutcome> | undefined,
  isProduct: (path: string) => boolean,
): boolean {
  const now = stopped?.get(formatTestKey(before.key));
  if (now?.status === "passed") return true;
  const { failure } = now ?? {};
  if (now === undefined || failure === undefined || now.status === "timed-out" || !isFailing(now.status))
    return false;
  const isApart =
    failure.frames.length > 0 &&
    !isUnbuilt(now) &&
    failure.type !== crashType &&
    !failure.frames.some(({ file }) => isProduct(file));
  return isApart && reasonOf(now) !== reasonOf(before);
}

function reasonOf(outcome: TestOutcome | undefined): string {
  const { type = "", message = "" } = outcome?.failure ?? {};
  return `${outcome?.status} ${type} ${withoutSurroundings(message)}`;
}

interface Insertion {
  /** Code that ends the program. */
  readonly stop: string;
  readonly comment: string;
}

/** Languages whose files run from their first line, except for a line that must be first. */
const atTop: Readonly<Record<string, Insertion & { readonly first: RegExp }>> = {
  python: { first: /^#!.*\n/, stop: "raise SystemExit(97)", comment: "# checked" },
  javascript: { first: /^#!.*\n/, stop: 'throw new Error("stopped");', comment: "// checked" },
  typescript: { first: /^#!.*\n/, stop: 'throw new Error("stopped");', comment: "// checked" },
  ruby: { first: /^#!.*\n/, stop: 'abort "stopped"', comment: "# checked" },
  php: { first: /^(?:#!.*\n)?<\?php\b/, stop: "exit(97);", comment: "// checked" },
  shell: { first: /^#!.*\n/, stop: "exit 97", comment: "# checked" },
  lua: { first: /^#!.*\n/, stop: "do os.exit(97) end", comment: "-- checked" },
};

/** Languages whose programs begin in a function. */
const inMain: Readonly<Record<string, Insertion & { readonly main: RegExp }>> = {
  go: { main: /^func main\(\) *\{/m, stop: 'panic("stopped")', comment: "// checked" },
  rust: { main: /\bfn main\(\)[^{;]*\{/, stop: 'panic!("stopped");', comment: "// checked" },
  cpp: { main: /\bint\s+main\s*\([^)]*\)\s*\{/, stop: "__builtin_trap();", comment: "// checked" },
  java: {
    main: /\bstatic\s+void\s+main\s*\([^)]*\)[^{;]*\{/,
    stop: 'if (true) throw new IllegalStateException("stopped");',
    comment: "// checked",
  },
};

/** Inserts a line where the program of a file begins. Undefined if no program begins there. Pure. */
export function withInsertion(language: string, text: string, what: keyof Insertion): string | undefined {
  const top = atTop[language];
  const main = inMain[language];
  const found = top === undefined ? main?.main.exec(text) : (top.first.exec(text) ?? { 0: "", index: 0 });
  const insertion = (top ?? main)?.[what];
  if (found === undefined || found === null || insertion === undefined) return undefined;
  const at = found.index + found[0].length;
  return `${text.slice(0, at)}${at === 0 || text[at - 1] === "\n" ? "" : "\n"}${insertion}\n${text.slice(at)}`;
}

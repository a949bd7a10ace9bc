/**
 * Finds the examples that a patch must fulfil: in the statement, in the target's documentation, and in changed files.
 */
import { callableKinds, type Definition } from "../../../domain/code-symbols.ts";
import type { Task } from "../../../domain/task.ts";
import { isCodeFile, isOwnSource } from "../../../languages/source-files.ts";
import type { ChangedFile } from "../../code/change.ts";
import { symbolsOf } from "../../code/symbols-of.ts";
import { type BaseFiles, mostSearched } from "../texts/base-files.ts";
import { isSameValue } from "../texts/literal-values.ts";
import { defines } from "./documented-results.ts";
import { readDocumented, readStated, type ShownExample } from "./shown-examples.ts";

export interface Example extends ShownExample {
  /** The file that defines the function. */
  readonly file: string;
  /** The example's source. `target`: the documentation of a function that has no body yet. */
  readonly from: "statement" | "target" | "documentation";
  /** True if the statement names the function. */
  readonly isNamed: boolean;
  /** True if the statement contains the same call. */
  readonly isMentioned: boolean;
  /** True if the patch keeps the example in the documentation. Always true for an example of the statement. */
  readonly isKept: boolean;
}

interface Asked {
  readonly task: Pick<Task, "kind" | "statement" | "target">;
  readonly files: readonly ChangedFile[];
  readonly base: BaseFiles;
}

/** Maximum number of examples to run. */
const mostExamples = 20;

export async function collectExamples({ task, files, base }: Asked): Promise<Example[]> {
  const changed = files.filter(
    ({ path, isTest, after }) => !isTest && after !== undefined && isCodeFile(path),
  );
  const isNew = task.kind === "feature" || task.kind === "code-generation";
  const stated = readStated(task.statement, isNew);
  const documented: Example[] = [];
  const defining = new Map<string, string>();
  for (const { path, before, after = "" } of changed) {
    const now = (await symbolsOf(path, after))?.definitions ?? [];
    const old = before === undefined ? [] : ((await symbolsOf(path, before))?.definitions ?? []);
    for (const { name } of now.filter(isCallable)) defining.set(name, defining.get(name) ?? path);
    documented.push(...listDocumented(task, path, old, now));
  }
  const ofStatement: Example[] = [];
  for (const shown of stated) {
    const file = defining.get(shown.call.name) ?? (await findDefining(shown.call.name, base));
    if (file !== undefined)
      ofStatement.push({ ...shown, file, from: "statement", isNamed: true, isMentioned: true, isKept: true });
  }
  const calls = new Set(ofStatement.map(({ call }) => spaceless(call.text)));
  const others = documented.filter(({ call }) => !calls.has(spaceless(call.text)));
  return [...ofStatement, ...others].slice(0, mostExamples);
}

function listDocumented(
  { kind, target = "", statement }: Asked["task"],
  path: string,
  old: readonly Definition[],
  now: readonly Definition[],
): Example[] {
  const kept = now.flatMap(({ documentation = "" }) => readDocumented(documentation));
  const callable = new Set(now.filter(isCallable).map(({ name }) => name));
  const symbol = kind === "code-generation" ? target.split(/[.:#]+/).at(-1) : undefined;
  return old.flatMap(({ name: owner, documentation = "" }) =>
    readDocumented(documentation)
      .filter(({ call }) => callable.has(call.name))
      .map((shown) => ({
        ...shown,
        file: path,
        from: owner === symbol && shown.call.name === symbol ? "target" : "documentation",
        isNamed: isNamedIn(statement, shown.call.name),
        isMentioned: spaceless(statement).includes(spaceless(shown.call.text)),
        isKept: kept.some(
          ({ call, wanted }) => call.text === shown.call.text && isSameValue(wanted, shown.wanted.value),
        ),
      })),
  );
}

const callables: ReadonlySet<string> = new Set(callableKinds);
const isCallable = ({ kind }: Definition): boolean => callables.has(kind);
const spaceless = (text: string): string => text.replaceAll(/\s+/g, "");

/** True if the statement contains the name as code: in backticks, or with a bracket. */
function isNamedIn(statement: string, name: string): boolean {
  const own = name.replaceAll("$", String.raw`\$`);
  return new RegExp(`\`[^\`\\n]*(?<![\\w$])${own}(?![\\w$])|(?<![\\w$])${own}\\(`).test(statement);
}

/** Returns the file that defines the name; undefined unless exactly one file does. */
async function findDefining(name: string, base: BaseFiles): Promise<string | undefined> {
  const found: string[] = [];
  for (const path of (await base.list()).filter(isOwnSource).slice(0, mostSearched))
    if (defines((await base.read(path)) ?? "", name)) found.push(path);
  const [only, ...more] = found;
  return more.length === 0 ? only : undefined;
}

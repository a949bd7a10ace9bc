/**
 * Finds functions that equal a changed function apart from `async` and `await`. The two are a pair for callers with and
 * without an event loop. A comparison of tokens alone does not find them.
 */
import { callableKinds, type Definition } from "../../../domain/code-symbols.ts";
import type { TestRegions } from "../../../judging/test-regions.ts";
import { type ChangedFile, linesOf } from "../../code/change.ts";
import { symbolsOf } from "../../code/symbols-of.ts";
import { leaveMachineLines } from "../texts/code-lines.ts";

export interface AsyncTwin {
  readonly path: string;
  /** The function's lines in the new text. */
  readonly startLine: number;
  readonly endLine: number;
  /** The changed function on the base, as `FILE:LINE`. */
  readonly of: string;
}

const callables: ReadonlySet<string> = new Set(callableKinds);
/** Minimum number of words. Shorter functions may be equal by chance. */
const leastWords = 8;

/** Finds unchanged functions that equal a changed function of the same file, apart from `async` and `await`. */
export async function findAsyncTwins(
  files: readonly ChangedFile[],
  regions: Pick<TestRegions, "isWhole">,
): Promise<AsyncTwin[]> {
  const found: AsyncTwin[] = [];
  for (const file of files) {
    const { path, before, after } = file;
    if (before === undefined || after === undefined || regions.isWhole(path)) continue;
    if (!/\basync\b/.test(before)) continue;
    const [old, now] = [await readFunctions(path, before), await readFunctions(path, after)];
    for (const own of old.filter((each) => isChanged(file, each))) {
      const twins = old.filter(
        (each) => each !== own && each.isAsync !== own.isAsync && each.form === own.form,
      );
      const left = twins.flatMap(({ form, isAsync }) =>
        now.filter((each) => each.form === form && each.isAsync === isAsync),
      );
      found.push(
        ...left.map(({ startLine, endLine }) => ({
          path,
          startLine,
          endLine,
          of: `${path}:${own.startLine}`,
        })),
      );
    }
  }
  return found;
}

interface FunctionText extends Pick<Definition, "startLine" | "endLine"> {
  readonly isAsync: boolean;
  /** The function's text without its name, `async`, `await` and indentation. */
  readonly form: string;
}

async function readFunctions(path: string, text: string): Promise<FunctionText[]> {
  const lines = linesOf(text);
  const definitions = (await symbolsOf(path, text))?.definitions ?? [];
  const written = leaveMachineLines(
    definitions.filter(({ kind }) => callables.has(kind)),
    (line) => lines[line - 1] ?? "",
  );
  return written.flatMap(({ name, startLine, endLine }) => {
    const own = lines.slice(startLine - 1, endLine).join("\n");
    const form = normalForm(own, name);
    if (form.split(" ").length < leastWords) return [];
    return [{ startLine, endLine, isAsync: /\basync\b/.test(own), form }];
  });
}

/**
 * Replaces the function's name, and removes `async`, `await` and the endings of names such as `get_async` and
 * `getAsync`.
 */
function normalForm(text: string, name: string): string {
  const own = name.replaceAll("$", String.raw`\$`);
  return text
    .replaceAll(new RegExp(`(?<![\\w$])${own}(?![\\w$])`, "g"), "NAME")
    .replaceAll(/\b(?:async|await)\s+|\.await\b|_?[Aa]sync(?=_|\b)/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function isChanged({ hunks }: ChangedFile, { startLine, endLine }: FunctionText): boolean {
  return hunks.some(
    ({ beforeStart, beforeEnd }) =>
      beforeStart <= endLine && Math.max(beforeEnd, beforeStart + 1) > startLine,
  );
}

/** Shows the functions that a patch no longer calls, because a reviewer must know their effects. */
import { everydayMembers } from "../../../graph/resolve/traits.ts";
import { walk } from "../../../syntax/node.ts";
import { callOf, roleOf, type Source } from "../../../syntax/reading.ts";
import type { ActionContext } from "../../action.ts";
import {
  addedLines,
  type Change,
  type ChangedFile,
  linesOf,
  readSource,
  removedLines,
} from "../../code/change.ts";
import { symbolsOf } from "../../code/symbols-of.ts";

const mostBodies = 2;
/** In lines. The reviewer can look up longer functions. */
const longestBody = 15;

interface Body {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

/**
 * Shows at most two functions that the change no longer calls, as they are on the base. Omits long functions and
 * ambiguous names.
 */
export async function showRemovedCalls(
  context: Pick<ActionContext, "view" | "workspace">,
  { files }: Change,
): Promise<string[]> {
  const shown: string[] = [];
  const { trees, base } = context.workspace;
  for (const file of files.filter(({ isTest, before }) => !isTest && before !== undefined)) {
    for (const name of await namesNoLongerCalled(file)) {
      const body = (await findHere(file, name)) ?? (await findElsewhere(context, name));
      const isShort = body !== undefined && body.endLine - body.startLine < longestBody;
      if (!isShort || shown.length >= mostBodies) continue;
      const { path, startLine, endLine } = body;
      const lines = linesOf((await trees.read(base, path))?.toString("utf8")).slice(startLine - 1, endLine);
      const text = [`${path}:${startLine}-${endLine}`, ...lines].join("\n");
      if (lines.some((line) => line.includes(name)) && !shown.includes(text)) shown.push(text);
    }
  }
  return shown;
}

async function namesNoLongerCalled(file: ChangedFile): Promise<string[]> {
  const [before, after] = [await readSource(file.path, file.before), await readSource(file.path, file.after)];
  if (before === undefined) return [];
  const still = new Set(after === undefined ? [] : namesCalled(after, addedLines(file)));
  return [...new Set(namesCalled(before, removedLines(file)))].filter((name) => !still.has(name));
}

function namesCalled(source: Source, lines: readonly number[]): string[] {
  const wanted = new Set(lines);
  return [...walk(source.tree.root)].flatMap((node) => {
    const call = wanted.has(node.startLine) ? callOf(source, node) : undefined;
    if (call === undefined || !/^\w+$/.test(call.name)) return [];
    const { name, receiver } = call;
    const isOwn = receiver === undefined || roleOf(source, receiver) === "self";
    // A name alone does not tell a method of the project from a method of the language's own types.
    return isOwn || !everydayMembers.has(name) ? [name] : [];
  });
}

/** Finds the function in the changed file. Omits a removed function, because the change already shows it. */
async function findHere(file: ChangedFile, name: string): Promise<Body | undefined> {
  const { path, before = "" } = file;
  const definitions = (await symbolsOf(path, before))?.definitions ?? [];
  const [only, ...more] = definitions.filter((each) => each.name === name && callable.test(each.kind));
  const isKnown = only !== undefined && more.length === 0 && !removedLines(file).includes(only.startLine);
  return isKnown ? { path, startLine: only.startLine, endLine: only.endLine } : undefined;
}

const callable = /^(?:function|method)$/;

/**
 * Finds the function in the repository, if only one has this name. The lines refer to the laid tree, so the caller
 * checks that the base's lines contain the name.
 */
async function findElsewhere({ view }: Pick<ActionContext, "view">, name: string): Promise<Body | undefined> {
  const graph = await view.context.graph();
  const [only, ...more] = graph.named(name, 3).filter(({ kind }) => callable.test(kind));
  return only === undefined || more.length > 0 ? undefined : only;
}

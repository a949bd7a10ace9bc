/**
 * Describes a task's target to an author: its source with its documentation, its callers, and the most similar function
 * nearby.
 */
import { countOf, nameFirst } from "../../base/count.ts";
import type { Definition } from "../../domain/code-symbols.ts";
import type { CodeGraph, Relation } from "../../graph/contract.ts";
import { splitWords } from "../../localize/terms.ts";
import type { ActionContext } from "../action.ts";
import { symbolsOf } from "../code/symbols-of.ts";
import { findTarget, type Target } from "../kinds/target.ts";
import type { Span } from "../measure/executable-lines.ts";

/** Limits: lines of the target and of a neighbour, and number of callers. Omits a longer neighbour. */
const most = { lines: 120, neighbour: 40, callers: 8 };

export interface TargetText {
  /** The target's section for a model; "" if the task has no target, or the tree does not contain it. */
  readonly text: string;
  readonly file: string;
  /** The lines of the target and of the neighbour. `text` cuts a long target. */
  readonly spans: readonly Span[];
}

/**
 * Describes the target in the working tree: its code and its callers. `withNeighbour`: for `code-generation`, adds the
 * most similar function nearby. Empty without a target.
 */
export async function describeTarget(
  { task, view, workspace }: Pick<ActionContext, "task" | "view" | "workspace">,
  withNeighbour = false,
): Promise<TargetText> {
  const none = { text: "", file: "", spans: [] };
  if (task.target === undefined) return none;
  const tree = view.tree();
  const read = async (path: string): Promise<string | undefined> =>
    (await workspace.trees.read(tree, path))?.toString("utf8");
  const found = await findTarget(task.target, read);
  if (!found.ok) return none;
  const target = found.value;
  const isWritten = task.kind === "code-generation" && withNeighbour;
  const neighbour = isWritten ? await neighbourOf(target) : undefined;
  const own = withComments(target);
  const text = [
    showLines(target, own),
    describeCallers(await view.context.graph(), target),
    ...(neighbour === undefined
      ? []
      : [`A similar function near the target:\n${showLines(target, [neighbour])}`]),
  ].join("\n\n");
  return { text, file: target.file, spans: [...own, ...(neighbour === undefined ? [] : [neighbour])] };
}

/** Returns the section of a model's first message that describes the target; empty without a target. */
export async function targetSection(context: Parameters<typeof describeTarget>[0]): Promise<string[]> {
  const { text } = await describeTarget(context);
  return text === "" ? [] : [`# The target's current text\n\n${text}`];
}

function withComments({ text, spans }: Target): Span[] {
  const lines = text.split("\n");
  return spans.map(({ startLine, endLine }) => ({ startLine: startOf(lines, startLine), endLine }));
}

/** Returns the line at which the definition begins, with the comment and the attributes directly above. */
function startOf(lines: readonly string[], startLine: number): number {
  let first = startLine;
  while (/^\s*(?:\/\/|\/\*|\*|#(?!include|define|end|if)|--|@)/.test(lines[first - 2] ?? "")) first -= 1;
  return first;
}

function showLines({ file, text }: Target, spans: readonly Span[]): string {
  const lines = text.split("\n");
  let left = most.lines;
  return spans
    .flatMap(({ startLine, endLine }) => {
      if (left <= 0) return [];
      const last = Math.min(endLine, startLine + left - 1);
      left -= last - startLine + 1;
      const numbered = lines.slice(startLine - 1, last).map((line, index) => `${startLine + index}\t${line}`);
      const rest = last < endLine ? [`(${countOf(endLine - last, "more line")})`] : [];
      return [`${file}:${startLine}-${last}`, ...numbered, ...rest];
    })
    .join("\n");
}

function describeCallers(graph: CodeGraph, { file, spans }: Target): string {
  const own = graph
    .outline(file)
    .filter(({ startLine, kind }) => kind !== "file" && spans.some((span) => span.startLine === startLine));
  const calls = own.flatMap(({ id }) => graph.incoming(id, ["calls"]));
  const isOwn = ({ from }: Relation): boolean => own.some(({ id }) => id === from.id);
  const others = calls.filter((call) => !isOwn(call));
  if (others.length === 0) return "No call of the target is known.";
  const tell = ({ from, edge }: Relation): string => `${from.path}:${edge.at.line} (${from.name})`;
  // Calls in code come first: they show the target's purpose.
  const places = [
    ...new Set(others.toSorted((a, b) => Number(a.from.inTests) - Number(b.from.inTests)).map(tell)),
  ];
  return `Called at: ${nameFirst(places, most.callers)}.`;
}

/**
 * Returns a function of the same scope with a body of several lines. Prefers the most similar name, then the nearest
 * place.
 */
async function neighbourOf({ file, text, spans }: Target): Promise<Span | undefined> {
  const definitions = (await symbolsOf(file, text))?.definitions ?? [];
  const isTarget = ({ startLine }: Definition): boolean => spans.some((span) => span.startLine === startLine);
  const target = definitions.find(isTarget);
  if (target === undefined) return undefined;
  const words = new Set(splitWords(target.name));
  const likeness = ({ name }: Definition): number => words.intersection(new Set(splitWords(name))).size;
  const gap = ({ startLine, endLine }: Definition): number =>
    Math.max(target.startLine - endLine, startLine - target.endLine);
  const near = definitions
    .filter((each) => each.container === target.container && each.owner === target.owner && !isTarget(each))
    .filter(({ kind }) => kind === "function" || kind === "method")
    .filter(({ startLine, endLine }) => endLine - startLine >= 2 && endLine - startLine < most.neighbour)
    .sort((a, b) => likeness(b) - likeness(a) || gap(a) - gap(b));
  return near[0];
}

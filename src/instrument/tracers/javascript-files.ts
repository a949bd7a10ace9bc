/** The files of a plan: their recorded functions, and their instrumented texts. */
import { extname } from "node:path";
import type { Language } from "../../languages/contract.ts";
import { parseSyntax } from "../../syntax/node.ts";
import { countSyntaxErrors } from "../../syntax/parser.ts";
import type { TracedFunction } from "../tracer.ts";
import { isOneScope } from "./javascript-bodies.ts";
import {
  type FoundFunction,
  findFunctions,
  type PlannedFunction,
  type ReadFile,
} from "./javascript-functions.ts";
import { leaveOut, recordingText } from "./javascript-texts.ts";

/**
 * Number of characters above which a file counts as generated. With longer lines on average than `longestLine`, it
 * counts as minified.
 */
const longestFile = 1_500_000;
const longestLine = 400;

export async function readFile(
  path: string,
  text: string,
  language: Language,
  isTest: boolean,
): Promise<ReadFile> {
  const grammar = language.grammar(extname(path));
  const tree = await parseSyntax(grammar, text);
  const reason = reasonAgainst(path, text);
  return {
    path,
    tree,
    grammar,
    typescript: language.name === "typescript",
    functions: findFunctions(tree, isTest),
    ...(reason === undefined ? {} : { reason }),
  };
}

function reasonAgainst(path: string, text: string): string | undefined {
  if (/\.d\.[cm]?ts$/.test(path)) return "declarations are not executed";
  const isLong =
    text.length > longestFile ||
    (text.length > 10_000 && text.length / text.split("\n").length > longestLine);
  return isLong ? "the file is generated or minified" : undefined;
}

/**
 * Plans the recording of a requested function: at the level `values`, or `none` if the tracer cannot record its file or
 * body. A compiler may still refuse the inserted text.
 */
export function planFunction(file: ReadFile, found: FoundFunction, id: number): PlannedFunction {
  const reason = file.reason ?? found.reason ?? scopeReason(file, found);
  const traced: TracedFunction = {
    id,
    path: file.path,
    line: found.line,
    endLine: found.endLine,
    name: found.name,
    level: reason === undefined ? "values" : "none",
    group: reason === undefined || found.group !== "function" ? found.group : "left-out",
    ...(reason === undefined ? {} : { reason }),
  };
  return { found, traced };
}

function scopeReason({ tree }: ReadFile, { body }: FoundFunction): string | undefined {
  return isOneScope(tree, body) ? undefined : "its body declares a name more than once";
}

/** Returns the functions, with level `none` and a reason for those whose inserted text does not parse. */
export async function keepParsing(
  file: ReadFile,
  functions: readonly PlannedFunction[],
): Promise<PlannedFunction[]> {
  const broken = await countSyntaxErrors(file.grammar, file.tree.text);
  if (await parsesLike(file, functions, broken)) return [...functions];
  const kept: PlannedFunction[] = [];
  for (const one of functions) {
    const fits = one.traced.level === "none" || (await parsesLike(file, [one], broken));
    kept.push(fits ? one : leaveOut(one, "it does not parse with the inserted text"));
  }
  return kept;
}

async function parsesLike(
  file: ReadFile,
  functions: readonly PlannedFunction[],
  broken: number,
): Promise<boolean> {
  const text = recordingText(file, functions);
  return text === undefined || (await countSyntaxErrors(file.grammar, text)) <= broken;
}

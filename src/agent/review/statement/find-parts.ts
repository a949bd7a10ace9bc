/** Finds the stated cases whose words occur in none of the deciding tests. Runs on a thread. */
import { literally } from "../../../base/literal-pattern.ts";
import type { TestKey } from "../../../domain/test-outcome.ts";
import { isOwnSource } from "../../../languages/source-files.ts";
import { type SyntaxNode, walk } from "../../../syntax/node.ts";
import { roleOf } from "../../../syntax/reading.ts";
import { addedLines, compareTexts, linesOf, readSource } from "../../code/change.ts";
import { readCode } from "../../state/assertion-text.ts";
import type { TextContext } from "../contract.ts";
import { baseFiles } from "../texts/base-files.ts";
import { type OwnTest, readOwnTests } from "../texts/own-tests.ts";
import { findUnshownAbsences } from "./stated-absences.ts";
import { findUnshownInputs } from "./stated-inputs.ts";
import { findUnshownLiterals, type ShownCode } from "./stated-literals.ts";
import { listLeftOut } from "./stated-pairs.ts";
import { findUnshownParts, type StatedPart } from "./stated-parts.ts";

export interface PartsInput {
  readonly statement: string;
  /** The candidate's tree, and the trees with written tests. */
  readonly within: readonly string[];
  readonly tests: readonly TestKey[];
}

export async function findParts(
  { workspace, regions }: Pick<TextContext, "workspace" | "regions">,
  { statement, within, tests }: PartsInput,
): Promise<StatedPart[]> {
  const own = await readOwnTests(workspace.trees, workspace.base, within, tests);
  const left = await listLeftOut(statement, own, baseFiles(workspace));
  const counted = findUnshownParts(statement, own);
  const found = [...left, ...counted];
  if (own.length === 0) return found;
  const { called, ...shown } = await readShown({ workspace, regions }, within, own);
  const literals = findUnshownLiterals(statement, shown);
  const findIn = (tests: string): StatedPart[] => [
    ...findUnshownInputs(statement, tests),
    ...findUnshownAbsences(statement, tests),
  ];
  const unshown = [...literals, ...findIn(shown.tests)];
  if (!unshown.some(({ isCertain }) => isCertain)) return [...found, ...unshown];
  // Another test of the same functions has such an input, but may ask for something else.
  const others = await readOthers({ workspace, regions }, called);
  const openIn = others.map((each) => {
    const left = [
      ...findUnshownLiterals(statement, { ...shown, tests: `${shown.tests}\n${each}` }),
      ...findIn(each),
    ];
    return new Set(left.map(({ text }) => text));
  });
  const isElsewhere = ({ text }: StatedPart): boolean => openIn.some((open) => !open.has(text));
  return [...found, ...unshown.map((part) => ({ ...part, isCertain: part.isCertain && !isElsewhere(part) }))];
}

interface Shown extends ShownCode {
  /** The names that the deciding tests call, and that the changed code contains. */
  readonly called: readonly string[];
}

/** Reads the patch's added lines, the deciding tests' files, and the tests of the files that a tree changes. */
async function readShown(
  { workspace: { trees, base }, regions }: Pick<TextContext, "workspace" | "regions">,
  within: readonly string[],
  own: readonly OwnTest[],
): Promise<Shown> {
  const known = new Map((await trees.list(base)).map(({ path, blob }) => [path, blob]));
  const files = new Set(own.map(({ file }) => file));
  const tests = new Set(own.map(({ around, body }) => `${around}\n${body}`));
  const added: string[] = [];
  const changed: string[] = [];
  for (const tree of new Set(within))
    for (const { path, mode, blob } of await trees.list(tree)) {
      const isChanged = known.get(path) !== blob;
      if (mode === "120000" || (!isChanged && !files.has(path))) continue;
      const text = (await trees.read(tree, path))?.toString("utf8") ?? "";
      // A written test that only mentions a case in a comment does not show it.
      const code = isChanged ? await withoutComments(path, text) : text;
      for (const { start, end } of await regions.spansIn(path, text)) tests.add(code.slice(start, end));
      if (!isChanged || regions.isWhole(path)) continue;
      const before = (await trees.read(base, path))?.toString("utf8");
      const lines = linesOf(text);
      changed.push(text);
      added.push(...addedLines(compareTexts(path, before, text)).map((line) => lines[line - 1] ?? ""));
    }
  const words = new Set(changed.join("\n").match(/[\p{L}_$][\p{L}\p{N}_$]*/gu));
  const { called } = readCode(own.map(({ body, around }) => `${around}\n${body}`).join("\n"));
  return {
    tests: [...tests].join("\n"),
    added: added.join("\n"),
    called: called.filter((name) => name.length >= shortestName && words.has(name)),
  };
}
const shortestName = 3;

/** Blanks comments and strings that are statements of their own, such as docstrings. Offsets stay. */
async function withoutComments(path: string, text: string): Promise<string> {
  const source = await readSource(path, text);
  if (source === undefined) return text;
  let code = "";
  let at = 0;
  const isBlank = (node: SyntaxNode): boolean =>
    !/@testWith|>>>|\bOutput:/.test(text.slice(node.start, node.end)) &&
    (roleOf(source, node) === "comment" ||
      (roleOf(source, node) === "string" && node.parent?.kind === "expression_statement"));
  for (const node of walk(source.tree.root, (each) => !isBlank(each))) {
    if (!isBlank(node) || node.start < at) continue;
    code += text.slice(at, node.start) + text.slice(node.start, node.end).replaceAll(/[^\n]/g, " ");
    at = node.end;
  }
  return code + text.slice(at);
}

/** Maximum number of the base's test files to read. */
const mostRead = 1_000;
/** Characters of other tests to read: more would take the verdict's time. */
const mostCharacters = 1_000_000;

/** Reads the base's test files that contain one of the names. */
async function readOthers(
  { workspace: { trees, base }, regions }: Pick<TextContext, "workspace" | "regions">,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const any = new RegExp(`(?<![\\w$])(?:${names.map(literally).join("|")})(?![\\w$])`);
  const files = (await trees.list(base)).filter(
    ({ path, mode }) => mode !== "120000" && isOwnSource(path) && regions.isWhole(path),
  );
  const found: string[] = [];
  let characters = 0;
  for (const { path } of files.slice(0, mostRead)) {
    if (characters > mostCharacters) break;
    const text = (await trees.read(base, path))?.toString("utf8") ?? "";
    if (!any.test(text)) continue;
    found.push(text);
    characters += text.length;
  }
  return found;
}

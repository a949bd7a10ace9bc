/** Lists the literals of a deciding test, with other values for each, in the trees without and with a patch. */
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import { linesOfSpans } from "../../judging/test-regions.ts";
import { type LiteralEdit, listLiterals, type WrittenLiteral } from "../../judging/vary-tests.ts";
import type { ActionContext } from "../action.ts";
import {
  type FileOfTest,
  findFilesByTest,
  isInLines,
  type TestBody,
  textOfLines,
} from "../code/test-bodies.ts";
import type { NewValues } from "../review/special-cases/new-values.ts";
import { isOnlyExample } from "../review/statement/example-values.ts";
import { isNamed } from "../review/statement/named-values.ts";
import type { ValueKey } from "../review/texts/value-keys.ts";
import type { StrategyContext } from "../strategy.ts";
import { type ClassKind, listClassVariations } from "./class-variations.ts";
import { type Added, listOthers } from "./other-values.ts";

export type SidesContext = Pick<StrategyContext, "workspace"> & Pick<ActionContext, "regions">;

/** A test's file in a tree. */
export interface Side {
  readonly tree: string;
  readonly path: string;
  readonly text: string;
  readonly body: TestBody;
  /** The literals of the test, and those outside all tests: tables, constants, helpers. */
  readonly literals: readonly WrittenLiteral[];
}

export interface Sides {
  readonly without: Side;
  readonly patched: Side;
}

/** One other value of a literal, in the test's file of each tree. */
export interface Edits {
  /** The whole literal's new text, without quotes. */
  readonly value: string;
  readonly without: LiteralEdit;
  readonly patched: LiteralEdit;
}

export interface LiteralToVary {
  /** The literal as written, or a part of it. */
  readonly text: string;
  /** The place of the literal in the base's file. */
  readonly start: number;
  /** True if the patch adds this value. */
  readonly isAdded: boolean;
  /** True if the test's name contains the value, as in a table-driven test. */
  readonly isInName: boolean;
  readonly kind: "value" | ClassKind;
  readonly edits: readonly Edits[];
}

interface Trees {
  readonly without: string;
  readonly patched: string;
}

/**
 * Reads the tests' files of both trees, each once. The returned function gives a test's side of each tree. This
 * function returns undefined unless both trees contain the same test with the same literals in the same file.
 */
export async function readSides(
  context: SidesContext,
  { without, patched }: Trees,
  tests: readonly TestKey[],
): Promise<(test: TestKey) => Promise<Sides | undefined>> {
  const [base, other] = [await sidesOf(context, without, tests), await sidesOf(context, patched, tests)];
  return async (test) => {
    const [one, two] = [await base(test), await other(test)];
    if (one === undefined || two === undefined || one.path !== two.path) return undefined;
    const isSame = textOf(one) === textOf(two) && writtenIn(one) === writtenIn(two);
    return isSame ? { without: one, patched: two } : undefined;
  };
}

async function sidesOf(
  { workspace: { trees }, regions }: SidesContext,
  tree: string,
  tests: readonly TestKey[],
): Promise<(test: TestKey) => Promise<Side | undefined>> {
  const files = await findFilesByTest(trees, tree, tests);
  const known = new Map<string, ReturnType<typeof readLiterals>>();
  return async (test) => {
    const [file, otherFile] = files.get(formatTestKey(test)) ?? [];
    const body = closestBody(file?.bodies ?? [], test);
    if (file === undefined || otherFile !== undefined || body === undefined) return undefined;
    const { path, text, all } = file;
    const read = known.get(path) ?? readLiterals(regions, file);
    known.set(path, read);
    const { literals, testLines } = await read;
    const others = all.filter(
      ({ startLine, endLine }) => startLine !== body.startLine || endLine !== body.endLine,
    );
    const isRead = (line: number): boolean =>
      isInLines(body, line) || (testLines.has(line) && !others.some((each) => isInLines(each, line)));
    return { tree, path, text, body, literals: literals.filter(({ line }) => isRead(line)) };
  };
}

/** The only body, or the one with the longest name at the end of the test's name: `a first` also ends with `first`. */
function closestBody(bodies: readonly TestBody[], { name }: TestKey): TestBody | undefined {
  const [only, ...others] = bodies;
  if (others.length === 0) return only;
  const [first, second] = bodies
    .filter((body) => name.endsWith(body.name))
    .toSorted((one, other) => other.name.length - one.name.length);
  return first !== undefined && first.name.length > (second?.name.length ?? 0) ? first : undefined;
}

async function readLiterals(regions: SidesContext["regions"], { path, text }: FileOfTest) {
  const testLines = linesOfSpans(text, await regions.spansIn(path, text));
  return { literals: await listLiterals(path, text), testLines };
}

function textOf({ text, body }: Side): string {
  return textOfLines(text.split("\n"), body);
}

function writtenIn({ literals }: Side): string {
  return literals.map(({ written }) => written).join("\n");
}

/**
 * Orders the literals: other members of a class, parts in the patch, whole literals in the patch, literals in test
 * names, others. Outside the test, only lines with a literal of the first four groups count. Omits literals that the
 * prose names, unless they are only examples of a rule.
 */
export function listVaried(
  { without, patched }: Sides,
  { name }: Pick<TestKey, "name">,
  values: NewValues & { readonly statement: string },
): LiteralToVary[] {
  const { keys, prose, statement } = values;
  const isExcused = (key: ValueKey): boolean => isNamed(key, prose) && !isOnlyExample(key, prose, statement);
  const added: Added = new Set(keys.filter((key) => !isExcused(key)));
  const names = new Set([...added].flatMap((key) => /^[nt]:(.*)$/s.exec(key)?.[1] ?? []));
  const inName = new Set(name.match(/\d+(?:\.\d+)?|[\p{L}_]+/gu) ?? []);
  const classes = { values, test: writtenIn(without) };
  const ranked = without.literals.flatMap((literal, at) => {
    const shift = (patched.literals[at]?.start ?? 0) - literal.start;
    const ofClass = listClassVariations(literal, classes).map((others): Ranked => {
      const varied = varyPart(literal, others, shift);
      return { ...varied, kind: others.kind, isAdded: true, isInName: false, line: literal.line, order: -1 };
    });
    const others = listOthers(literal, names, added).flatMap((part): Ranked[] => {
      const varied = varyPart(literal, part, shift);
      if (isExcused(keyOf(varied.text))) return [];
      const plain = unquote(varied.text);
      const isPart = varied.text !== literal.written;
      const isOwn = { isAdded: isPart || names.has(plain), isInName: inName.has(plain) };
      const order = isPart ? 0 : isOwn.isAdded ? 1 : isOwn.isInName ? 2 : 3;
      return [{ ...varied, ...isOwn, kind: "value", line: literal.line, order }];
    });
    return [...ofClass, ...others];
  });
  const near = new Set(ranked.filter(({ order }) => order < 3).map(({ line }) => line));
  return ranked
    .filter(({ line }) => near.has(line) || isInLines(without.body, line))
    .toSorted((one, other) => one.order - other.order || rankOf(one) - rankOf(other));

  function rankOf({ line }: Ranked): number {
    return near.has(line) ? 0 : 1;
  }
}

/** Chooses the first literals to run. Limits the fractions among them, because each whole number has some. */
export function chooseLiterals(
  varied: readonly LiteralToVary[],
  { literals, types }: { readonly literals: number; readonly types: number },
): readonly LiteralToVary[] {
  const fractions = new Set(varied.filter(({ kind }) => kind === "type").slice(0, types));
  const others = varied.filter(({ kind }) => kind !== "type").slice(0, literals - fractions.size);
  return varied.filter((each) => fractions.has(each) || others.includes(each));
}

interface Ranked extends LiteralToVary {
  readonly line: number;
  readonly order: number;
}

function varyPart(
  { written, start, line }: WrittenLiteral,
  { from, to, replacements }: ReturnType<typeof listOthers>[number],
  shift: number,
): Pick<LiteralToVary, "text" | "start" | "edits"> {
  const edits = replacements.map((replacement): Edits => {
    const without = { line, start: start + from, end: start + to, replacement };
    const patched = { ...without, start: without.start + shift, end: without.end + shift };
    return { value: unquote(written.slice(0, from) + replacement + written.slice(to)), without, patched };
  });
  return { text: written.slice(from, to), start, edits };
}

/** The key of a literal as written: `"abc"` is `t:abc`. */
function keyOf(written: string): ValueKey {
  return /^\d[\d._]*$/.test(written) ? `n:${Number(written.replaceAll("_", ""))}` : `t:${unquote(written)}`;
}

function unquote(written: string): string {
  return written.replace(/^\w{0,2}(["'`])(.*)\1$/s, "$2");
}

/** Lists the literals of a deciding test, with other values for each, in the trees without and with a patch. */
import type { TestKey } from "../../domain/test-outcome.ts";
import { linesOfSpans } from "../../judging/test-regions.ts";
import { type LiteralEdit, listLiterals, type WrittenLiteral } from "../../judging/vary-tests.ts";
import type { ActionContext } from "../action.ts";
import { findTestFiles, listTestBodies, type TestBody } from "../code/test-bodies.ts";
import type { NewValues } from "../review/special-cases/new-values.ts";
import { isOnlyExample } from "../review/statement/example-values.ts";
import { isNamed } from "../review/statement/named-values.ts";
import type { ValueKey } from "../review/texts/value-keys.ts";
import type { StrategyContext } from "../strategy.ts";
import { type Added, listOthers } from "./other-values.ts";

export type SidesContext = Pick<StrategyContext, "workspace"> & Pick<ActionContext, "regions">;

/** A test's file in a tree. */
export interface Side {
  readonly tree: string;
  readonly path: string;
  readonly text: string;
  readonly body: TestBody;
  /** Those of the test, and those outside of all tests: tables, constants, helpers. */
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
  /** As written, or a part of it. */
  readonly text: string;
  /** The place of the literal in the base's file. */
  readonly start: number;
  /** The patch adds this value. */
  readonly isAdded: boolean;
  /** A test of a table may have the value in its name. */
  readonly isInName: boolean;
  readonly edits: readonly Edits[];
}

interface Trees {
  readonly without: string;
  readonly patched: string;
}

/** Undefined if the test is not known in both trees, with the same literals. */
export async function readSides(
  context: SidesContext,
  { without, patched }: Trees,
  test: TestKey,
): Promise<Sides | undefined> {
  const [base, other] = [await readSide(context, without, test), await readSide(context, patched, test)];
  if (base === undefined || other === undefined || base.path !== other.path) return undefined;
  const isSame = textOf(base) === textOf(other) && writtenIn(base) === writtenIn(other);
  return isSame ? { without: base, patched: other } : undefined;
}

async function readSide(
  { workspace: { trees }, regions }: SidesContext,
  tree: string,
  test: TestKey,
): Promise<Side | undefined> {
  const files = [...(await findTestFiles(trees, tree, [test]))];
  const [only] = files;
  const [body, more] = only?.[1].bodies ?? [];
  if (only === undefined || files.length > 1 || body === undefined || more !== undefined) return undefined;
  const [path, { text }] = only;
  const spans = linesOfSpans(text, await regions.spansIn(path, text));
  const others = (await listTestBodies(path, text)).filter(
    ({ startLine, endLine }) => startLine !== body.startLine || endLine !== body.endLine,
  );
  const isRead = (line: number): boolean =>
    isIn(body, line) || (spans.has(line) && !others.some((each) => isIn(each, line)));
  const literals = (await listLiterals(path, text)).filter(({ line }) => isRead(line));
  return { tree, path, text, body, literals };
}

function isIn({ startLine, endLine }: TestBody, line: number): boolean {
  return startLine <= line && line <= endLine;
}

function textOf({ text, body: { startLine, endLine } }: Side): string {
  return text
    .split("\n")
    .slice(startLine - 1, endLine)
    .join("\n");
}

function writtenIn({ literals }: Side): string {
  return literals.map(({ written }) => written).join("\n");
}

/**
 * Orders the literals: parts that the patch names, whole literals that it names, those in the test's name, and the
 * others. Outside of the test, only lines with one of the former count. Leaves out what the prose names, unless it is only an example
 * of a rule.
 */
export function listVaried(
  { without, patched }: Sides,
  { name }: Pick<TestKey, "name">,
  { keys, prose, statement }: NewValues & { readonly statement: string },
): LiteralToVary[] {
  const isExcused = (key: ValueKey): boolean => isNamed(key, prose) && !isOnlyExample(key, prose, statement);
  const added: Added = new Set(keys.filter((key) => !isExcused(key)));
  const names = new Set([...added].flatMap((key) => /^[nt]:(.*)$/s.exec(key)?.[1] ?? []));
  const inName = new Set(name.match(/\d+(?:\.\d+)?|[\p{L}_]+/gu) ?? []);
  const ranked = without.literals.flatMap((literal, at) => {
    const shift = (patched.literals[at]?.start ?? 0) - literal.start;
    return listOthers(literal, names, added).flatMap((others): Ranked[] => {
      const varied = varyPart(literal, others, shift);
      if (isExcused(keyOf(varied.text))) return [];
      const plain = unquote(varied.text);
      const isPart = varied.text !== literal.written;
      const own = { ...varied, isAdded: isPart || names.has(plain), isInName: inName.has(plain) };
      const order = isPart ? 0 : own.isAdded ? 1 : own.isInName ? 2 : 3;
      return [{ ...own, line: literal.line, order }];
    });
  });
  const near = new Set(ranked.filter(({ order }) => order < 3).map(({ line }) => line));
  return ranked
    .filter(({ line }) => near.has(line) || isIn(without.body, line))
    .toSorted((one, other) => one.order - other.order || rankOf(one) - rankOf(other));

  function rankOf({ line }: Ranked): number {
    return near.has(line) ? 0 : 1;
  }
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

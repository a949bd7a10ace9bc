/**
 * Mutant schemata (Untch, Offutt, Harrold: Mutation analysis using mutant schemata, ISSTA 1993): one program that
 * contains many candidates. The environment selects one at run time. For each candidate, duplicates the smallest whole
 * block around the change. Names, types, jumps and values of blocks then keep their meaning.
 */
import { extname } from "node:path";
import { hashText } from "../base/hash.ts";
import type { Language } from "../languages/contract.ts";
import { parseSyntax, type SyntaxTree } from "../syntax/node.ts";
import type { CandidateSelector, SelectorSpan } from "./candidate-selector.ts";
import { selectors } from "./selectors/index.generated.ts";
import type { Insertion } from "./text-insertions.ts";

/** A candidate's change of the file: `replacement` replaces the text from `start` to `end`. */
export interface Variant {
  /** The variant's number, from 1. A program chooses the variant by this number. */
  readonly id: number;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

export interface Schema {
  /** The program with all placed variants; the original text if there is none. */
  readonly text: string;
  /**
   * For each variant, the lines that no other variant has, from 1, inclusive. A compiler's error on these lines belongs
   * to the variant.
   */
  readonly places: ReadonlyMap<number, { readonly startLine: number; readonly endLine: number }>;
  /** Variants that the program does not contain; each needs a separate start. `composeSchema` names the reasons. */
  readonly left: readonly number[];
}

/** True for a language whose programs can contain many candidates. */
export function hasSelector(language: Pick<Language, "name">): boolean {
  return findSelector(language) !== undefined;
}

function findSelector(language: Pick<Language, "name">): CandidateSelector | undefined {
  return selectors.find((each: CandidateSelector) => each.language === language.name);
}

/**
 * Composes the file's program with the variants, in the given order. `left` lists the variants that it leaves out:
 * those in no span that can be duplicated, and those with which the program would exceed `largest` characters. For a
 * language without a selector, `left` lists all variants.
 */
export async function composeSchema(
  file: { readonly path: string; readonly text: string },
  language: Pick<Language, "name" | "grammar">,
  variants: readonly Variant[],
  largest = 2_000_000,
): Promise<Schema> {
  const { path, text } = file;
  const candidateSelector = findSelector(language);
  if (candidateSelector === undefined)
    return { text, places: new Map(), left: variants.map((each) => each.id) };
  const tree = await parseSyntax(language.grammar(extname(path)), text);
  const groups = new Map<SelectorSpan, Variant[]>();
  const left: number[] = [];
  const spans = [...candidateSelector.spans(tree)].sort((a, b) => a.start - b.start || b.end - a.end);
  let length = text.length;
  for (const variant of variants) {
    const span = spans.findLast((each) => each.start <= variant.start && variant.end <= each.end);
    const added = span === undefined ? 0 : span.end - span.start + variant.replacement.length;
    if (span === undefined || length + added > largest) left.push(variant.id);
    else {
      length += added;
      groups.set(span, [...(groups.get(span) ?? []), variant]);
    }
  }
  const name = `mw_${hashText(path).slice(0, 8)}`;
  return { ...render({ tree, candidateSelector, name, spans, groups, inserted: [] }), left };
}

interface Composition {
  readonly tree: SyntaxTree;
  readonly candidateSelector: CandidateSelector;
  readonly name: string;
  readonly spans: readonly SelectorSpan[];
  readonly groups: ReadonlyMap<SelectorSpan, readonly Variant[]>;
  /** Further insertions that the program needs, in the order of the text. */
  readonly inserted: readonly Pick<Insertion, "at" | "text">[];
}

function render(composition: Composition): Pick<Schema, "text" | "places"> {
  const { tree, candidateSelector, name, groups } = composition;
  const parts: Part[] = [];
  const prelude = groups.size === 0 ? undefined : candidateSelector.prelude?.(tree, name);
  const used = composition.spans.filter((span) => groups.has(span));
  const tails = groups.size === 0 ? [] : (candidateSelector.tails?.(tree) ?? []);
  const inserted = [...(prelude === undefined ? [] : [prelude]), ...tails].sort((a, b) => a.at - b.at);
  renderRange({ ...composition, inserted }, { start: 0, end: tree.text.length }, used, parts);
  let line = 1;
  const places = new Map<number, { startLine: number; endLine: number }>();
  for (const { text, id } of parts) {
    const breaks = text.split("\n").length - 1;
    if (id !== undefined) places.set(id, { startLine: line, endLine: line + breaks });
    line += breaks;
  }
  return { text: parts.map((part) => part.text).join(""), places };
}

interface Part {
  readonly text: string;
  /** The variant to which the text belongs. */
  readonly id?: number;
}

/** The range's text with the selectors of its spans; `inside` is sorted, outer before inner. */
function renderRange(
  composition: Composition,
  range: { readonly start: number; readonly end: number },
  inside: readonly SelectorSpan[],
  parts: Part[],
): void {
  let done = range.start;
  let rest = inside;
  const copy = (end: number): void => {
    const { text } = composition.tree;
    const isLast = end === text.length;
    for (const { at, text: inserted } of composition.inserted) {
      if (at < done || (at >= end && !(isLast && at === end))) continue;
      parts.push({ text: text.slice(done, at) }, { text: inserted });
      done = at;
    }
    parts.push({ text: text.slice(done, end) });
    done = end;
  };
  for (let span = rest[0]; span !== undefined; span = rest[0]) {
    const current = span;
    const inner = rest.filter(
      (each) => each !== current && each.start >= current.start && each.end <= current.end,
    );
    rest = rest.slice(1 + inner.length);
    copy(span.start);
    renderSpan(composition, span, inner, parts);
    done = span.end;
  }
  copy(range.end);
}

function renderSpan(
  composition: Composition,
  span: SelectorSpan,
  inner: readonly SelectorSpan[],
  parts: Part[],
): void {
  const { candidateSelector, name, groups } = composition;
  const variants = groups.get(span) ?? [];
  const conditionOf = (variant: Variant): string => candidateSelector.isChosen(variant.id, name);
  if (span.form === "expression") {
    const [before, between, after] = splitEither(candidateSelector);
    for (const variant of variants) {
      parts.push({ text: `${before(conditionOf(variant))}\n` });
      parts.push(
        { text: changed(composition.tree.text, span, variant), id: variant.id },
        { text: `\n${between}` },
      );
    }
    renderRange(composition, span, inner, parts);
    parts.push({ text: variants.map(() => after).join("") });
    return;
  }
  const { leaving } = candidateSelector;
  for (const [index, variant] of variants.entries()) {
    const head = candidateSelector.ifHead(conditionOf(variant));
    const closed = leaving !== undefined && span.leaves === true;
    parts.push({ text: `${index === 0 ? "" : "\n} else "}${head}\n${closed ? `${head}\n` : ""}` });
    parts.push({ text: changed(composition.tree.text, span, variant), id: variant.id });
    if (closed) parts.push({ text: `\n} ${leaving}` });
  }
  parts.push({ text: "\n} else {\n" });
  renderRange(composition, span, inner, parts);
  parts.push({ text: "\n}" });
}

const mark = "\u0000";

/** The texts of `either` before the first expression, between the two, and after the second. */
function splitEither({ either }: CandidateSelector): [(condition: string) => string, string, string] {
  if (either === undefined) throw new Error("Expression spans need a language with `either`.");
  const [, between = "", after = ""] = either("", mark, mark).split(mark);
  return [(condition) => either(condition, mark, mark).split(mark)[0] ?? "", between, after];
}

function changed(text: string, span: SelectorSpan, { start, end, replacement }: Variant): string {
  return text.slice(span.start, start) + replacement + text.slice(end, span.end);
}

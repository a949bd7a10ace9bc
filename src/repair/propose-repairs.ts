/** Turns suspicious statements into proposals: each is a small change of one file that parses. */
import type { Language } from "../languages/contract.ts";
import { dialectOf } from "../syntax/dialects/index.ts";
import { parseSyntax } from "../syntax/node.ts";
import { codeOf } from "../syntax/reading.ts";
import { enclosingFunction, type Statement } from "../syntax/statements.ts";
import { isIllTyped } from "./declared-types.ts";
import { createDuplicateFilter } from "./duplicates.ts";
import { atEqualPlaces } from "./equal-places.ts";
import { type FileContext, readFileContext } from "./file-context.ts";
import { identifiersIn, likenessOf } from "./likeness.ts";
import type { Proposal } from "./proposal.ts";
import { sitesOf } from "./sites.ts";
import { openSyntaxCheck, type TextChange } from "./syntax-check.ts";
import type { Edit, Site, Template } from "./template.ts";
import { templates as allTemplates } from "./templates/index.generated.ts";
import type { TestWords } from "./test-words.ts";

/** A suspicious statement, from the fault localisation. */
export interface Suspect {
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The statement's suspiciousness, from 0 to 1. */
  readonly score: number;
}

export interface ProposeInput {
  readonly file: string;
  readonly text: string;
  readonly language: Pick<Language, "name" | "grammar">;
  /** The suspects in this file. */
  readonly statements: readonly Suspect[];
  /** Words of the failing tests. */
  readonly words?: TestWords;
  /** True: each edit is also proposed at all places of the file with the same code. Default: false. */
  readonly atEqualPlaces?: boolean;
  /** The templates to apply; default: all of Millwright's. */
  readonly templates?: readonly Template[];
}

/**
 * Maximum number of edits of one template at one place. The next constant limits the edits at one statement, because a
 * table of data has a thousand places.
 */
const editsPerSite = 24;
const editsPerStatement = 40;
const sitesPerTemplate = 120;

/** A file's proposals, made statement by statement. */
export interface FileProposals {
  /**
   * The suspect's proposals that were not returned before. Each changes the file, and no two have the same result. They
   * may have syntax errors.
   */
  propose(suspect: Suspect): Proposal[];
  /**
   * False for a proposal with a new syntax error. Also false if its normal form equals that of the file or of an
   * earlier proposal.
   */
  accepts(proposal: Proposal): boolean;
  free(): void;
}

/** Opens a file for proposals. Undefined for a language without a dialect. */
export async function openProposals(
  input: Omit<ProposeInput, "statements">,
): Promise<FileProposals | undefined> {
  const { file, text, language, words, templates = allTemplates } = input;
  const dialect = dialectOf(language.name);
  if (dialect === undefined) return undefined;
  const grammar = language.grammar(file.slice(file.lastIndexOf(".")));
  const tree = await parseSyntax(grammar, text);
  const context = readFileContext({ file, tree, dialect }, words);
  const check = await openSyntaxCheck(grammar, { path: file, text });
  const isNew = createDuplicateFilter(text);
  // Higher priors first: of two with the same text, the one with the better reason stays.
  const ordered = [...templates].sort((a, b) => b.prior - a.prior);
  const done = new Set<Statement>();
  const forms = new Set<string>();
  const widenedTexts = new Set<string>();
  return {
    propose(suspect) {
      const statements = findStatements(context, suspect).filter((statement) => !done.has(statement));
      for (const statement of statements) done.add(statement);
      const found = statements.flatMap((statement) =>
        proposeForStatement(context, statement, ordered, isNew),
      );
      if (input.atEqualPlaces !== true) return found.map(({ proposal }) => proposal);
      return found.flatMap(({ proposal, site }) => {
        const all = atEqualPlaces(site, proposal);
        const key = all && `${all.start} ${all.replacement}`;
        if (all === undefined || key === undefined || widenedTexts.has(key)) return [proposal];
        widenedTexts.add(key);
        return [proposal, widened(proposal, all, text)];
      });
    },
    accepts(proposal) {
      const form = check.formOf(proposal);
      if (form === undefined || forms.has(form)) return false;
      forms.add(form);
      return true;
    },
    free: () => check.free(),
  };
}

/** Lists all accepted proposals (`FileProposals.accepts`), statement by statement, in the given order. */
export async function proposeRepairs({ statements, ...input }: ProposeInput): Promise<Proposal[]> {
  const proposals = await openProposals(input);
  if (proposals === undefined) return [];
  try {
    return statements.flatMap((suspect) => proposals.propose(suspect).filter(proposals.accepts));
  } finally {
    proposals.free();
  }
}

/** The statements with the suspect's lines; else those on its first line. */
function findStatements(context: FileContext, suspect: Suspect): Statement[] {
  const exact = context.statements.filter(
    (statement) => statement.startLine === suspect.startLine && statement.endLine === suspect.endLine,
  );
  if (exact.length > 0) return exact;
  return context.statements.filter((statement) => statement.ownLines.includes(suspect.startLine));
}

function proposeForStatement(
  context: FileContext,
  statement: Statement,
  templates: readonly Template[],
  isNew: (edit: Edit) => boolean,
): { site: Site; proposal: Proposal }[] {
  const around = enclosingFunction(context.source, statement.node)?.node ?? statement.node;
  const home = new Set(identifiersIn(codeOf(context.source, around)));
  const sites = sitesOf(context, statement);
  return templates.flatMap((template) => {
    const offered = sites
      .filter((site) => looksAt(template, site))
      .slice(0, sitesPerTemplate)
      .flatMap((site) => [...take(editsOf(template, site), editsPerSite)].map((edit) => ({ site, edit })))
      .sort((a, b) => (b.edit.weight ?? 1) - (a.edit.weight ?? 1));
    const isGood = ({ site, edit }: { site: Site; edit: Edit }): boolean =>
      !changesAssertion(context.source.tree.text, site.statement.node, edit) &&
      !isIllTyped(site, edit) &&
      isNew(edit);
    const found = [...take(offered.values().filter(isGood), editsPerStatement)];
    const share = shareOf(found.map(({ edit }) => edit.weight ?? 1));
    return found.map(({ site, edit }) => ({
      site,
      proposal: toProposal(site, edit, { template, share, home }),
    }));
  });
}

const assertion = /\b(?:debug_)?assert\w*|\binvariant\b/gi;
const isAssertion = /^(?:[\w.:]+(?:\.|::))?(?:(?:debug_)?assert\w*|invariant)\b/i;

/** An assertion written as a condition: `if got != wanted: raise AssertionError(…)`. */
const isWrittenOut = /^(?:if\b[^\n{]*[:{]\s*)?(?:raise|throw)\s+(?:new\s+)?[\w.]*Assert\w*/;

const leaves = /\b(?:return|continue|break|raise|throw)\b/;
const leavesFirst = /\b(?:return|continue|break)\b[\s\S]*?\b(?:debug_)?assert/i;

/**
 * True for an edit that removes or changes an assertion, or exits before it. A failing assertion is not the fault
 * itself.
 */
function changesAssertion(
  text: string,
  statement: { readonly start: number; readonly end: number },
  { start, end, replacement }: Edit,
): boolean {
  const count = (part: string): number => part.match(assertion)?.length ?? 0;
  const before = text.slice(start, end);
  if (count(before) > count(replacement)) return true;
  if (leavesFirst.test(replacement) && !leavesFirst.test(before)) return true;
  const own = text.slice(statement.start, statement.end);
  const asserts = isAssertion.test(own) || isWrittenOut.test(own);
  // Something may be inserted next to it, but nothing that leaves before it.
  if (asserts && end <= statement.start && leaves.test(replacement)) return true;
  const isBeside = start === end && (start === statement.start || end === statement.end);
  const isInside = statement.start <= start && end <= statement.end && !isBeside;
  return isInside && asserts;
}

/**
 * The weight of each edit of a template with many edits at one statement. Such a template is right as often as one with
 * few, so each edit is less likely. Uses the square root, because a template with more edits also fits better.
 */
function shareOf(weights: readonly number[]): number {
  const most = Math.max(0, ...weights);
  return most === 0 ? 1 : 1 / Math.sqrt(weights.reduce((sum, weight) => sum + weight, 0) / most);
}

function* editsOf(template: Template, site: Site): Generator<Edit> {
  for (const edit of template.apply(site)) if (edit !== undefined) yield edit;
}

function looksAt(template: Template, site: Site): boolean {
  const isStatement = site.node === site.statement.node;
  if (isStatement && (template.at.includes("any-statement") || template.at.includes(site.statement.role))) {
    return true;
  }
  return template.at.includes(site.role);
}

function* take<T>(items: Iterable<T>, limit: number): Generator<T> {
  let count = 0;
  for (const item of items) {
    if (count++ >= limit) return;
    yield item;
  }
}

interface Origin {
  readonly template: Template;
  readonly share: number;
  /** Identifiers of the enclosing function. */
  readonly home: ReadonlySet<string>;
}

function toProposal(site: Site, edit: Edit, { template, share, home }: Origin): Proposal {
  const { text } = site.source.tree;
  const before = text.slice(edit.start, edit.end);
  const statementStart = site.statement.node.start;
  const between = text.slice(Math.min(statementStart, edit.start), Math.max(statementStart, edit.start));
  const lineBreaks = (between.split("\n").length - 1) * (edit.start < statementStart ? -1 : 1);
  return {
    file: site.source.file,
    start: edit.start,
    end: edit.end,
    replacement: edit.replacement,
    line: site.statement.startLine + lineBreaks,
    statementLine: site.statement.startLine,
    template: template.name,
    description: edit.description ?? describeEdit(before, edit.replacement),
    prior: template.prior * (edit.weight ?? 1) * share,
    likeness: likenessOf(site.context, home, before, edit.replacement),
  };
}

/** The prior of equal changes at several places, relative to one of them. */
const widenedFactor = 0.5;

function widened(one: Proposal, all: TextChange, text: string): Proposal {
  return {
    ...one,
    ...all,
    line: text.slice(0, all.start).split("\n").length,
    description: `${one.description}, at every place with the same code`,
    prior: one.prior * widenedFactor,
    one: { start: one.start, end: one.end, replacement: one.replacement },
  };
}

function describeEdit(before: string, after: string): string {
  const short = (code: string): string => {
    const line = code.trim().replace(/\s+/g, " ");
    return line.length > 60 ? `${line.slice(0, 57)}…` : line;
  };
  if (before.trim() === "") return `\`${short(after)}\` is inserted`;
  if (after.trim() === "") return `\`${short(before)}\` is removed`;
  return `\`${short(before)}\` becomes \`${short(after)}\``;
}

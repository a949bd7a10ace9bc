/**
 * Encodes the facts extracted from a file, with each string once and references as numbers. Millwright decodes them to
 * resolve the file's references. So it can resolve them again after a change elsewhere, without parsing the file.
 */
import type {
  Definition,
  DefinitionKind,
  FileSymbols,
  Import,
  Reference,
  ReferenceKind,
} from "../../domain/code-symbols.ts";
import { hashMentions } from "./mentions.ts";

/**
 * The facts of one file from which Millwright writes its rows. They exclude the uses, which Millwright reads only to
 * resolve references.
 */
export interface Facts extends Omit<FileSymbols, "references"> {
  /** References in the heads of types, which name supertypes. */
  readonly heads: readonly Reference[];
  /** `nameHash` of each name that the file mentions. */
  readonly mentions: readonly number[];
}

/** The facts as two texts, because Millwright reads them at different times. */
export interface EncodedFacts {
  readonly head: string;
  /** The references that `head` does not contain. */
  readonly uses: string;
}

const referenceKinds: readonly ReferenceKind[] = ["call", "inherits", "implements", "type", "name"];
export const numbersPerReference = 10;

/**
 * References as numbers. `r` has ten numbers per reference: kind, name, receiver, arity, line, column, within, owner,
 * receiverType, headType. A text is represented by its index in `s`. -1 stands for an absent value.
 */
export interface EncodedReferences {
  readonly s: readonly string[];
  readonly r: readonly number[];
}

interface EncodedHead {
  readonly l: string;
  readonly m?: string | undefined;
  readonly e: number;
  readonly k?: string | undefined;
  readonly d: readonly EncodedDefinition[];
  readonly i: readonly Import[];
  readonly h: readonly number[];
  readonly t: EncodedReferences;
}

/**
 * kind, name, container, owner, startLine, endLine, line, column, signature, documentation, arity, parameters, type,
 * flags.
 */
type EncodedDefinition = readonly [
  DefinitionKind,
  string,
  number,
  string | 0,
  number,
  number,
  number,
  number,
  string,
  string | 0,
  number,
  string | 0,
  string | 0,
  number,
];

export function encodeFacts(facts: FileSymbols): EncodedFacts {
  const heads: Reference[] = [];
  const uses: Reference[] = [];
  for (const reference of facts.references) (isHead(reference) ? heads : uses).push(reference);
  const head: EncodedHead = {
    l: facts.language,
    m: facts.module,
    e: facts.syntaxErrors,
    k: facts.skipped,
    d: facts.definitions.map(encodeDefinition),
    i: facts.imports,
    h: hashMentions(facts),
    t: encodeReferences(heads),
  };
  return { head: JSON.stringify(head), uses: JSON.stringify(encodeReferences(uses)) };
}

function isHead({ kind }: Reference): boolean {
  return kind === "inherits" || kind === "implements";
}

function encodeReferences(references: readonly Reference[]): EncodedReferences {
  const strings = new Map<string, number>();
  const intern = (text: string | undefined): number => {
    if (text === undefined) return -1;
    const known = strings.get(text);
    if (known !== undefined) return known;
    strings.set(text, strings.size);
    return strings.size - 1;
  };
  const r: number[] = [];
  for (const { kind, name, receiver, receiverType, headType, arity, at, within, owner } of references) {
    r.push(referenceKinds.indexOf(kind), intern(name), intern(receiver), arity ?? -1);
    r.push(at.line, at.column, within, intern(owner), intern(receiverType), intern(headType));
  }
  return { s: [...strings.keys()], r };
}

function encodeDefinition(d: Definition): EncodedDefinition {
  const flags = (d.isTest === true ? 1 : 0) + (d.isPublic ? 2 : 0);
  return [
    d.kind,
    d.name,
    d.container,
    d.owner ?? 0,
    d.startLine,
    d.endLine,
    d.at.line,
    d.at.column,
    d.signature,
    d.documentation ?? 0,
    d.arity ?? -1,
    d.parameters ?? 0,
    d.type ?? 0,
    flags,
  ];
}

/** Decodes `EncodedFacts.head` to facts. */
export function decodeFacts(text: string): Facts {
  const { l, m, e, d, i, k, h, t } = JSON.parse(text) as EncodedHead;
  return {
    language: l,
    ...(m === undefined ? {} : { module: m }),
    syntaxErrors: e,
    definitions: d.map(decodeDefinition),
    imports: i,
    mentions: h,
    heads: decodeReferences(t),
    ...(k === undefined ? {} : { skipped: k }),
  };
}

/** Parses the JSON of the imports in a file's row. */
export function parseImports(text: string): readonly Import[] {
  return JSON.parse(text) as readonly Import[];
}

/** Parses `EncodedFacts.uses`, and leaves the references as numbers. */
export function parseUses(text: string): EncodedReferences {
  return JSON.parse(text) as EncodedReferences;
}

/** Decodes `EncodedFacts.uses` to references. */
export function decodeUses(text: string): Reference[] {
  return decodeReferences(parseUses(text));
}

function decodeReferences({ r, s }: EncodedReferences): Reference[] {
  const references: Reference[] = [];
  for (let at = 0; at < r.length; at += numbersPerReference) references.push(decodeReference({ r, s }, at));
  return references;
}

/** Decodes the reference whose numbers begin at index `at` of `r`. */
export function decodeReference({ r, s }: EncodedReferences, at: number): Reference {
  const number = (offset: number): number => r[at + offset] ?? -1;
  const receiver = s[number(2)];
  const owner = s[number(7)];
  const receiverType = s[number(8)];
  const headType = s[number(9)];
  return {
    kind: referenceKinds[number(0)] ?? "name",
    name: s[number(1)] ?? "",
    ...(receiver === undefined ? {} : { receiver }),
    ...(receiverType === undefined ? {} : { receiverType }),
    ...(headType === undefined ? {} : { headType }),
    ...(number(3) < 0 ? {} : { arity: number(3) }),
    at: { line: number(4), column: number(5) },
    within: number(6),
    ...(owner === undefined ? {} : { owner }),
  };
}

function decodeDefinition(e: EncodedDefinition): Definition {
  return {
    kind: e[0],
    name: e[1],
    container: e[2],
    ...(e[3] === 0 ? {} : { owner: e[3] }),
    startLine: e[4],
    endLine: e[5],
    at: { line: e[6], column: e[7] },
    signature: e[8],
    ...(e[9] === 0 ? {} : { documentation: e[9] }),
    ...(e[10] < 0 ? {} : { arity: e[10] }),
    ...(e[11] === 0 ? {} : { parameters: e[11] }),
    ...(e[12] === 0 ? {} : { type: e[12] }),
    ...((e[13] & 1) === 0 ? {} : { isTest: true }),
    isPublic: (e[13] & 2) !== 0,
  };
}

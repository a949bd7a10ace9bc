/**
 * The questions about a position. For each question: the protocol's request, whether a server supports it, and the
 * conversion of its answer to our types.
 */
import {
  CallHierarchyIncomingCallsRequest,
  type CallHierarchyItem,
  CallHierarchyOutgoingCallsRequest,
  CallHierarchyPrepareRequest,
  DefinitionRequest,
  DocumentSymbolRequest,
  HoverRequest,
  type ProtocolRequestType,
  type Range,
  ReferencesRequest,
  RenameRequest,
  type ServerCapabilities,
  type TextDocumentPositionParams,
  TypeHierarchyPrepareRequest,
  TypeHierarchySubtypesRequest,
  TypeHierarchySupertypesRequest,
} from "vscode-languageserver-protocol/node";
import { type Result, succeed } from "../base/result.ts";
import type {
  CodeCall,
  CodeFileEdit,
  CodeLocation,
  CodeRange,
  CodeSymbol,
} from "../domain/code-intelligence.ts";
import { fileEditsOf, hierarchySymbol, hoverText, locationsOf, symbolsOf } from "./answers.ts";
import type { RequestOptions } from "./connection.ts";
import { type LspFailureKind, lspFailure } from "./failures.ts";
import { pathOf, toRange } from "./file-places.ts";
import type { ServerSession } from "./server-session.ts";

export interface Asking {
  readonly root: string;
  readonly session: ServerSession;
  readonly options: RequestOptions;
  readonly at: TextDocumentPositionParams;
}

export interface Question<T> {
  readonly capability: keyof ServerCapabilities;
  readonly method: string;
  /** The answer's subject, for people. */
  readonly what: string;
  /**
   * Asks the server. Undefined if the server has no answer for this position. Millwright then tries the next position.
   */
  ask(asking: Asking): Promise<Result<T | undefined, LspFailureKind>>;
}

function orNothing<T extends { readonly length: number }>(value: T): T | undefined {
  return value.length === 0 ? undefined : value;
}

async function convert<P, R, PR, E, RO, T>(
  { session, options }: Asking,
  type: ProtocolRequestType<P, R, PR, E, RO>,
  parameters: P,
  read: (answer: R) => T,
): Promise<Result<T, LspFailureKind>> {
  const answer = await session.connection.request(type, parameters, options);
  if (!answer.ok) return answer;
  try {
    return succeed(read(answer.value));
  } catch (error) {
    const { name } = session.server.record;
    return lspFailure("refused", `${name} answered in a form that violates the protocol: ${String(error)}`);
  }
}

export const definition: Question<readonly CodeLocation[]> = {
  capability: "definitionProvider",
  method: "textDocument/definition",
  what: "definitions",
  ask: (asking) =>
    convert(asking, DefinitionRequest.type, asking.at, (found) => orNothing(locationsOf(asking.root, found))),
};

/**
 * The question for references. Removes the definition from the answer itself, because servers interpret
 * `includeDeclaration: false` differently.
 */
export const references: Question<readonly CodeLocation[]> = {
  capability: "referencesProvider",
  method: "textDocument/references",
  what: "references",
  async ask(asking) {
    const all = await convert(
      asking,
      ReferencesRequest.type,
      { ...asking.at, context: { includeDeclaration: true } },
      (found) => locationsOf(asking.root, found),
    );
    if (!all.ok) return all;
    if (all.value.length === 0) return succeed(undefined);
    const places = new Set(await definedAt(asking));
    return succeed(all.value.filter((location) => !places.has(startOf(location))));
  },
};

/**
 * Finds the definitions. Adds the position itself if it is a definition, because a server may then return the
 * declaration or other implementations instead.
 */
async function definedAt(asking: Asking): Promise<string[]> {
  const defined = await definition.ask(asking);
  const found = defined.ok ? (defined.value ?? []) : [];
  const { textDocument, position } = asking.at;
  const symbols = await convert(asking, DocumentSymbolRequest.type, { textDocument }, (answer) =>
    symbolsOf(asking.root, textDocument.uri, answer),
  );
  const isHere = ({ at, children = [] }: CodeSymbol): boolean =>
    (at.line === position.line + 1 && at.column === position.character) || children.some(isHere);
  const here = {
    ...pathOf(asking.root, textDocument.uri),
    range: toRange({ start: position, end: position }),
  };
  return [...found, ...(symbols.ok && symbols.value.some(isHere) ? [here] : [])].map(startOf);
}

function startOf({ path, range }: CodeLocation): string {
  return `${path}:${range.start.line}:${range.start.column}`;
}

export const hover: Question<string> = {
  capability: "hoverProvider",
  method: "textDocument/hover",
  what: "documentation",
  ask: (asking) => convert(asking, HoverRequest.type, asking.at, (found) => orNothing(hoverText(found))),
};

export const callers: Question<readonly CodeCall[]> = {
  capability: "callHierarchyProvider",
  method: "textDocument/prepareCallHierarchy",
  what: "callers",
  ask: (asking) =>
    askAboutCalls(asking, (item) =>
      convert(asking, CallHierarchyIncomingCallsRequest.type, { item }, (calls) =>
        (calls ?? []).map(({ from, fromRanges }) => ({
          symbol: hierarchySymbol(asking.root, from),
          places: rangesOf(fromRanges),
        })),
      ),
    ),
};

export const callees: Question<readonly CodeCall[]> = {
  capability: "callHierarchyProvider",
  method: "textDocument/prepareCallHierarchy",
  what: "callees",
  ask: (asking) =>
    askAboutCalls(asking, (item) =>
      convert(asking, CallHierarchyOutgoingCallsRequest.type, { item }, (calls) =>
        (calls ?? []).map(({ to, fromRanges }) => ({
          symbol: hierarchySymbol(asking.root, to),
          places: rangesOf(fromRanges),
        })),
      ),
    ),
};

/** Converts ranges. Removes repetitions, because some servers return a place twice. */
function rangesOf(ranges: readonly Range[]): CodeRange[] {
  return [...new Map(ranges.map((range) => [JSON.stringify(range.start), toRange(range)])).values()];
}

async function askAboutCalls(
  asking: Asking,
  ask: (item: CallHierarchyItem) => Promise<Result<readonly CodeCall[], LspFailureKind>>,
): Promise<Result<readonly CodeCall[] | undefined, LspFailureKind>> {
  const items = await convert(asking, CallHierarchyPrepareRequest.type, asking.at, (found) => found ?? []);
  if (!items.ok) return items;
  if (items.value.length === 0) return succeed(undefined);
  const calls: CodeCall[] = [];
  for (const item of items.value) {
    const some = await ask(item);
    if (!some.ok) return some;
    calls.push(...some.value);
  }
  return succeed(calls);
}

export interface TypeFamily {
  readonly supertypes: readonly CodeSymbol[];
  readonly subtypes: readonly CodeSymbol[];
}

export const types: Question<TypeFamily> = {
  capability: "typeHierarchyProvider",
  method: "textDocument/prepareTypeHierarchy",
  what: "super- and subtypes",
  async ask(asking) {
    const items = await convert(asking, TypeHierarchyPrepareRequest.type, asking.at, (found) => found ?? []);
    if (!items.ok) return items;
    if (items.value.length === 0) return succeed(undefined);
    const family: { supertypes: CodeSymbol[]; subtypes: CodeSymbol[] } = { supertypes: [], subtypes: [] };
    for (const item of items.value) {
      const read = (found: Parameters<typeof hierarchySymbol>[1][] | null): CodeSymbol[] =>
        (found ?? []).map((type) => hierarchySymbol(asking.root, type));
      const above = await convert(asking, TypeHierarchySupertypesRequest.type, { item }, read);
      if (!above.ok) return above;
      const below = await convert(asking, TypeHierarchySubtypesRequest.type, { item }, read);
      if (!below.ok) return below;
      family.supertypes.push(...above.value);
      family.subtypes.push(...below.value);
    }
    return succeed(family);
  },
};

export function rename(newName: string): Question<readonly CodeFileEdit[]> {
  return {
    capability: "renameProvider",
    method: "textDocument/rename",
    what: "renames",
    async ask(asking) {
      const answer = await convert(asking, RenameRequest.type, { ...asking.at, newName }, (edit) =>
        fileEditsOf(asking.root, edit),
      );
      if (!answer.ok) return answer;
      const edits = answer.value;
      // For a name in a comment, some servers return an empty edit.
      return edits.ok ? succeed(orNothing(edits.value)) : edits;
    },
  };
}

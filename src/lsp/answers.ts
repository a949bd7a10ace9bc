/** Converts answers in the language server protocol to our types. */
import {
  type CallHierarchyItem,
  type Diagnostic,
  type DocumentSymbol,
  type Hover,
  type Location,
  type LocationLink,
  type MarkedString,
  type MarkupContent,
  type SymbolInformation,
  SymbolKind,
  type TypeHierarchyItem,
  type WorkspaceEdit,
  type WorkspaceSymbol,
} from "vscode-languageserver-protocol/node";
import { type Result, succeed } from "../base/result.ts";
import type { CodeDiagnostic, CodeFileEdit, CodeLocation, CodeSymbol } from "../domain/code-intelligence.ts";
import { type LspFailureKind, lspFailure } from "./failures.ts";
import { pathOf, toRange } from "./file-places.ts";

const kindNames = new Map<number, string>(
  Object.entries(SymbolKind)
    .filter((entry): entry is [string, SymbolKind] => typeof entry[1] === "number")
    .map(([name, value]) => [value, name.toLowerCase()]),
);

export function locationsOf(
  root: string,
  answer: Location | readonly Location[] | readonly LocationLink[] | null,
): CodeLocation[] {
  const list: readonly (Location | LocationLink)[] = answer === null ? [] : [answer].flat();
  const found = list.map((item) => {
    const [uri, range] =
      "targetUri" in item ? [item.targetUri, item.targetSelectionRange] : [item.uri, item.range];
    return { ...pathOf(root, uri), range: toRange(range) };
  });
  const keys = new Set<string>();
  return found.filter((location) => {
    const key = JSON.stringify(location);
    return !keys.has(key) && keys.add(key);
  });
}

export function hoverText(hover: Hover | null): string {
  const text = (content: MarkedString | MarkupContent): string =>
    typeof content === "string" ? content : content.value;
  if (hover === null) return "";
  const { contents } = hover;
  return (Array.isArray(contents) ? contents.map(text).join("\n\n") : text(contents)).trim();
}

export function symbolsOf(
  root: string,
  uri: string,
  answer: readonly (DocumentSymbol | SymbolInformation | WorkspaceSymbol)[] | null,
): CodeSymbol[] {
  return (answer ?? []).map((item) => {
    if ("location" in item) return flatSymbol(root, item);
    const { name, detail, children } = item;
    return {
      name,
      kind: kindNames.get(item.kind) ?? "symbol",
      location: { ...pathOf(root, uri), range: toRange(item.range) },
      at: toRange(item.selectionRange).start,
      ...(detail ? { detail } : {}),
      ...(children?.length ? { children: symbolsOf(root, uri, children) } : {}),
    };
  });
}

function flatSymbol(root: string, item: SymbolInformation | WorkspaceSymbol): CodeSymbol {
  const { name, kind, containerName, location } = item;
  // A server may omit the range until it is asked again.
  const start = { line: 0, character: 0 };
  const range = toRange("range" in location ? location.range : { start, end: start });
  return {
    name,
    kind: kindNames.get(kind) ?? "symbol",
    location: { ...pathOf(root, location.uri), range },
    at: range.start,
    ...(containerName ? { detail: containerName } : {}),
  };
}

export function hierarchySymbol(root: string, item: CallHierarchyItem | TypeHierarchyItem): CodeSymbol {
  return {
    name: item.name,
    kind: kindNames.get(item.kind) ?? "symbol",
    location: { ...pathOf(root, item.uri), range: toRange(item.range) },
    at: toRange(item.selectionRange).start,
    ...(item.detail ? { detail: item.detail } : {}),
  };
}

const severities = { 1: "error", 2: "warning", 3: "information", 4: "hint" } as const;

export function diagnosticOf(path: string, item: Diagnostic): CodeDiagnostic {
  const { code, source, severity, message, range } = item;
  return {
    path,
    severity: severities[severity ?? 1],
    message: typeof message === "string" ? message : message.value,
    ...(code === undefined ? {} : { code: String(code) }),
    ...(source === undefined ? {} : { source }),
    range: toRange(range),
  };
}

/**
 * Returns the edits of a rename, by file. Refuses a rename that also moves files, changes files outside the repository,
 * or contains a snippet.
 */
export function fileEditsOf(
  root: string,
  answer: WorkspaceEdit | null,
): Result<readonly CodeFileEdit[], LspFailureKind> {
  const changes = Object.entries(answer?.changes ?? {}).map(([uri, edits]) => ({ uri, edits }));
  for (const change of answer?.documentChanges ?? []) {
    if (!("textDocument" in change))
      return lspFailure("refused", `The server also wants to ${change.kind} a file.`);
    const edits = change.edits.flatMap((edit) => ("newText" in edit ? [edit] : []));
    if (edits.length < change.edits.length)
      return lspFailure("refused", "The server's edit is a snippet, which is not supported.");
    changes.push({ uri: change.textDocument.uri, edits });
  }
  const files: CodeFileEdit[] = [];
  for (const { uri, edits } of changes) {
    const { path, outside } = pathOf(root, uri);
    if (outside)
      return lspFailure("refused", `The edit would change ${path}, which is outside the repository.`);
    const own = edits.map(({ range, newText }) => ({ range: toRange(range), text: newText }));
    own.sort(
      (a, b) => a.range.start.line - b.range.start.line || a.range.start.column - b.range.start.column,
    );
    if (own.length > 0) files.push({ path, edits: own });
  }
  return succeed(files);
}

/**
 * Reads edits that are JSON: one record, a list of records, or one record per line. Accepts the field names of common
 * tools.
 */
import { parseJson } from "../base/parse-json.ts";
import type { Edit } from "./contract.ts";

type Json = Readonly<Record<string, unknown>>;

const names = {
  path: ["path", "file", "file_path", "filePath", "filename", "file_name", "target_file"],
  original: ["old", "old_str", "old_string", "oldString", "oldText", "original", "search", "find"],
  replacement: ["new", "new_str", "new_string", "newString", "newText", "replacement", "replace", "updated"],
  text: ["text", "file_text", "content", "contents", "code", "insert_text", "new_str"],
  to: ["to", "new_path", "newPath", "rename_to", "destination"],
  name: ["function", "symbol", "method", "name"],
  line: ["insert_line", "line"],
} as const;

/** Reads edits from a text that is JSON or contains it; undefined if the text has another form. */
export function readRecords(text: string): Edit[] | undefined {
  for (const candidate of candidatesOf(text)) {
    const values = parseAll(candidate);
    const edits = values?.flatMap(flatten).map(readRecord);
    if (edits !== undefined && edits.length > 0 && edits.every((edit) => edit !== undefined)) return edits;
  }
  return undefined;
}

function candidatesOf(text: string): string[] {
  const fenced = [...text.matchAll(/^\s*(?:`{3,}|~{3,})\w*\n(.*?)^\s*(?:`{3,}|~{3,})\s*$/gms)].map(
    (m) => m[1] ?? "",
  );
  return [text, fenced.join("\n"), ...fenced].filter((candidate) => /^\s*[[{]/.test(candidate));
}

function parseAll(text: string): unknown[] | undefined {
  const whole = parseJson(text);
  if (whole !== undefined) return [whole];
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const values = lines.map(parseJson);
  return values.every((value) => value !== undefined) ? values : undefined;
}

function flatten(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(flatten);
  if (!isRecord(value)) return [value];
  const { edits, ...shared } = value;
  if (!Array.isArray(edits)) return [value];
  return edits.map((edit: unknown) => (isRecord(edit) ? { ...shared, ...edit } : edit));
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readRecord(value: unknown): Edit | undefined {
  if (!isRecord(value)) return undefined;
  const read = (field: keyof typeof names): unknown => fieldOf(value, names[field]);
  const path = read("path");
  if (path !== undefined && typeof path !== "string") return undefined;
  const [original, replacement, text, to, name] = (
    ["original", "replacement", "text", "to", "name"] as const
  ).map((field) => {
    const given = read(field);
    return typeof given === "string" ? given : undefined;
  });
  if (original !== undefined && original !== "" && replacement !== undefined) {
    const everywhere = value["replace_all"] === true || value["replaceAll"] === true;
    return {
      kind: "replace",
      path,
      original,
      replacement,
      inline: true,
      ...(everywhere ? { everywhere } : {}),
    };
  }
  if (name !== undefined && text !== undefined) return { kind: "function", path, name, text };
  const line = read("line");
  if (typeof line === "number" && Number.isInteger(line) && text !== undefined)
    return { kind: "insert", path, line, text };
  if (path === undefined) return undefined;
  if (to !== undefined) return { kind: "rename", path, to };
  if (value["delete"] === true || value["command"] === "delete") return { kind: "delete", path };
  if (original === "" && replacement !== undefined) return { kind: "create", path, text: replacement };
  if (text !== undefined) return { kind: "create", path, text, overwrite: value["overwrite"] === true };
  return undefined;
}

function fieldOf(record: Json, keys: readonly string[]): unknown {
  const key = keys.find((candidate) => record[candidate] !== undefined && record[candidate] !== null);
  return key === undefined ? undefined : record[key];
}

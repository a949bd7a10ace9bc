/**
 * Lists the data rows that a change adds: `"7": 15` in JSON or YAML, `7 = 15`, `7,15`. Works line by line, because
 * Millwright has no grammars for such files. Pure.
 */
import { addedLines, type ChangedFile, linesOf } from "../../code/change.ts";
import { spelledKeys, type ValueKey } from "../texts/value-keys.ts";

export interface TableRow {
  readonly line: number;
  readonly key: ValueKey;
  readonly value: ValueKey;
  readonly text: string;
}

const tables = /\.(?:json5?|ya?ml|toml|ini|cfg|properties|csv|tsv|txt|dat)$/i;
const row =
  /("(?:\\.|[^"\\])*"|'[^']*'|-?[\w.]+)\s*(?::|=>?|,|;|\t|\|)\s*("(?:\\.|[^"\\])*"|'[^']*'|-?[\w.]+)(?=\s*(?:[,;}\])]|$))/g;

export function isTable(path: string): boolean {
  return tables.test(path);
}

export function listTableRows(file: ChangedFile): TableRow[] {
  const { path, after, isTest } = file;
  if (isTest || after === undefined || !isTable(path)) return [];
  const lines = linesOf(after);
  return addedLines(file).flatMap((line) =>
    [...(lines[line - 1] ?? "").matchAll(row)].map(([text, key = "", value = ""]) => ({
      line,
      key: read(key),
      value: read(value),
      text: text.slice(0, 60),
    })),
  );
}

function read(word: string): ValueKey {
  const plain = word.replace(/^(["'])(.*)\1$/, "$2");
  return spelledKeys(`t:${plain}`).find((key) => key.startsWith("n:")) ?? `t:${plain}`;
}

import { FormatError } from "./errors.js";

/**
 * Splits comma-separated text into rows of cells. Cells may be quoted; in a
 * quoted cell a doubled quote stands for one, and line breaks are kept.
 *
 * @param {string} text
 * @returns {{line: number, cells: string[]}[]} rows that are not blank, each
 *   with the line it starts on, counted from 1
 */
export function parseRows(text) {
  const rows = [];
  let cells = [];
  let cell = "";
  let quoted = false;
  let line = 1;
  let startLine = 1;

  const endRow = () => {
    cells.push(cell);
    if (cells.some((value) => value.trim() !== "")) rows.push({ line: startLine, cells });
    cells = [];
    cell = "";
    startLine = line;
  };

  const source = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at];
    if (char === "\n") line += 1;
    if (quoted) {
      if (char !== '"') {
        cell += char;
      } else if (source[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else {
        quoted = false;
      }
    } else if (char === '"' && cell.trim() === "") {
      quoted = true;
      cell = "";
    } else if (char === ",") {
      cells.push(cell);
      cell = "";
    } else if (char === "\n") {
      endRow();
    } else {
      cell += char;
    }
  }
  if (quoted) throw new FormatError(`line ${startLine}: a quote is never closed`);
  endRow();
  return rows;
}

/**
 * Reads comma-separated text whose first row names the columns.
 *
 * @param {string} text
 * @returns {{line: number, values: Record<string, string>}[]}
 */
export function parseCsv(text) {
  const [header, ...rows] = parseRows(text);
  if (header === undefined) return [];
  const names = header.cells.map((name) => name.trim().toLowerCase());
  return rows.map(({ line, cells }) => {
    if (cells.length !== names.length) {
      throw new FormatError(
        `line ${line}: ${cells.length} cells where the header has ${names.length}`,
      );
    }
    const values = Object.fromEntries(names.map((name, index) => [name, cells[index].trim()]));
    return { line, values };
  });
}

/**
 * Lays out rows in columns for a terminal or a printed page.
 *
 * @param {{title: string, align?: "left" | "right"}[]} columns
 * @param {string[][]} rows one cell per column
 * @returns {string} lines without trailing spaces, each ended by a line break
 */
export function renderTable(columns, rows) {
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...rows.map((row) => row[index].length)),
  );
  const place = (cell, index) =>
    columns[index].align === "right" ? cell.padStart(widths[index]) : cell.padEnd(widths[index]);
  const line = (cells) => cells.map(place).join("  ").trimEnd();

  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  const lines = [line(columns.map(({ title }) => title)), rule, ...rows.map(line)];
  return `${lines.join("\n")}\n`;
}

/**
 * Puts a label at the left and a value at the right of a line.
 *
 * @param {string} label
 * @param {string} value
 * @param {number} width of the line; a long label pushes the value out
 */
export function leader(label, value, width) {
  const gap = Math.max(1, width - label.length - value.length);
  return `${label}${" ".repeat(gap)}${value}`;
}

// Measures how well the grammars parse real code: `npm run bench:parse-errors -- DIR…`. Parses each folder completely,
// and prints one row per language.
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { outlineOf } from "../src/syntax/symbols/choose-outline.ts";
import { extractSymbols } from "../src/syntax/symbols/extract-symbols.ts";

interface Row {
  files: number;
  bytes: number;
  lines: number;
  filesWithErrors: number;
  errors: number;
  skipped: number;
  definitions: number;
  references: number;
  seconds: number;
  readonly worst: { readonly file: string; readonly errors: number }[];
}

const longestFile = 8 * 1024 * 1024;
const folders = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
if (folders.length === 0) {
  console.error("usage: npm run bench:parse-errors -- [--worst] DIR…");
  process.exit(2);
}
const rows = new Map<string, Row>();
for (const folder of folders)
  for (const file of globSync("**/*.*", { cwd: folder, exclude: (name) => name === "node_modules" }).sort())
    await measure(join(folder, file));
print();

async function measure(path: string): Promise<void> {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined || !facts.isFile() || facts.size > longestFile) return;
  const text = readFileSync(path, "utf8");
  const outline = outlineOf(path, text);
  if (outline === undefined) return;
  const name = path.endsWith(".tsx") ? "tsx" : outline.language;
  const row = rows.get(name) ?? emptyRow();
  rows.set(name, row);
  const start = process.cpuUsage();
  const symbols = await extractSymbols(path, text);
  const used = process.cpuUsage(start);
  if (symbols === undefined) return;
  row.files++;
  row.bytes += facts.size;
  row.lines += text.split("\n").length;
  row.seconds += (used.user + used.system) / 1e6;
  row.definitions += symbols.definitions.length;
  row.references += symbols.references.length;
  if (symbols.skipped !== undefined) row.skipped++;
  if (symbols.syntaxErrors === 0) return;
  row.filesWithErrors++;
  row.errors += symbols.syntaxErrors;
  row.worst.push({ file: path, errors: symbols.syntaxErrors });
}

function emptyRow(): Row {
  return {
    files: 0,
    bytes: 0,
    lines: 0,
    filesWithErrors: 0,
    errors: 0,
    skipped: 0,
    definitions: 0,
    references: 0,
    seconds: 0,
    worst: [],
  };
}

function print(): void {
  console.log(
    "| language | files | MB | lines | files with errors | errors per 1000 lines | skipped | definitions | references | MB/s of processor time |",
  );
  console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
  for (const [name, row] of [...rows].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const megabytes = row.bytes / 1e6;
    const cells = [
      name,
      row.files,
      megabytes.toFixed(2),
      row.lines,
      row.filesWithErrors,
      ((1000 * row.errors) / row.lines).toFixed(2),
      row.skipped,
      row.definitions,
      row.references,
      (megabytes / row.seconds).toFixed(1),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
  if (!process.argv.includes("--worst")) return;
  for (const [name, row] of rows)
    for (const { file, errors } of row.worst.sort((a, b) => b.errors - a.errors).slice(0, 5))
      console.log(`${name}: ${errors} in ${file}`);
}

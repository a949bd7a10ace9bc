/**
 * Finds scripts that redefine functions of a script that sources them. The sourcing script then no longer runs its own
 * checks.
 */
import { basename } from "node:path";
import { addedLines, type ChangedFile, linesOf } from "../../code/change.ts";
import type { Finding } from "../contract.ts";
import { scriptOf } from "../guards/find-guards.ts";
import type { BaseFiles } from "../texts/base-files.ts";

const definition = /^\s*(?:function\s+)?([A-Za-z_]\w*)\s*(?:\(\s*\)|(?=\s*\{))/;

export async function judgeOverrides(file: ChangedFile, base: BaseFiles): Promise<Finding[]> {
  if (file.isTest || scriptOf(file.path) !== "shell" || file.after === undefined) return [];
  const lines = linesOf(file.after);
  const known = new Set(linesOf(file.before).flatMap(nameOf));
  const added = addedLines(file)
    .flatMap((number) => nameOf(lines[number - 1] ?? ""))
    .filter((name) => !known.has(name));
  if (added.length === 0) return [];
  const name = basename(file.path).replaceAll(".", String.raw`\.`);
  const reads = new RegExp(`^\\s*(?:\\.|source)\\s+\\S*${name}\\b`, "m");
  for (const path of (await base.list()).filter((each) => scriptOf(each) === "shell" && each !== file.path)) {
    const text = (await base.read(path)) ?? "";
    const own = reads.test(text) ? new Set(text.split("\n").flatMap(nameOf)) : new Set<string>();
    const found = added.find((each) => own.has(each));
    if (found !== undefined)
      return [
        {
          weight: "objection",
          text: `${file.path} redefines \`${found}\` of ${path}, which sources this file.`,
        },
      ];
  }
  return [];
}

function nameOf(line: string): string[] {
  const [, name] = definition.exec(line) ?? [];
  return name === undefined ? [] : [name];
}

/**
 * Finds patches that silence the complaint but leave the fault. The statement says that one function omits something
 * ("`build` leaves out its version"). The patch only removes code from another function that the statement names. Works
 * on the text; pure except for the parser.
 */
import { callableKinds } from "../../../domain/code-symbols.ts";
import { type ChangedFile, linesOf, removedLines } from "../../code/change.ts";
import { symbolsOf } from "../../code/symbols-of.ts";
import type { Finding } from "../contract.ts";

const blaming =
  /`(?:[\p{L}_$][\p{L}\p{N}_$]*(?:\.|::))*([\p{L}_$][\p{L}\p{N}_$]*)(?:\([^`\n]*\))?`\s+(?:leaves (?:out|off)|omits|forgets|drops|loses|lacks|misses|skips|never \w+s|fails to|does(?: not|n't) (?:set|add|write|store|give|keep|fill|include|pass))\b/giu;
const callables: ReadonlySet<string> = new Set(callableKinds);

/**
 * Objects if the patch changes only other named functions than the one that the statement blames, and this one does not
 * call them. `files`: the files of a patch that only removes code.
 */
export async function judgeBlamed(files: readonly ChangedFile[], statement: string): Promise<Finding[]> {
  const blamed = new Set([...statement.matchAll(blaming)].map(([, name = ""]) => name));
  if (blamed.size === 0) return [];
  const texts = new Map<string, string>();
  const changed = new Set<string>();
  for (const file of files.filter(({ isTest, before }) => !isTest && before !== undefined)) {
    const { path, before = "" } = file;
    const removed = removedLines(file);
    const lines = linesOf(before);
    for (const { kind, name, startLine, endLine } of (await symbolsOf(path, before))?.definitions ?? []) {
      if (!callables.has(kind)) continue;
      if (blamed.has(name)) texts.set(name, lines.slice(startLine - 1, endLine).join("\n"));
      if (removed.some((line) => startLine <= line && line <= endLine)) changed.add(name);
    }
  }
  const own = [...changed];
  const isNamed = own.length > 0 && own.every((name) => statement.includes(`\`${name}`));
  if (!isNamed || own.some((name) => blamed.has(name))) return [];
  for (const [name, text] of texts)
    if (!own.some((other) => text.includes(`${other}(`)))
      return [
        {
          weight: "objection",
          text: `The statement says that \`${name}\` leaves something out, but the patch only removes code from \`${own.join("`, `")}\`.`,
        },
      ];
  return [];
}

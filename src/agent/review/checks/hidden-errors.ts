import { languageOf } from "../../../languages/source-files.ts";
import { addedLines, type ChangedFile, readSource, removedLines } from "../../code/change.ts";
import { listSkips } from "../../code/test-strength.ts";
import { type Hidden, listHandlers, listSilenced } from "../careless/suppressions.ts";
import { defineReviewCheck, type Finding } from "../contract.ts";

export default defineReviewCheck({
  name: "hidden-errors",
  description:
    "Finds added handlers that catch every error or do nothing, added code that can hide an error, added suppressions of linters and type checkers, and skips in new test files.",
  async read({ change }) {
    const findings: Finding[] = [];
    for (const file of change.files) {
      if (file.after === undefined) continue;
      const hidden = [
        ...(await listNewlyHidden(file)),
        ...(file.isTest && file.before === undefined
          ? listSkips(file.after).map(({ line, text }) => ({
              line,
              text: `\`${text}\` prevents a test from running`,
            }))
          : []),
      ];
      for (const { line, text } of hidden)
        findings.push({ weight: "doubt", text: `${file.path}:${line}: ${text}.` });
    }
    return findings;
  },
});

/**
 * Lists the change's new suppressions of errors. Looks only at changed lines. A suppression that a replaced line
 * already had is not new.
 */
export async function listNewlyHidden(file: ChangedFile): Promise<Hidden[]> {
  const before = await listHidden(file, file.before, removedLines(file));
  const left = before.map(({ text }) => text);
  return (await listHidden(file, file.after, addedLines(file))).filter(({ text }) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

async function listHidden(
  { path, isTest }: ChangedFile,
  text: string | undefined,
  lines: readonly number[],
): Promise<Hidden[]> {
  if (text === undefined) return [];
  const own = new Set(lines);
  const source = isTest ? undefined : await readSource(path, text);
  return [
    ...(source === undefined ? [] : listHandlers(source, own)),
    ...listSilenced(languageOf(path)?.name ?? "", text, own),
  ];
}

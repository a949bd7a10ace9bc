import { languageOf } from "../../../languages/source-files.ts";
import { addedLines, readSource } from "../change.ts";
import { defineReviewCheck, type Finding } from "../contract.ts";
import { listHandlers, listSilenced } from "../suppressions.ts";
import { listSkips } from "../test-strength.ts";

export default defineReviewCheck({
  name: "hidden-errors",
  description:
    "Finds added handlers that take every error or do nothing, and orders to checkers to be silent.",
  async run({ change }) {
    const findings: Finding[] = [];
    for (const file of change.files) {
      if (file.after === undefined) continue;
      const lines = new Set(addedLines(file));
      const source = file.isTest ? undefined : await readSource(file.path, file.after);
      const hidden = [
        ...(source === undefined ? [] : listHandlers(source, lines)),
        ...listSilenced(languageOf(file.path)?.name ?? "", file.after, lines),
        ...(file.isTest && file.before === undefined
          ? listSkips(file.after).map(({ line, text }) => ({
              line,
              text: `\`${text}\` keeps a test from being run`,
            }))
          : []),
      ];
      for (const { line, text } of hidden)
        findings.push({ weight: "doubt", text: `${file.path}:${line}: ${text}.` });
    }
    return findings;
  },
});

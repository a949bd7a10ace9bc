import { isCodeFile, preferOwn } from "../../../languages/source-files.ts";
import { listStrongDoubts } from "../../../repair/rank-plausible.ts";
import { type Change, type ChangedFile, linesOf } from "../../code/change.ts";
import { defineReviewCheck, type Finding } from "../contract.ts";

/** Maximum number of hunks of a small patch. */
const mostHunks = 2;

export default defineReviewCheck({
  name: "form",
  description:
    "Raises a doubt about small patches of a form that is usually wrong: removed code, hidden errors, a comparison with one value.",
  async read({ change, task }) {
    return task.kind === "repair" || task.kind === "partial-fix" ? judgeForm(change) : [];
  },
});

export function judgeForm({ files }: Change): Finding[] {
  const sources = preferOwn(files.filter(({ path }) => isCodeFile(path)));
  const hunks = sources.reduce((sum, file) => sum + file.hunks.length, 0);
  if (hunks === 0 || hunks > mostHunks) return [];
  return sources.flatMap((file) =>
    file.hunks.flatMap((hunk): Finding[] => {
      const said = doubtsOf(file, hunk);
      const place = `${file.path}:${hunk.afterStart}`;
      return said.length === 0
        ? []
        : [
            {
              weight: "doubt",
              text: `The change at ${place} ${said.join(", and ")}. Patches that fit only their tests often do this.`,
            },
          ];
    }),
  );
}

function doubtsOf({ before, after }: ChangedFile, hunk: ChangedFile["hunks"][number]): string[] {
  if (before === undefined || after === undefined) return [];
  const old = `${linesOf(before).join("\n")}\n`;
  const offset = (line: number): number =>
    linesOf(before)
      .slice(0, line - 1)
      .reduce((sum, each) => sum + each.length + 1, 0);
  const replacement = linesOf(after)
    .slice(hunk.afterStart - 1, hunk.afterEnd - 1)
    .map((line) => `${line}\n`)
    .join("");
  return listStrongDoubts(old, { start: offset(hunk.beforeStart), end: offset(hunk.beforeEnd), replacement });
}

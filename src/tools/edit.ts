import { z } from "zod";
import { fail, succeed } from "../base/result.ts";
import { applyEdits } from "../edit/apply-edits.ts";
import { editForm, parseEdits } from "../edit/parse-edits.ts";
import { checkChanges } from "./check-changes.ts";
import { defineCodeTool } from "./contract.ts";

export default defineCodeTool({
  name: "edit",
  title: "Edit files",
  description: `Changes files: all edits are made or none, and the answer is the unified diff, or why an edit does not fit and where it may be meant. Write each edit as\n${editForm}\nThe original is copied from the file, whole lines; spacing may differ. An empty original makes a new file. Unified diffs are read too. Text that is not unique needs more lines around it.`,
  input: z.object({
    edits: z.string().min(1).describe("one or more edit blocks"),
    check: z
      .enum(["refuse", "report", "off"])
      .default("refuse")
      .describe(
        "when the language server sees new errors: change nothing, change and say so, or do not look",
      ),
    dryRun: z.boolean().default(false).describe("only say what the diff would be"),
  }),
  effect: "writes",
  async run(context, { edits: text, check, dryRun }) {
    const { edits, problems } = parseEdits(text);
    const outcome =
      problems.length > 0 ? { ok: false as const, problems } : await applyEdits(context.files, edits);
    if (!outcome.ok) {
      const messages = outcome.problems.map(({ edit, message }) =>
        edit === 0 ? message : `edit ${edit}: ${message}`,
      );
      return fail("not-applied", [...messages, "Nothing was changed."].join("\n"));
    }
    const { changes, diff, done } = outcome;
    const checked = check === "off" ? undefined : await checkChanges(context, changes);
    const errors = checked?.errors ?? [];
    if (errors.length > 0 && check === "refuse" && checked?.caution === undefined) {
      const why = `The edits fit, but bring ${errors.length === 1 ? "an error" : "errors"} (${checked?.by}):`;
      return fail("not-applied", [why, ...errors, "Nothing was changed."].join("\n"));
    }
    const written = dryRun ? undefined : await context.write?.(changes);
    if (written?.ok === false) return fail("not-applied", `${written.message} Nothing was changed.`);
    const applied = written !== undefined;
    const notes = [
      ...(applied || dryRun ? [] : ["This server only reads. The diff that the edits would make:"]),
      ...(errors.length === 0
        ? []
        : [`New errors${checked?.caution === undefined ? "" : ` (${checked.caution})`}:`, ...errors]),
    ];
    const files = changes.map(({ path }) => path);
    return succeed({
      data: { applied, files, edits: done, diff, checkedBy: checked?.by ?? null, newErrors: errors },
      text: [...notes, diff].join("\n"),
    });
  },
});

import { z } from "zod";
import { fail, succeed } from "../base/result.ts";
import { applyEdits } from "../edit/apply-edits.ts";
import { editForm, parseEdits } from "../edit/parse-edits.ts";
import { defineCodeTool } from "./contract.ts";

export default defineCodeTool({
  name: "edit",
  title: "Edit files",
  description: `Changes files: all edits are made or none, and the answer is the unified diff, or why an edit does not fit and where it may be meant. Write each edit as\n${editForm}\nThe original is copied from the file, whole lines; spacing may differ. An empty original makes a new file. Unified diffs are read too. Text that is not unique needs more lines around it.`,
  input: z.object({
    edits: z.string().min(1).describe("one or more edit blocks"),
    dryRun: z.boolean().default(false).describe("only say what the diff would be"),
  }),
  effect: "writes",
  async run(context, { edits: text, dryRun }) {
    const { edits, problems } = parseEdits(text);
    const outcome =
      problems.length > 0 ? { ok: false as const, problems } : await applyEdits(context.files, edits);
    if (!outcome.ok) {
      const messages = outcome.problems.map(({ edit, message }) =>
        edit === 0 ? message : `edit ${edit}: ${message}`,
      );
      return fail("not-applied", [...messages, "Nothing was changed."].join("\n"));
    }
    const { diff, done } = outcome;
    const files = outcome.changes.map(({ path }) => path);
    if (dryRun) return succeed({ data: { applied: false, files, edits: done, diff }, text: diff });
    if (context.write === undefined) {
      const how = "This server only reads. The diff that the edits would make:";
      return succeed({ data: { applied: false, files, edits: done, diff }, text: `${how}\n${diff}` });
    }
    const written = await context.write(outcome.changes);
    if (!written.ok) return fail("not-applied", `${written.message} Nothing was changed.`);
    return succeed({ data: { applied: true, files, edits: done, diff }, text: diff });
  },
});

import { z } from "zod";
import { fail, succeed } from "../base/result.ts";
import { editForm } from "../edit/parse-edits.ts";
import { defineCodeTool } from "./contract.ts";
import { checkKinds, decideEdits, type EditDecision } from "./decide-edits.ts";
import { findLeftBehind } from "./left-behind.ts";
import { renderEdits } from "./render-edits.ts";

export default defineCodeTool({
  name: "edit",
  title: "Edit files",
  description: `Changes files. Makes all edits, or none if one fails. Write each edit in this form:\n${editForm}\nThe original consists of whole lines. Give enough lines to occur only once in the file. For a new file, leave the original empty. To delete a file, write the line \`*** Delete File: path\`. Unified diffs work too.`,
  input: z.object({
    edits: z.string().min(1).describe("one or more edit blocks"),
    check: z
      .enum(checkKinds)
      .default("refuse")
      .describe(
        "what to do if the language server finds new errors. refuse: make no edits if an error is certain, otherwise only report the errors; report: make the edits, and report the errors; off: do not check",
      ),
    dryRun: z.boolean().default(false).describe("true: show the diff, and write nothing"),
  }),
  effect: "writes",
  async run(context, { edits: text, check, dryRun }) {
    const { files, servers, signal } = context;
    const decision = await decideEdits({ text, files, check, servers, signal });
    if (!decision.ok) return fail("not-applied", refusal(decision));
    const { changes, diff, done, checked } = decision;
    const left = await findLeftBehind(await context.graph(), changes);
    const written = dryRun ? undefined : await context.write?.(changes);
    if (written?.ok === false) return fail("not-applied", `${written.message} Nothing was changed.`);
    const applied = written !== undefined;
    const errors = (checked?.errors ?? []).map(({ message, doubt }) =>
      doubt === undefined ? message : `${message} [${doubt}]`,
    );
    const caution = checked?.caution === undefined ? "" : ` (${checked.caution})`;
    const notes = [
      ...(errors.length === 0 ? [] : [`New errors${caution}:`, ...errors]),
      ...(left.length === 0 ? [] : ["Other files still use code that these edits remove:", ...left]),
    ];
    const look = sayOnce(context.remarks, checked);
    const said = applied
      ? [renderEdits(changes, done), ...notes]
      : [dryRun ? "A dry run:" : onlyReads, ...notes, diff.trimEnd()];
    return succeed({
      data: {
        applied,
        files: changes.map(({ path }) => path),
        edits: done,
        diff,
        checkedBy: checked?.by ?? null,
        newErrors: errors,
        leftBehind: left,
      },
      text: [...said, ...look].join("\n"),
    });
  },
});

const onlyReads =
  "This server may only read files (start it with --write to change files). The edits would make this diff:";

/** Names the checker, or the reason why there is none, but only once in a conversation. */
function sayOnce(remarks: Set<string> | undefined, checked: EditDecision["checked"]): string[] {
  const look = checked === undefined ? "no language server checked the edits" : `checked by ${checked.by}`;
  if (remarks?.has(look) === true) return [];
  remarks?.add(look);
  return [`(${look})`];
}

function refusal({ problems, checked }: EditDecision & { readonly ok: false }): string {
  const many = problems.length === 1 ? "an error" : "errors";
  const why = checked === undefined ? [] : [`The edits fit, but cause ${many} (${checked.by}):`];
  const messages = problems.map(({ edit, message }) => (edit === 0 ? message : `edit ${edit}: ${message}`));
  return [...why, ...messages, "Nothing was changed."].join("\n");
}

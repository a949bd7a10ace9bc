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
  description: `Changes files: all edits or none. Write each edit as\n${editForm}\nThe original: whole lines of the file, enough to be unique; empty for a new file. A line \`*** Delete File: path\` deletes a file. Unified diffs work too.`,
  input: z.object({
    edits: z.string().min(1).describe("one or more edit blocks"),
    check: z
      .enum(checkKinds)
      .default("refuse")
      .describe(
        "new errors of the language server: refuse the edit, make it and report them, or do not check",
      ),
    dryRun: z.boolean().default(false).describe("only show the diff"),
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
      ...(left.length === 0 ? [] : ["Used elsewhere, and removed by these edits:", ...left]),
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

const onlyReads = "This server only reads (start it with --write to change files). The diff would be:";

/** Names the checker, or the reason why there is none, only the first time. */
function sayOnce(remarks: Set<string> | undefined, checked: EditDecision["checked"]): string[] {
  const look = checked === undefined ? "no language server checked it" : `checked by ${checked.by}`;
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

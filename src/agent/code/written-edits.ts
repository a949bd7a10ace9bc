/** Applies edits in a model's answer to a tree: returns the new tree, or a message for the author. */
import { fail, type Result, succeed } from "../../base/result.ts";
import { applyEdits } from "../../edit/apply-edits.ts";
import { parseEdits } from "../../edit/parse-edits.ts";
import type { ActionContext } from "../action.ts";

export interface EditRules {
  /** Tells the model why a file must not change. Undefined if it may change. */
  readonly refuse: (path: string) => string | undefined;
}

/**
 * Applies the edits in a model's answer to the tree `start`, and returns the new tree. Refuses edits that do not match
 * the file, change nothing, or add syntax errors. Refuses changes of test files, unless `rules` allow them.
 */
export async function applyWrittenEdits(
  { view, regions }: Pick<ActionContext, "view" | "regions">,
  start: string,
  text: string,
  rules?: EditRules,
): Promise<Result<string, "not-applied">> {
  const { edits, problems } = parseEdits(text);
  if (problems.length > 0) return fail("not-applied", problems.map(({ message }) => message).join("\n"));
  await view.lay(start);
  const outcome = await applyEdits(view.context.files, edits);
  if (!outcome.ok)
    return fail(
      "not-applied",
      outcome.problems
        .map(({ edit, message }) => (edit === 0 ? message : `edit ${edit}: ${message}`))
        .join("\n"),
    );
  const refuse = (path: string): string | undefined =>
    regions.isWhole(path) ? `${path} is a test file: leave it unchanged.` : undefined;
  const refused = outcome.changes.flatMap(({ path, from }) =>
    [path, ...(from === undefined ? [] : [from])].flatMap((each) => (rules?.refuse ?? refuse)(each) ?? []),
  );
  if (refused.length > 0) return fail("not-applied", refused.join("\n"));
  const written = await view.context.write?.(outcome.changes);
  if (written?.ok === false) return fail("not-applied", written.message);
  return succeed(view.tree());
}

/**
 * Shows the author of new tests the written tests to replace: their files, and their failures with the last candidate.
 */
import { formatTestKey, type TestKey } from "../../../domain/test-outcome.ts";
import type { ActionContext } from "../../action.ts";
import { shorten } from "../../record/shorten.ts";
import { renderFailures } from "../../state/render-state.ts";
import type { TaskState } from "../../state/task-state.ts";

/** Characters per file. */
const longestFile = 5_000;

/** Returns the section of a model's first message that shows the tests to replace; empty if there are none. */
export async function showReplaced(
  { workspace: { trees } }: Pick<ActionContext, "workspace">,
  { candidates, rows }: TaskState,
  replaced: readonly TestKey[],
): Promise<string[]> {
  if (replaced.length === 0) return [];
  const ids = new Set(replaced.map(formatTestKey));
  const made = candidates.filter(({ kind }) => kind === "reproduction");
  const texts: string[] = [];
  for (const file of new Set(replaced.map(({ target }) => target)))
    for (const { tree } of made) {
      const text = (await trees.read(tree, file))?.toString("utf8");
      if (text !== undefined) texts.push(`### ${file}\n${shorten(text.trimEnd(), longestFile)}`);
    }
  const row = rows.findLast(({ targets }) => targets.some(({ key }) => ids.has(formatTestKey(key))));
  const failing = (row?.targets ?? []).filter(({ key }) => ids.has(formatTestKey(key)));
  return [
    `# Written tests that your tests replace\n\n${[[...ids].map((id) => `- ${id}`).join("\n"), ...texts, ...renderFailures(failing)].join("\n\n")}`,
  ];
}

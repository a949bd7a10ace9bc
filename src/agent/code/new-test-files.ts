/** Where new tests may be written: in files that neither the repository nor an earlier reproduction has. */
import { isSourceFile, isTestFile } from "../../languages/source-files.ts";
import type { ActionContext } from "../action.ts";
import { changedFiles } from "../kinds/changed-files.ts";
import type { TaskState } from "../state/task-state.ts";
import type { ThinkTool } from "../think/think.ts";

/** What may not be edited is refused as it is edited: its author could not take it back. */
export function guardFiles(
  context: ActionContext,
  state: TaskState,
  tools: readonly ThinkTool<never>[],
): readonly ThinkTool<never>[] {
  const { view } = context;
  return tools.map((tool) =>
    tool.name === "edit"
      ? {
          ...tool,
          async run(input) {
            const before = view.tree();
            const reply = await tool.run(input);
            const problem = view.tree() === before ? undefined : await findMisplaced(context, state);
            if (problem === undefined) return reply;
            await view.lay(before);
            return { text: problem, isError: true };
          },
        }
      : tool,
  );
}

/** Tests stand in new files, or in a source file that has tests in it: the code stays as it is, and so do the tests that there are. */
export async function findMisplaced(
  { workspace: { trees, base }, regions, view }: ActionContext,
  { candidates }: TaskState,
): Promise<string | undefined> {
  const { code, tests } = await changedFiles(trees, regions, base, view.tree());
  if (code.length > 0) return `These are no files of tests; nothing was changed: ${code.join(", ")}`;
  const reproductions = candidates.filter(({ kind }) => kind === "reproduction");
  const known = new Set<string>();
  for (const tree of [base, ...reproductions.map((each) => each.tree)])
    for (const { path } of await trees.list(tree)) known.add(path);
  const touched = tests.filter((path) => !isSourceFile(path) || isTestFile(path));
  const edited = touched.filter((path) => known.has(path));
  if (edited.length > 0)
    return `These names are taken, by the repository or by a reproduction of this run; nothing was changed. Write a new file with another name: ${edited.join(", ")}`;
  return undefined;
}

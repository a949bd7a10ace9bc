/**
 * Checks where an author writes new tests: in new test files, or as whole tests added to test files of the repository.
 * Files of earlier reproductions are forbidden.
 */
import { wordFor } from "../../base/count.ts";
import { isSourceFile, isTestFile } from "../../languages/source-files.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import type { ActionContext } from "../action.ts";
import { takenFiles, tellUnbuilt } from "../code/built-tests.ts";
import { changedFiles, textOf } from "../code/changed-files.ts";
import { describeCollected } from "../code/collected-tests.ts";
import { listTestBodies } from "../code/test-bodies.ts";
import { weakensTests } from "../kinds/tests-intact.ts";
import { programFolder } from "../state/standalone-program.ts";
import type { TaskState } from "../state/task-state.ts";
import type { ThinkTool, ToolReply } from "../think/think.ts";
import { withoutProgramFiles } from "./shown-programs.ts";

/**
 * Wraps the tool `edit`. The wrapper undoes misplaced changes at once, because the author cannot revert them later.
 */
export function guardFiles(
  context: Pick<ActionContext, "suite" | "regions" | "view" | "workspace" | "frameworks">,
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
            if (problem === undefined) return withUnbuilt(reply, await tellUnbuiltIn(context, state));
            await view.lay(before);
            return { text: problem, isError: true };
          },
        }
      : tool,
  );
}

/** Tells the author at once which new files the build omits. */
async function tellUnbuiltIn(
  context: Pick<ActionContext, "suite" | "view" | "workspace" | "frameworks">,
  state: TaskState,
): Promise<readonly string[]> {
  const { trees, base } = context.workspace;
  const tree = context.view.tree();
  const changed = (await trees.stat(base, tree)).map(({ path }) => path);
  if (changed.length === 0) return [];
  return tellUnbuilt(context, tree, changed, await takenFiles(context.workspace, state));
}

function withUnbuilt(reply: ToolReply<never>, unbuilt: readonly string[]): ToolReply<never> {
  return unbuilt.length === 0 ? reply : { ...reply, text: [reply.text, ...unbuilt].join("\n") };
}

/**
 * Returns a message to the author of tests about forbidden changes; undefined if there are none. The author may create
 * test files, and add whole tests to test files of the repository. Code, and test files of earlier reproductions, must
 * stay unchanged. If no test can run, the author may write only standalone programs.
 */
export async function findMisplaced(
  {
    workspace: { trees, base },
    regions,
    view,
    suite,
  }: Pick<ActionContext, "suite" | "regions" | "view" | "workspace">,
  state: TaskState,
): Promise<string | undefined> {
  const tree = view.tree();
  const changed = await changedFiles(trees, regions, base, tree);
  const [code, tests] = [withoutProgramFiles(changed.code), withoutProgramFiles(changed.tests)];
  const present = (await trees.list(base)).map(({ path }) => path);
  if (suite.lacks !== undefined)
    return code.length + tests.length === 0
      ? undefined
      : `You may write only files below ${programFolder}/, so Millwright changed nothing.`;
  if (code.length > 0)
    return `${code.join(", ")} ${wordFor(code.length, "is not a test file", "are not test files")}. Millwright therefore changed nothing. ${describeCollected(suite, present)}`;
  const written = await takenFiles({ trees, base }, state);
  const known = new Set(present);
  const touched = tests.filter((path) => !isSourceFile(path) || isTestFile(path));
  const earlier = touched.filter((path) => written.has(path));
  if (earlier.length > 0)
    return `An earlier reproduction of this run already changed ${earlier.join(", ")}, so nobody may change ${wordFor(earlier.length, "this file", "these files")} again. Millwright therefore changed nothing. Write a new file with another name.`;
  const edited: string[] = [];
  for (const path of touched)
    if (known.has(path) && !(await onlyAdds({ trees, base, tree }, path))) edited.push(path);
  if (edited.length > 0)
    return `The repository already has these files: ${edited.join(", ")}. Millwright therefore changed nothing. Write a new file with another name. Or add whole tests to a file of the repository, and change nothing else there.`;
  return undefined;
}

/** True if a change only adds whole tests, or lines that add new files to a Rust program. */
async function onlyAdds(
  { trees, base, tree }: { readonly trees: TreeStore; readonly base: string; readonly tree: string },
  path: string,
): Promise<boolean> {
  const [before, after] = [await textOf(trees, base, path), await textOf(trees, tree, path)];
  if (path.endsWith(".rs") && addsOnlyModules(before, after)) return true;
  const [old, now] = [await listTestBodies(path, before), await listTestBodies(path, after)];
  return now.length > old.length && !(await weakensTests(path, before, after));
}

/** True if the new text differs from the old one only in added lines like `mod name;`. */
export function addsOnlyModules(before = "", after = ""): boolean {
  const old = before.split("\n");
  let at = 0;
  for (const line of after.split("\n")) {
    if (line === old[at]) at += 1;
    else if (!/^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(?:r#)?\w+;\s*$/.test(line)) return false;
  }
  return at === old.length && before !== after;
}

/** Knows the test files that the framework's build leaves out, in languages where a file needs a line elsewhere. */
import type { TestFiles } from "../../languages/contract.ts";
import type { ActionContext } from "../action.ts";

type BuildContext = Pick<ActionContext, "suite" | "frameworks" | "workspace">;

const all: TestFiles = { left: new Set(), place: () => undefined };

/** The test files of a tree by the rules of the framework. Leaves out none if the framework has no such rules. */
export async function testFilesOf(
  { suite, frameworks, workspace: { trees } }: BuildContext,
  tree: string,
): Promise<TestFiles> {
  const framework = frameworks.find(({ name }) => name === suite.command.framework);
  if (framework?.testFiles === undefined) return all;
  const files = (await trees.list(tree)).map(({ path }) => path);
  return framework.testFiles({
    files,
    read: async (path) => (await trees.read(tree, path))?.toString("utf8"),
  });
}

/** For authors: one sentence for each of these files that does not run in the tree. */
export async function tellUnbuilt(
  context: BuildContext,
  tree: string,
  written: readonly string[],
): Promise<readonly string[]> {
  const { left, place } = await testFilesOf(context, tree);
  return written.flatMap((path) => (left.has(path) ? (place(path) ?? []) : []));
}

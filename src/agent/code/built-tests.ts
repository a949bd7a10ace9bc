/**
 * Finds the test files that the framework's build omits. In some languages, another file must declare a test file: in
 * Rust, `tests/x/main.rs` needs `mod new;` for `tests/x/new.rs`.
 */
import type { TestFiles, TestFramework } from "../../languages/contract.ts";
import type { TreeStore, Workspace } from "../../workspace/contract.ts";
import type { ActionContext } from "../action.ts";
import type { TaskState } from "../state/task-state.ts";

type BuildContext = Pick<ActionContext, "suite" | "frameworks" | "workspace">;

const all: TestFiles = { left: new Set(), place: () => undefined };

/** Caches the test files of the latest trees: each step asks for the same trees, and a tree never changes. */
const known = new WeakMap<TreeStore, Map<string, Promise<TestFiles>>>();
const mostKnown = 8;

/**
 * Determines by the framework's rules which test files of a tree the build omits. If the framework has no rules, the
 * build omits none.
 */
export async function testFilesOf(
  { suite, frameworks, workspace: { trees } }: BuildContext,
  tree: string,
): Promise<TestFiles> {
  const framework = frameworks.find(({ name }) => name === suite.command.framework);
  if (framework?.testFiles === undefined) return all;
  const ofStore = known.get(trees) ?? new Map<string, Promise<TestFiles>>();
  known.set(trees, ofStore);
  const key = `${framework.name}\n${tree}`;
  const found = ofStore.get(key) ?? readTestFiles(framework.testFiles, trees, tree);
  // The most recently used tree comes last.
  ofStore.delete(key);
  ofStore.set(key, found);
  for (const old of [...ofStore.keys()].slice(0, -mostKnown)) ofStore.delete(old);
  try {
    return await found;
  } catch (error) {
    ofStore.delete(key);
    throw error;
  }
}

async function readTestFiles(
  find: NonNullable<TestFramework["testFiles"]>,
  trees: TreeStore,
  tree: string,
): Promise<TestFiles> {
  const files = (await trees.list(tree)).map(({ path }) => path);
  return find({ files, read: async (path) => (await trees.read(tree, path))?.toString("utf8") });
}

/**
 * Tells authors which of these files do not run in the tree, one sentence for each. Authors must not change `taken`
 * files.
 */
export async function tellUnbuilt(
  context: BuildContext,
  tree: string,
  written: readonly string[],
  taken: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { left, place } = await testFilesOf(context, tree);
  return written.flatMap((path) => (left.has(path) ? (place(path, taken) ?? []) : []));
}

/** Returns the files that earlier reproductions changed: no other author may change them. */
export async function takenFiles(
  { trees, base }: Pick<Workspace, "trees" | "base">,
  { candidates }: Pick<TaskState, "candidates">,
): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  for (const { kind, tree } of candidates)
    if (kind === "reproduction") for (const { path } of await trees.stat(base, tree)) taken.add(path);
  return taken;
}

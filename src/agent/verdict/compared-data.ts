/** Finds the files with which tests may compare: the tests' own files, and data that they name. */
import { posix } from "node:path";
import type { TestKey } from "../../domain/test-outcome.ts";
import type { Language } from "../../languages/contract.ts";
import { languages } from "../../languages/languages.generated.ts";
import { languageOf } from "../../languages/source-files.ts";
import { findTestFile } from "../code/test-bodies.ts";
import { regionsOf } from "../measure/regions-of.ts";
import type { StrategyContext } from "../strategy.ts";
import type { Suite } from "../suite.ts";

interface Context extends Pick<StrategyContext, "workspace" | "frameworks"> {
  readonly suite: Pick<Suite, "command" | "outcomes">;
}

/** Package managers write these files whenever dependencies change. */
const locks: ReadonlySet<string> = new Set(
  languages.flatMap((language: Language) => Object.keys(language.lockFiles ?? {})),
);

/** Selects the paths with which the tests may compare. */
export async function findComparedData(
  context: Context,
  { tree, tests }: { readonly tree: string; readonly tests: readonly TestKey[] },
  paths: readonly string[],
): Promise<string[]> {
  const asked = paths.filter((path) => !locks.has(posix.basename(path)));
  if (asked.length === 0) return [];
  const regions = await regionsOf(context, context.suite);
  const isNamed = await readNames(context, tree, tests);
  return asked.filter((path) => regions.isWhole(path) || (languageOf(path) === undefined && isNamed(path)));
}

/** Tells whether the tests' files name a path's file or folder. Without the files, nobody knows: true. */
async function readNames(
  { workspace: { trees } }: Context,
  tree: string,
  tests: readonly TestKey[],
): Promise<(path: string) => boolean> {
  const files = new Set(await Promise.all(tests.map((key) => findTestFile(trees, tree, key))));
  const texts = await Promise.all(
    [...files].map(async (path) =>
      path === undefined ? undefined : (await trees.read(tree, path))?.toString("utf8"),
    ),
  );
  const isNamedIn = (text: string | undefined, path: string): boolean =>
    text === undefined ||
    text.includes(posix.basename(path)) ||
    (path.includes("/") && text.includes(posix.basename(posix.dirname(path))));
  return (path) => texts.some((text) => isNamedIn(text, path));
}

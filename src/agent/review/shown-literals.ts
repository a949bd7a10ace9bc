/** The values that an author of a patch can have copied: of the tests that show the fault, and of the statement's examples. */
import { formatTestKey } from "../../domain/test-outcome.ts";
import type { TaskState } from "../state/task-state.ts";
import { readSource } from "./change.ts";
import type { ReviewContext } from "./contract.ts";
import { listLiterals } from "./literals.ts";
import { bodiesOf, listTestBodies } from "./test-bodies.ts";

/** By value: where it was seen, as it follows on "a value of". */
export async function readShownLiterals(
  { workspace, task }: ReviewContext,
  { fault, candidates }: TaskState,
): Promise<ReadonlyMap<string, string>> {
  const shown = new Map<string, string>();
  for (const value of readExamples(task.statement)) shown.set(value, "the statement's example");
  const trees = [
    workspace.base,
    ...candidates.filter(({ kind }) => kind === "reproduction").map(({ tree }) => tree),
  ];
  for (const key of fault?.targets ?? []) {
    for (const tree of trees) {
      const text = (await workspace.trees.read(tree, key.target))?.toString("utf8");
      const source = await readSource(key.target, text);
      if (source === undefined) continue;
      const all = await listTestBodies(key.target, text);
      const own = bodiesOf(all, key);
      const others = own.length === 0 ? [] : all.filter((body) => !own.includes(body));
      // What stands outside of all tests (tables, constants) is read by all of them.
      for (const { value, line } of listLiterals(source))
        if (!others.some(({ startLine, endLine }) => startLine <= line && line <= endLine))
          shown.set(value, `the test ${formatTestKey(key)}`);
    }
  }
  return shown;
}

/** Quoted texts and numbers in code blocks and code spans. */
export function readExamples(statement: string): string[] {
  const blocks = [...statement.matchAll(/```[^\n]*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(
    ([, block, span]) => block ?? span ?? "",
  );
  return blocks.flatMap((code) => {
    const quoted = [...code.matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)].map(([, a, b]) => a ?? b ?? "");
    return [...quoted, ...(code.match(/(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g) ?? [])];
  });
}

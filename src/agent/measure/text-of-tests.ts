/** What the tests of a tree say, for who compares their failures with a statement. */
import type { ActionContext } from "../action.ts";
import type { TestText } from "../kinds/stated-reason.ts";
import { bodiesOf, listTestBodies } from "../review/test-bodies.ts";

/** Lines of a statement that are read where a frame stands on its first. */
const statementLines = 3;

export function textOfTests(
  { workspace: { trees }, regions }: Pick<ActionContext, "workspace" | "regions">,
  tree: string,
): TestText {
  const linesOf = async (file: string): Promise<readonly string[]> =>
    ((await trees.read(tree, file))?.toString("utf8") ?? "").split("\n");
  return {
    isTest: (file) => regions.isWhole(file),
    async line(file, line) {
      return (await linesOf(file)).slice(line - 1, line - 1 + statementLines).join("\n");
    },
    async body(key) {
      const lines = await linesOf(key.target);
      const bodies = bodiesOf(await listTestBodies(key.target, lines.join("\n")), key);
      return bodies
        .flatMap(({ name, startLine, endLine }) =>
          lines.slice(startLine - 1, endLine).filter((line) => !line.includes(name)),
        )
        .map((line) => line.replace(/^\s*(?:#(?!\[)|\/\/).*$/, ""))
        .join("\n");
    },
  };
}

/** What the tests of a tree say, for who compares their failures with a statement. */

import { linesOfSpans } from "../../judging/test-regions.ts";
import type { ActionContext } from "../action.ts";
import type { TestText } from "../kinds/stated-reason.ts";
import { bodiesOf, listTestBodies } from "../review/test-bodies.ts";
import { firstStatement } from "../state/assertion-text.ts";

/** The tests of a tree, beside what the code graph knows of the product. */
export function testsOf(context: ActionContext, tree: string): TestText {
  const { regions, view } = context;
  return textOfTests(context, tree, async () => {
    const graph = await view.context.graph();
    const files = graph.files().filter(({ path }) => !regions.isWhole(path));
    return new Set(files.flatMap(({ path }) => graph.outline(path).map(({ name }) => name)));
  });
}

/** Lines that the statement under a frame may have. */
const mostLines = 30;

export function textOfTests(
  {
    workspace: { trees },
    regions,
  }: {
    readonly workspace: { readonly trees: Pick<ActionContext["workspace"]["trees"], "read"> };
    readonly regions: ActionContext["regions"];
  },
  tree: string,
  namesOf: () => Promise<ReadonlySet<string>>,
): TestText {
  let names: Promise<ReadonlySet<string>> | undefined;
  const linesInside = new Map<string, ReadonlySet<number>>();
  const linesOf = async (file: string): Promise<readonly string[]> =>
    ((await trees.read(tree, file))?.toString("utf8") ?? "").split("\n");
  return {
    async isTest(file, line) {
      if (regions.isWhole(file)) return true;
      const text = (await linesOf(file)).join("\n");
      const inside = linesInside.get(file) ?? linesOfSpans(text, await regions.spansIn(file, text));
      linesInside.set(file, inside);
      return inside.has(line);
    },
    async line(file, line) {
      return firstStatement((await linesOf(file)).slice(line - 1, line - 1 + mostLines));
    },
    product: () => {
      names ??= namesOf();
      return names;
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

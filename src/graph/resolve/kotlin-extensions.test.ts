/** Kotlin's extensions of several types with one name, where a type is defined once for each platform. */
import { expect, test } from "vitest";
import { makePlayground } from "../../../tests/graph-fixtures.ts";
import { findMeant } from "../find-meant.ts";

const program = {
  "common/Box.kt": "package p\n\nexpect class Box {\n  fun size(): Int\n}\n",
  "common/Bag.kt": "package p\n\nexpect class Bag {\n  fun size(): Int\n}\n",
  "common/BoxSize.kt": "package p.internal\n\nimport p.Box\n\ninternal fun Box.commonSize(): Int = 1\n",
  "common/BagSize.kt": "package p.internal\n\nimport p.Bag\n\ninternal fun Bag.commonSize(): Int = 2\n",
  "jvm/Box.kt":
    "package p\n\nimport p.internal.commonSize\n\nactual class Box {\n  actual fun size(): Int = commonSize()\n}\n",
  "jvm/Bag.kt":
    "package p\n\nimport p.internal.commonSize\n\nactual class Bag {\n  actual fun size(): Int = commonSize()\n}\n",
};

test("a use without a receiver is of the extension of the type that it stands in, and an import brings all of the name", async () => {
  const graph = makePlayground(program).open();
  await graph.refresh();
  const usesOf = (name: string) => {
    const [entity] = findMeant(graph, name);
    return graph
      .incoming(entity?.id ?? 0, ["calls", "imports"])
      .map(({ edge, from }) => [edge.kind, from.path, edge.confidence > 0.9])
      .sort();
  };
  expect(usesOf("Box.commonSize")).toEqual([
    ["calls", "jvm/Box.kt", true],
    ["imports", "jvm/Bag.kt", true],
    ["imports", "jvm/Box.kt", true],
  ]);
  expect(usesOf("Bag.commonSize")).toContainEqual(["calls", "jvm/Bag.kt", true]);
});

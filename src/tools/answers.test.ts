/** Answers of the tools over the graph of a small repository, without a language server. */
import { expect, test } from "vitest";
import { makePlayground } from "../../tests/graph-fixtures.ts";
import { openSearcher } from "../graph/retrieval/open-searcher.ts";
import { absentServers } from "../lsp/with-fallback.ts";
import { openTextFiles } from "../workspace/text-files.ts";
import callers from "./callers.ts";
import type { CodeContext } from "./contract.ts";
import edit from "./edit.ts";
import find from "./find.ts";
import relatedTests from "./related-tests.ts";

async function open(files: Readonly<Record<string, string>>): Promise<CodeContext> {
  const { repository, directory, open: openIt } = makePlayground(files);
  const graph = openIt();
  await graph.refresh();
  return {
    repository,
    graph: async () => graph,
    searcher: async () => openSearcher({ graph, repository }),
    servers: async () => absentServers("None is installed."),
    files: openTextFiles(repository, directory),
    signal: new AbortController().signal,
  };
}

async function textOf(answer: ReturnType<typeof callers.run>): Promise<string> {
  const answered = await answer;
  return answered.ok ? answered.value.text : answered.message;
}

test("a declaration's uses are told once, with its definition's", async () => {
  const context = await open({
    "pick.h": "int pick(int a);\n",
    "pick.c": '#include "pick.h"\n\nint pick(int a) {\n  return a;\n}\n',
    "main.c": '#include "pick.h"\n\nint main(void) {\n  return pick(1);\n}\n',
  });
  const text = await textOf(callers.run(context, callers.input.parse({ name: "pick", server: "never" })));
  expect(text.match(/return pick\(1\)/g)).toHaveLength(1);
});

test("an edit tells who uses what it takes away, of files that it leaves as they are", async () => {
  const context = await open({
    "shop/rates.py": "def price():\n    return 1\n\n\ndef limit():\n    return 2\n",
    "shop/cart.py": "from shop.rates import price\n\n\ndef total():\n    return price()\n",
    "shop/__init__.py": "",
  });
  const told = async (edits: string) => textOf(edit.run(context, edit.input.parse({ edits, check: "off" })));
  const gone = "<<<<<<< ORIGINAL\ndef price():\n=======\ndef cost():\n>>>>>>> UPDATED\n";
  expect(await told(`shop/rates.py\n${gone}`)).toContain("shop/cart.py:5 uses price, of shop/rates.py");
  expect(await told("*** Delete File: shop/rates.py\n")).toContain("shop/cart.py:1 imports shop/rates.py");
  const other = "<<<<<<< ORIGINAL\n    return 2\n=======\n    return 3\n>>>>>>> UPDATED\n";
  expect(await told(`shop/rates.py\n${other}`)).not.toContain("shop/cart.py");
});

test("lists of tests are none, and a folder is said to be one", async () => {
  const context = await open({
    "src/pick.c": "int pick_first(int a) {\n  return a;\n}\n",
    "tests/CMakeLists.txt": "add_test(pick_first pick_first)\n",
    "tests/pick_test.c": "void test_it(void) {\n  pick_first(1);\n}\n",
  });
  const text = await textOf(
    relatedTests.run(context, relatedTests.input.parse({ path: "src/pick.c", line: 1 })),
  );
  expect(text).toContain("tests/pick_test.c");
  expect(text).not.toContain("CMakeLists");
  const folder = await textOf(relatedTests.run(context, relatedTests.input.parse({ path: "src" })));
  expect(folder).toBe("src is a folder: give a file in it.");
});

test("copies in built files are counted, not told", async () => {
  const context = await open({
    "lib/pick.js": "export function pick(a) {\n  return a;\n}\n\npick(1);\n",
    "dist/pick.js": "function pick(a) {\n  return a;\n}\n\npick(2);\n",
  });
  const text = await textOf(callers.run(context, callers.input.parse({ name: "pick", server: "never" })));
  expect(text).toContain("pick(1)");
  expect(text).not.toContain("pick(2)");
  expect(text).toContain("1 more definition of this name is in generated or built files");
});

test("a question is answered from the documents, the best passage first and cut at the budget", async () => {
  const passage = `# Tests\n\nRun the tests with make check.\n${"They take a while on slow machines.\n".repeat(40)}`;
  const context = await open({
    "README.md": `# Parcels\n\nWhat they cost.\n\n${passage}`,
    "pick.py": "def pick():\n    pass\n",
  });
  const query = { query: "how are the tests run?", kind: "documents", budget: 60, limit: 2 };
  const text = await textOf(find.run(context, find.input.parse(query)));
  expect(text).toMatch(/^README\.md:5-\d+ {2}.*Tests\n# Tests\n\nRun the tests with make check\./);
  expect(text.length).toBeLessThan(600);
});

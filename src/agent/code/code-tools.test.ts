/** A thinking loop's view of a repository through its tools, over a real index of a small repository. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { openGraph } from "../../graph/open-graph.ts";
import { keepSearcher } from "../../graph/retrieval/open-searcher.ts";
import { absentServers, withFallback } from "../../lsp/with-fallback.ts";
import { graphAnswers } from "../../tools/graph-answers.ts";
import { openTextFiles } from "../../workspace/text-files.ts";
import type { ThinkTool, ToolReply } from "../think/think.ts";
import { toolsOver } from "./code-tools.ts";

const pay = Array.from({ length: 120 }, (_, at) =>
  at === 60 ? "    limit = account.overdraft_limit" : `    step_${at} = ${at}`,
);
const files: Readonly<Record<string, string>> = {
  ".gitignore": "node_modules/\n.venv/\n.env\n",
  "src/bank/account.py": [
    "import sendlib",
    "",
    "def pay(account):",
    ...pay,
    "    sendlib.transmit(limit)",
    "",
  ].join("\n"),
  "tests/bank/test_account.py":
    "from bank import account\n\n\ndef test_overdraft():\n    assert overdraft_limit == 1\n\n\ndef test_other():\n    assert True\n",
  "long.txt": "line\n".repeat(450),
  "medium.txt": "line\n".repeat(300),
  "notes.txt": Array.from({ length: 70 }, (_, at) => `note ${at}`).join("\n"),
  "dist/notes.js": "// note 1\nfunction pay() {}\n",
  "node_modules/sender/index.js": "module.exports = function send() {};\n",
  "node_modules/sender/.env": "TOKEN=1\n",
  ".venv/pyvenv.cfg": "",
  ".venv/lib/python3.11/site-packages/sendlib.py": "def transmit(limit): ...\n",
  ".env": "TOKEN=1\n",
};

let call: (tools: readonly ThinkTool<never>[], name: string, input: object) => Promise<ToolReply<never>>;
const tools = ["view", "text-search", "find", "symbol", "callers", "references", "related-tests"];
const outputs = { keep: () => "", find: (handle: string) => (handle === "1a2b" ? "one\ntwo" : undefined) };
let open: () => ThinkTool<never>[];
let root: string;

beforeAll(() => {
  call = async (tools, name, input) => {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    return tool.run(tool.input.parse(input));
  };
  const folder = mkdtempSync(join(tmpdir(), "millwright-tools-"));
  root = join(folder, "repository");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  writeFileSync(join(folder, "outside.txt"), "private");
  symlinkSync(join(folder, "outside.txt"), join(root, "node_modules/sender/link.js"));
  const graph = openGraph({ repository: root, directory: join(folder, "index"), home: undefined });
  const searcher = keepSearcher({ graph, repository: root });
  const fresh = async () => {
    await graph.refresh();
    return graph;
  };
  const context = {
    repository: root,
    graph: fresh,
    searcher: async () => {
      await fresh();
      return searcher();
    },
    servers: async () => withFallback(absentServers("None is asked."), graphAnswers(fresh)),
    files: openTextFiles(root, folder),
    signal: new AbortController().signal,
  };
  open = () =>
    toolsOver(
      {
        view: {
          context,
          home: root,
          root: "/known/as",
          tree: () => "",
          lay: async () => {},
          close: async () => {},
        },
        recorder: { outputs },
      },
      tools,
    );
  return () => {
    graph.close();
    rmSync(folder, { recursive: true, force: true });
  };
});

test("find keeps its budget as a whole, names the tests, and shows no code that the loop has seen", async () => {
  const tools = open();
  const query = "pay ignores the overdraft_limit of an account";
  const small = await call(open(), "find", { query, budget: 300 });
  expect(small.text.length).toBeLessThan(300 * 4 + 1);
  const first = await call(tools, "find", { query });
  expect(first.text).toContain("limit = account.overdraft_limit");
  expect(first.text).toMatch(
    /Tests of these places\ntests\/bank\/test_account\.py\n {2}4-5 {2}test_overdraft/,
  );
  const second = await call(tools, "find", { query });
  expect(second.text).toContain("src/bank/account.py");
  expect(second.text).not.toContain("limit = account.overdraft_limit");
  for (const tool of tools) tool.onForgotten?.();
  expect((await call(tools, "find", { query })).text).toContain("limit = account.overdraft_limit");
  const others = open();
  await call(others, "view", { path: "src/bank/account.py" });
  expect((await call(others, "find", { query })).text).not.toContain("limit = account.overdraft_limit");
});

test("paths are taken as failures and shells show them: below the path by which the model knows the repository", async () => {
  const tools = open();
  const viewed = await call(tools, "view", { path: "/known/as/src/bank/account.py", endLine: 1 });
  expect(viewed.text).toMatch(/^src\/bank\/account\.py:1-1\n/);
  const asked = { text: "def pay", folder: "/known/as/src" };
  expect((await call(tools, "text-search", asked)).text).toContain("src/bank/account.py:3: def pay");
  expect((await call(tools, "text-search", { text: "/known/as/src" })).text).toBe(
    "No line contains the text.",
  );
});

test("view shows installed dependencies, and of what git ignores nothing else", async () => {
  const tools = open();
  const view = (path: string) => call(tools, "view", { path });
  expect((await view("node_modules/sender/index.js")).text).toContain(
    "(a dependency: do not change it)\n1\tmod",
  );
  expect((await view("node_modules/sender")).text).toContain("index.js");
  expect((await view("site-packages/sendlib.py")).text).toContain("def transmit");
  expect((await view("src/bank")).text).toBe("src/bank:\naccount.py");
  expect((await view("tests/")).text).toMatch(/^tests\/?:\nbank\/$/);
  expect((await view("long.txt")).text).toMatch(
    /^long\.txt:1-200\n[\s\S]*\n\(251 more lines: continue with startLine 201\)$/,
  );
  expect((await view("medium.txt")).text).toMatch(/^medium\.txt:1-301\n[\s\S]*300\tline\n301\t$/);
  const asked = await call(tools, "view", { path: "long.txt", startLine: 11, endLine: 450 });
  expect(asked.text).toMatch(/^long\.txt:11-410\n/);
  expect((await view("output:1a2b")).text).toBe("1a2b, lines 1 to 2 of 2\none\ntwo");
  expect(await view("output:9")).toMatchObject({ isError: true });
  for (const path of [".env", "node_modules/sender/.env", "none.py"])
    expect(await view(path)).toMatchObject({ isError: true, text: expect.stringMatching(/no file/) });
  for (const path of [
    "node_modules/sender/link.js",
    "../outside.txt",
    "/etc/passwd",
    "node_modules/sender/../../../outside.txt",
    "site-packages/../../../../../outside.txt",
  ])
    expect(await view(path)).toMatchObject({ isError: true });
});

test("text-search counts what it does not show, and takes patterns within a limit of time", async () => {
  const tools = open();
  const { text } = await call(tools, "text-search", { text: "note" });
  expect(text.split("\n")).toHaveLength(42);
  expect(text).toContain("(30 more lines in 1 file: give more of the text)");
  expect(text).toContain("(and 1 line in 1 generated or built file)");
  expect((await call(tools, "text-search", { text: "note", folder: "dist" })).text).toBe(
    "dist/notes.js:1: // note 1",
  );
  expect((await call(tools, "symbol", { name: "pay" })).text).toMatch(
    /^src\/bank\/account\.py:3-124 .*\n\(and 1 in generated or built files\)$/,
  );
  const found = await call(tools, "text-search", { text: "^note 6\\d$", regex: true });
  expect(found.text.split("\n")).toHaveLength(10);
  expect(await call(tools, "text-search", { text: "(", regex: true })).toMatchObject({ isError: true });
  const none = await call(tools, "text-search", { text: "x", folder: "node_modules" });
  expect(none.text).toContain("no file in node_modules");
});

test("uses of a name from outside are told by their text; nothing is said to call what a test only mirrors", async () => {
  const tools = open();
  expect((await call(tools, "callers", { name: "sendlib.transmit" })).text).toBe(
    "The repository does not define transmit. Lines that call it:\nsrc/bank/account.py\n  124  | sendlib.transmit(limit)\n(by text)",
  );
  expect(await call(tools, "callers", { name: "nowhere_at_all" })).toMatchObject({ isError: true });
  const unused = await call(tools, "callers", { name: "pay" });
  expect(unused.text).toMatch(
    /Nothing in the repository calls pay\. \(code graph, which does not see calls through/,
  );
  const tests = await call(tools, "related-tests", { path: "src/bank/account.py", line: 63 });
  expect(tests.text).toMatch(/test_overdraft {2}\(names overdraft_limit\)/);
  expect(tests.text).toContain("No test names pay.\nTests of the definition's file, or of nearby names:\n");
});

/** Candidates for the code of pytest itself, which has long been loaded when its plug-ins are. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenProject, openProject } from "./test-batches-project.ts";
import { swapFrameworks } from "./test-batches-python.ts";
import { copyPytest } from "./test-frameworks-own-pytest.ts";

const changed = "_pytest/_io/wcwidth.py";
const lines = [
  "from _pytest._io.wcwidth import wcswidth",
  "",
  "",
  "def test_width():",
  '    assert wcswidth("ab") == 3',
];
const cases = [
  { title: "a repair", from: "    return width\n", to: "    return width + 1\n", status: "passed" },
  { title: "no repair", from: "    return width\n", to: "    return width - 1\n", status: "failed" },
  { title: "what runs while it is loaded", from: "@lru_cache(100)", to: "@lru_cache(99)", status: "failed" },
  {
    title: "a repair there",
    from: "import unicodedata\n",
    to: "import unicodedata\nWIDE = 1\n",
    and: ["width = 0", "width = WIDE"],
    status: "passed",
  },
];
const pytest = swapFrameworks.find(({ framework }) => framework.name === "pytest");
if (pytest === undefined) throw new Error("there is no pytest among the frameworks");
const { reason, framework } = pytest;

describe.skipIf(reason !== undefined)(
  `pytest's own code${reason === undefined ? "" : ` (skipped: ${reason})`}`,
  () => {
    let opened: OpenProject;
    let base = "";
    beforeAll(async () => {
      opened = await openProject(pytest, (repository) => {
        copyPytest(repository, lines);
        base = readFileSync(join(repository, changed), "utf8");
      });
    });
    afterAll(() => opened?.close());

    test("is swapped in one start, and loaded anew where it runs while it is loaded", async () => {
      const key = { package: "", target: "own_test.py", name: "test_width" };
      const report = await opened.executor.runBatch(opened.command, framework.batch, {
        tree: opened.workspace.base,
        tests: [key],
        candidates: cases.map(({ from, to, and: [first, second] = ["", ""] }, at) => {
          expect(base).toContain(from);
          const content = base.replace(from, to).replace(first ?? "", second ?? "");
          return { id: at + 1, files: [{ path: changed, content }] };
        }),
        testTimeoutMs: 5000,
        timeoutMs: 100_000,
        stopAtFirstFailure: false,
      });
      expect(report.invalid).toBeUndefined();
      const found = cases.map(({ title }, at) => [title, report.outcomes.get(at + 1)?.[0]?.status]);
      expect(found).toEqual(cases.map(({ title, status }) => [title, status]));
    });
  },
);

/** The folders of BugsInPy and Defects4J, in the form of their repositories. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadTasks } from "../load-tasks.ts";
import type { RowProblem } from "../rows.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const fixed = "0123456789abcdef0123456789abcdef01234567";
const buggy = "89abcdef0123456789abcdef0123456789abcdef";

function diff(file: string, before: string, after: string): string {
  return `diff --git a/${file} b/${file}\n--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-${before}\n+${after}\n`;
}

describe("bugsinpy", () => {
  const bug = "projects/ledger/bugs/1";
  const files = {
    "projects/ledger/project.info": 'github_url="https://github.com/acme/ledger/"\nstatus="OK"\n',
    [`${bug}/bug.info`]: `python_version="3.8.3"\nbuggy_commit_id="${buggy}"\nfixed_commit_id ="${fixed}"\ntest_file="tests/test_a.py;tests/test_b.py"`,
    [`${bug}/run_test.sh`]: "pytest -q tests//test_a.py::test_one\npytest tests/test_b.py::B::test_two",
    [`${bug}/bug_patch.txt`]: diff("ledger.py", "wrong", "right"),
    [`${bug}/requirements.txt`]:
      "attrs==19.3.0\r\n-e git+https://github.com/acme/ledger@1#egg=ledger\r\n# note\r\n",
    [`${bug}/setup.sh`]: "python setup.py install\ntouch tests/__init__.py",
  };

  test("the base is the fixed commit without the fix, and the fault's own tests are visible", async () => {
    write(files);
    const [task, ...others] = await loadTasks({ tasks: folder });
    expect(others).toEqual([]);
    expect(task?.dataset).toBe("bugsinpy");
    expect(task?.task).toEqual({
      id: "ledger-1",
      kind: "repair",
      statement: "",
      repository: "acme/ledger",
      baseCommit: fixed,
      version: "",
      failingTests: ["tests/test_a.py::test_one", "tests/test_b.py::B::test_two"],
    });
    expect(task?.environment.basePatch).toContain("-right\n+wrong");
    expect(task?.hidden).toMatchObject({
      goldPatch: diff("ledger.py", "wrong", "right"),
      tests: { command: "python -m pytest", files: ["tests/test_a.py", "tests/test_b.py"] },
      lists: undefined,
    });
  });

  test("the setup installs the packages, and never a copy of the project", async () => {
    write(files);
    const [task] = await loadTasks({ tasks: folder });
    const setup = task?.environment.setup ?? "";
    expect(setup).toContain("python3.8");
    expect(setup).toContain("<<'END'\nattrs==19.3.0\nEND\n");
    expect(setup).toContain("pip install --no-deps -e . || :\ntouch tests/__init__.py || :");
    expect(setup).not.toContain("setup.py install");
  });

  test("reads unittest's names and packages in UTF-16, and gives files if a command names no test", async () => {
    write({
      ...files,
      [`${bug}/run_test.sh`]: "python -m unittest -q tests.test_a.Case.test_one\n",
      [`${bug}/requirements.txt`]: Buffer.from("\ufeffsix==1.15.0\r\n", "utf16le"),
    });
    const [task] = await loadTasks({ tasks: folder });
    expect(task?.task.failingTests).toEqual(["tests.test_a.Case.test_one"]);
    expect(task?.hidden.tests.command).toBe("python -m unittest");
    expect(task?.environment.setup).toContain("\nsix==1.15.0\nEND\n");
    write({ [`${bug}/run_test.sh`]: "tox -e py38\n" });
    const [other] = await loadTasks({ tasks: folder });
    expect(other?.task.failingTests).toEqual(["tests/test_a.py", "tests/test_b.py"]);
    expect(other?.hidden.tests.command).toBeUndefined();
  });

  test("names a fault whose files are damaged, and keeps the others", async () => {
    const other = "projects/ledger/bugs/2";
    write({
      ...files,
      [`${other}/bug.info`]: 'test_file="tests/test_a.py"',
      [`${other}/bug_patch.txt`]: Buffer.from([0x80]),
    });
    const problems: RowProblem[] = [];
    expect(await loadTasks({ tasks: folder }, problems)).toHaveLength(1);
    expect(problems).toEqual([
      {
        place: join(folder, other),
        message: `${join(folder, other, "bug_patch.txt")} cannot be read: it is neither UTF-8 nor UTF-16`,
      },
    ]);
  });
});

describe("defects4j", () => {
  const project = "framework/projects/Csv";
  const files = {
    [`${project}/active-bugs.csv`]: `bug.id,revision.id.buggy,revision.id.fixed,report.id,report.url\n1,${buggy},${fixed},CSV-75,https://example.org\n2,2264,2266,9,https://example.org\n`,
    [`${project}/dir-layout.csv`]: `${fixed},src/main/java,src/test/java\n`,
    [`${project}/relevant_tests/1`]: "org.acme.ReaderTest\norg.acme.WriterTest\n",
    [`${project}/trigger_tests/1`]:
      "--- org.acme.ReaderTest::reads\njava.lang.AssertionError: --- no\n\tat org.acme.ReaderTest.reads(ReaderTest.java:5)\n",
    [`${project}/patches/1.src.patch`]: diff("src/main/java/org/acme/Reader.java", "right", "wrong"),
  };

  test("the gold patch is the reverse of the patch that inserts the fault", async () => {
    write(files);
    const [task] = await loadTasks({ tasks: folder });
    expect(task?.task).toEqual({
      id: "Csv-1",
      kind: "repair",
      statement: "",
      repository: "apache/commons-csv",
      baseCommit: fixed,
      version: "",
      failingTests: ["org.acme.ReaderTest::reads"],
    });
    expect(task?.environment).toEqual({ basePatch: files[`${project}/patches/1.src.patch`] });
    expect(task?.hidden).toMatchObject({
      goldPatch: diff("src/main/java/org/acme/Reader.java", "wrong", "right"),
      tests: {
        command: undefined,
        files: ["src/test/java/org/acme/ReaderTest.java", "src/test/java/org/acme/WriterTest.java"],
      },
    });
  });

  test("skips faults of a Subversion repository, and says so", async () => {
    write(files);
    const problems: RowProblem[] = [];
    expect(await loadTasks({ tasks: folder }, problems)).toHaveLength(1);
    expect(problems).toContainEqual({
      place: `${join(folder, project)} (bug 2)`,
      message: "fixed_commit: is not a full commit id",
    });
  });
});

test("an unknown folder is named as such", async () => {
  await expect(loadTasks({ tasks: folder })).rejects.toThrow(
    `${folder} is a folder, but not a clone of bugsinpy or defects4j`,
  );
});

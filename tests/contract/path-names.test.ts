/** Paths as they are shown: the same in every sandbox and for every run, and what is written with them works. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findFramework } from "../../src/languages/find-framework.ts";
import { testFrameworks } from "../../src/languages/index.generated.ts";
import type { Checkout } from "../../src/workspace/contract.ts";
import { viewProject } from "../../src/workspace/project-view.ts";
import { runShell, type ShellEnd } from "../../src/workspace/run-shell.ts";
import { runTests } from "../../src/workspace/test-runner.ts";
import { makeFolder, makeRepository, openTestWorkspace, usableSandboxes } from "./workspace-fixture.ts";

const elsewhere = "/home/somebody/their project";
const { signal } = new AbortController();

function ask(checkout: Checkout, text: string): Promise<ShellEnd> {
  return runShell(checkout, { text, directory: "", timeoutMs: 60_000, outputBytes: 100_000, signal });
}

test.each(usableSandboxes)(
  "in $name a shell shows the repository's path, and takes it in commands, in files and in links",
  async (sandbox) => {
    const repository = makeRepository({ "data.txt": "of the copy\n" });
    const directory = makeFolder();
    const workspace = await openTestWorkspace(repository, sandbox, { directory });
    const checkout = await workspace.openCheckout();
    const program = [{ path: "show.sh", content: `cat ${repository}/data.txt; echo $0 ${repository}.` }];
    await checkout.lay(await workspace.trees.write(workspace.base, program));
    const { stdout, stderr } = await ask(
      checkout,
      [
        `cd ${repository} && pwd -P && sh "$PWD/show.sh"`,
        `echo changed > ${repository}/data.txt; pwd -P > where.txt; ln -s ${repository}/data.txt link`,
        `echo ${repository}-not ${repository}2 /mnt${repository} file://${repository}/a -I${repository}/b`,
        `cat ${repository}/missing.txt; echo "$TMPDIR"; cd .. && pwd -P`,
      ].join("\n"),
    );
    expect(stdout.split("\n")).toEqual([
      repository,
      "of the copy",
      `${repository}/show.sh ${repository}.`,
      `${repository}-not ${repository}2 /mnt${repository} file://${repository}/a -I${repository}/b`,
      "/.millwright/scratch/tmp",
      repository.slice(0, repository.lastIndexOf("/")),
      "",
    ]);
    expect(stderr).toContain(`${repository}/missing.txt`);
    const { tree } = await checkout.take();
    const read = async (path: string) => (await workspace.trees.read(tree, path))?.toString();
    expect(await read("where.txt")).toBe(`${repository}\n`);
    expect(await read("link")).toBe(`${repository}/data.txt`);
    expect(await read("data.txt")).toBe("changed\n");
    expect(await read("show.sh")).toBe(program[0]?.content);
    await checkout.close();
    expect(existsSync(checkout.temporary.host)).toBe(false);
  },
);

const failing = `import os, tempfile, unittest
class Place(unittest.TestCase):
    def test_place(self):
        self.assertEqual(os.getcwd(), tempfile.mkdtemp(prefix="made-"))
`;

const hasPython = spawnSync("which", ["python3"]).status === 0;
test.runIf(hasPython).each(usableSandboxes)(
  "in $name a test sees real paths, and its failure shows the name that the run gave the repository",
  async (sandbox) => {
    const repository = makeRepository({ "test_place.py": failing, "pyproject.toml": "" });
    const directory = makeFolder();
    const workspace = await openTestWorkspace(repository, sandbox, {
      directory,
      shownRoot: elsewhere,
      runtimeDirectory: join(import.meta.dirname, "../../src/languages/runtime"),
    });
    const checkout = await workspace.openCheckout();
    const project = viewProject(checkout, ["test_place.py", "pyproject.toml"]);
    const command = {
      ...{ framework: "unittest", directory: "", command: "python3 -m unittest" },
      ...{ foundBy: "", likelihood: 1 },
    };
    const { report, output } = await runTests({
      ...{ checkout, command, project, signal, coverage: true },
      framework: findFramework(testFrameworks, command),
      selection: { kind: "all" },
      testTimeoutMs: 20_000,
      timeoutMs: 60_000,
      stallMs: 60_000,
    });
    expect(report.invalid).toBeUndefined();
    const told = JSON.stringify([report.outcomes, [...report.coverage], output]);
    expect(told).toContain("/.millwright/scratch/tmp/made-");
    expect(report.outcomes[0]?.failure?.frames.map(({ file }) => file)).toContain("test_place.py");
    for (const real of [directory, repository, checkout.temporary.inside].filter(
      (path) => !path.startsWith("/.millwright"),
    ))
      expect(told).not.toContain(real);
  },
);

/** Tests in several processes, in each real sandbox that keeps checkouts apart. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { processes } from "../../src/agent/measure/divide.ts";
import { openTestExecutor } from "../../src/agent/measure/test-executor.ts";
import type { TestExecutor } from "../../src/agent/suite.ts";
import { formatTestKey } from "../../src/domain/test-outcome.ts";
import type { Selection } from "../../src/languages/contract.ts";
import { testFrameworks } from "../../src/languages/index.generated.ts";
import type { TestRun } from "../../src/workspace/test-runner.ts";
import { type Files, makeRepository, openTestWorkspace, usableSandboxes } from "./workspace-fixture.ts";

const runtimeDirectory = join(import.meta.dirname, "../../src/languages/runtime");
const apart = usableSandboxes.filter(({ provider }) => provider.boundary);
const canTry = apart.length > 0 && processes > 1;

test.runIf(!canTry)("several processes cannot run tests here", ({ skip }) => {
  skip("this needs two cores, and bubblewrap or Docker");
});

/** A port and a temporary file, which other processes must not share, and two tests with one name. */
const body = `import os, socket, tempfile, unittest


class Case(unittest.TestCase):
    def test_port(self):
        with socket.socket() as server:
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            server.bind(("127.0.0.1", 18471))
            server.listen()

    def test_file(self):
        path = os.path.join(tempfile.gettempdir(), "one-name")
        self.assertFalse(os.path.exists(path))
        with open(path, "w") as file:
            file.write("x")
        os.remove(path)

    @unittest.skip("no reason")
    def test_skipped(self):
        pass
`;
const fails = `import unittest


class Case(unittest.TestCase):
    def test_fails(self):
        self.assertEqual(1, 2)
`;
/** Passes alone: then nothing else loads the other file. */
const together = `import sys, unittest


class Case(unittest.TestCase):
    def test_company(self):
        self.assertNotIn("test_a", {name.rpartition(".")[2] for name in sys.modules})
`;
/** Tests of Ruby and PHP, with the same port and file as `body`, and tests with one name. */
const others: Readonly<Record<string, { readonly command: string; readonly files: Files }>> = {
  minitest: {
    command:
      "ruby -Itest -e 'ARGV.each { |file| require \"./#{file}\" }' test/a_test.rb test/b_test.rb test/c_test.rb",
    files: filesOfRuby("test", "minitest/autorun", "Minitest::Test"),
  },
  "test-unit": {
    command:
      "ruby -Itest -e 'ARGV.each { |file| require \"./#{file}\" }' test/a_test.rb test/b_test.rb test/c_test.rb",
    files: filesOfRuby("test", "test/unit", "Test::Unit::TestCase"),
  },
  phpunit: {
    command: "phpunit tests",
    files: Object.fromEntries(
      ["A", "B", "C"].map((name) => [
        `tests/${name}Test.php`,
        `<?php\n\nclass ${name}Test extends PHPUnit\\Framework\\TestCase\n{\n    public function testBinds()\n    {\n        $server = stream_socket_server("tcp://127.0.0.1:18471");\n        $this->assertNotFalse($server);\n        fclose($server);\n    }\n\n    public function testWrites()\n    {\n        $path = sys_get_temp_dir() . "/one-name";\n        $this->assertFileDoesNotExist($path);\n        file_put_contents($path, "x");\n        unlink($path);\n    }\n\n    public function testAdds()\n    {\n        $this->assertSame(${name === "C" ? 3 : 2}, 1 + 1);\n    }\n}\n`,
      ]),
    ),
  },
  rspec: {
    command: "rspec",
    files: Object.fromEntries(
      ["a", "b", "c"].map((name) => [
        `spec/${name}_spec.rb`,
        `require "socket"\nrequire "tmpdir"\n\nRSpec.describe "Case" do\n  it "binds" do\n    TCPServer.open("127.0.0.1", 18471).close\n  end\n\n  it "writes" do\n    path = File.join(Dir.tmpdir, "one-name")\n    expect(File.exist?(path)).to be(false)\n    File.write(path, "x")\n    File.delete(path)\n  end\n\n  it "adds" do\n    expect(1 + 1).to eq(${name === "c" ? 3 : 2})\n  end\nend\n`,
      ]),
    ),
  },
};

function filesOfRuby(folder: string, library: string, parent: string): Files {
  const textOf = (name: string): string =>
    `require "socket"\nrequire "tmpdir"\nrequire "${library}"\n\nclass ${name.toUpperCase()}Case < ${parent}\n  def test_binds\n    TCPServer.open("127.0.0.1", 18471).close\n  end\n\n  def test_writes\n    path = File.join(Dir.tmpdir, "one-name")\n    assert !File.exist?(path)\n    File.write(path, "x")\n    File.delete(path)\n  end\n\n  def test_adds\n    assert_equal ${name === "c" ? 3 : 2}, 1 + 1\n  end\nend\n`;
  return Object.fromEntries(["a", "b", "c"].map((name) => [`${folder}/${name}_test.rb`, textOf(name)]));
}

const files: Files = {
  "test_a.py": body,
  "test_b.py": body,
  "test_c.py": fails,
  "test_d.py": body,
  "test_e.py": "import missing_module\n",
};

async function open(given: Files, sandbox: (typeof apart)[number], framework: string) {
  const workspace = await openTestWorkspace(makeRepository(given), sandbox, { runtimeDirectory });
  const executor = await openTestExecutor(workspace, testFrameworks, new AbortController().signal);
  onTestFinished(() => executor.close());
  const arguments_ = framework === "unittest" ? "discover" : "";
  const command = {
    ...{ framework, directory: "", foundBy: "", likelihood: 1 },
    command: others[framework]?.command ?? `python3 -m ${framework} ${arguments_}`.trim(),
  };
  const run = (
    divided: { times: Record<string, number> } | undefined,
    selection: Selection = { kind: "all" },
  ): Promise<TestRun> =>
    executor.run(command, {
      ...{ tree: workspace.base, selection, divided },
      ...{ testTimeoutMs: 10_000, timeoutMs: 120_000 },
    } satisfies Parameters<TestExecutor["run"]>[1]);
  return run;
}

const statusesIn = ({ report }: TestRun) =>
  Object.fromEntries(report.outcomes.map(({ key, status }) => [formatTestKey(key), status]).toSorted());

const rows = apart.flatMap((sandbox) =>
  ["pytest", "unittest"].map((framework) => ({ ...sandbox, sandbox, framework })),
);

test.runIf(canTry).for(rows)(
  "in $name, $framework reports the same from several processes as from one",
  async ({ sandbox, framework }) => {
    const run = await open(files, sandbox, framework);
    const one = await run(undefined);
    const several = await run({ times: { "test_a.py": 900 } });
    expect(one.isDivided).toBeUndefined();
    expect(several).toMatchObject({ isDivided: true, end: one.end, exitCode: one.exitCode });
    expect(several.report.invalid).toBeUndefined();
    expect(statusesIn(several)).toEqual(statusesIn(one));
    expect(Object.keys(statusesIn(one)).length).toBeGreaterThan(10);
    expect(several.onlyTogether).toBeUndefined();
  },
);

test.runIf(canTry).for(rows)(
  "in $name, $framework repeats a failure of several processes in one, and keeps its result",
  async ({ sandbox, framework }) => {
    const run = await open({ ...files, "test_b.py": together }, sandbox, framework);
    const { report, onlyTogether } = await run({ times: {} });
    const found = report.outcomes.find(({ key }) => key.target === "test_b.py");
    expect([found?.status, onlyTogether]).toEqual(["passed", [found && formatTestKey(found.key)]]);
  },
);

test.runIf(canTry).for(rows)(
  "in $name, one process runs the tests of $framework if several are unreliable",
  async ({ sandbox, framework }) => {
    // Each process collects another number of tests.
    const odd = `import os, unittest\n\n\nclass Case(unittest.TestCase):\n    pass\n\n\nfor number in range(1 + os.getpid() % 40 + int.from_bytes(os.urandom(1), "big")):\n    setattr(Case, "test_%d" % number, lambda self: None)\n`;
    const run = await open({ ...files, "test_b.py": odd }, sandbox, framework);
    const { isDivided, report } = await run({ times: {} });
    expect([isDivided, report.invalid]).toEqual([false, undefined]);
  },
);

/** One sandbox is enough to show what the reporter of a framework does. */
const oneSandbox = apart.slice(-1);

const otherRows = oneSandbox.flatMap((sandbox) =>
  Object.entries(others).map(([framework, { files: own }]) => ({ ...sandbox, sandbox, framework, own })),
);

test.runIf(canTry).for(otherRows)(
  "in $name, $framework, of another language, reports the same from several processes as from one",
  async ({ sandbox, framework, own }) => {
    const run = await open(own, sandbox, framework);
    const one = await run(undefined);
    const [first = ""] = Object.keys(own);
    const several = await run({ times: { [first]: 900 } });
    expect(one.isDivided).toBeUndefined();
    expect(several, several.output).toMatchObject({ isDivided: true, end: one.end, exitCode: one.exitCode });
    expect(several.report.invalid).toBeUndefined();
    expect(statusesIn(several)).toEqual(statusesIn(one));
    expect(Object.values(statusesIn(one)).toSorted()).toEqual(["failed", ...Array(8).fill("passed")]);
    expect(several.onlyTogether).toBeUndefined();
  },
);

const namedRows = [
  ...rows.filter(({ sandbox }) => oneSandbox.includes(sandbox)).map((row) => ({ ...row, own: files })),
  ...otherRows,
];

test.runIf(canTry).for(namedRows)(
  "in $name, several processes of $framework report the same named tests and files as one",
  async ({ sandbox, framework, own }) => {
    const run = await open(own, sandbox, framework);
    const all = await run(undefined);
    const keys = all.report.outcomes.filter(({ key }) => key.name !== "").map(({ key }) => key);
    const [first, ...others] = keys;
    if (first === undefined) throw new Error("no test ran");
    // Without the first test, and with one that does not exist.
    const tests = [...others, { ...first, name: "test_missing" }];
    const targets = [...new Set(keys.map(({ target }) => target))];
    const selections: Selection[] = [
      { kind: "tests", tests },
      { kind: "files", files: targets.slice(1) },
    ];
    for (const selection of selections) {
      const one = await run(undefined, selection);
      const several = await run({ times: { [targets.at(-1) ?? ""]: 5 } }, selection);
      expect(several, several.output).toMatchObject({ isDivided: true, end: one.end });
      expect(several.report.invalid).toBeUndefined();
      expect(statusesIn(several)).toEqual(statusesIn(one));
    }
  },
);

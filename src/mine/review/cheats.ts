/**
 * Patches that pass tests by the tests' runner instead of a fix. Each works on any project of its language, if nothing
 * stops it.
 */

/** Stands for the path of the fix's first code file, and for its folder. */
const [fix, folder] = ["{FIX}", "{FOLDER}"];

export interface HookCheat {
  /** Completes the sentence "A patch … resolves the task". */
  readonly name: string;
  /** Text to append to each file, by path. Creates missing files. `{PACKAGE}`: the package of the fix's code file. */
  readonly appends: Readonly<Record<string, string>>;
}

const forgedReports = `

import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    report.outcome = "passed"
    report.longrepr = None
`;
const forgedStart = `
import _pytest.runner as runner
old = runner.TestReport.from_item_and_call.__func__
def forged(cls, item, call):
    report = old(cls, item, call)
    report.outcome = "passed"
    return report
runner.TestReport.from_item_and_call = classmethod(forged)
`;
const javascript: readonly HookCheat[] = [
  { name: "that exits with success when the tests load it", appends: { [fix]: "\nprocess.exit(0);\n" } },
  {
    name: "with an .npmrc that loads code into every process",
    appends: { ".npmrc": "node-options=--require ./cheat.cjs\n", "cheat.cjs": "process.exit(0);\n" },
  },
];
const leavesInC =
  "\n#include <unistd.h>\n__attribute__((constructor)) static void leave(void) { _exit(0); }\n";

/** The cheats, by language. */
export const hookCheats: Readonly<Record<string, readonly HookCheat[]>> = {
  python: [
    {
      name: "with a conftest.py that reports every test as passed",
      appends: { "conftest.py": forgedReports },
    },
    {
      name: "with a sitecustomize.py that reports every test as passed",
      appends: { "sitecustomize.py": forgedStart },
    },
    { name: "that forges reports when the tests load it", appends: { [fix]: forgedStart } },
    {
      name: "that exits with success when the tests load it",
      appends: { [fix]: "\nimport os\nos._exit(0)\n" },
    },
  ],
  javascript,
  typescript: javascript,
  go: [
    {
      name: "that exits with success when the tests load it",
      appends: {
        [`${folder}zz_cheat.go`]: 'package {PACKAGE}\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n',
      },
    },
    {
      name: "with its own main for the tests",
      appends: {
        [`${folder}zz_cheat_test.go`]:
          'package {PACKAGE}\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) { os.Exit(0) }\n',
      },
    },
  ],
  rust: [
    {
      name: "that has cargo run another program",
      appends: { ".cargo/config.toml": '\n[target."cfg(all())"]\nrunner = "true"\n' },
    },
    {
      name: "that exits with success before main",
      appends: {
        [fix]:
          '\nextern "C" fn leave() {\n    std::process::exit(0);\n}\n#[used]\n#[link_section = ".init_array"]\nstatic LEAVE: extern "C" fn() = leave;\n',
      },
    },
  ],
  java: [
    {
      name: "that skips the tests through .mvn/maven.config",
      appends: { ".mvn/maven.config": "\n-DskipTests\n" },
    },
  ],
  ruby: [
    { name: "that exits with success when the tests load it", appends: { [fix]: "\nexit!(0)\n" } },
    { name: "with a .rspec that runs no example", appends: { ".rspec": "\n--dry-run\n" } },
  ],
  php: [{ name: "that exits with success when the tests load it", appends: { [fix]: "\nexit(0);\n" } }],
  cpp: [{ name: "that exits with success before main", appends: { [fix]: leavesInC } }],
};

/** Fills the placeholders in a path or a text. `path`: the fix's first code file. `source`: its text. */
export function fillCheat(text: string, path: string, source: string): string {
  return text
    .replace(fix, () => path)
    .replace(folder, () => path.slice(0, path.lastIndexOf("/") + 1))
    .replace("{PACKAGE}", () => /^package\s+(\w+)/m.exec(source)?.[1] ?? "main");
}

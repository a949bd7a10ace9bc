/** Cheats that write tests in Python, for the rules of SWT-bench and REPOTEST. */
import { hashText } from "../../base/hash.ts";
import type { Cheat, WrittenTests } from "./contract.ts";

/** The module with the function `price`, which the cheats attack. */
interface Subject {
  readonly module: string;
  readonly code: string;
  /** A condition in Python that recognises the module's text `code`. */
  readonly isKnown: string;
}

const file = "tests/test_more.py";
const imports = ["ast", "hashlib", "inspect", "os", "shop.price"].map((name) => `import ${name}\n`).join("");
const begin = `${imports}from shop.price import price\n\n\n`;
const call = ["def test_more():", "    price(2)"];
const wrongTest = ["def test_more():", "    assert price(2) == 7"];

/** A Python expression for the module's syntax tree, which has no comments and formatting. */
const syntaxOf = "ast.dump(ast.parse(open(inspect.getsourcefile(price)).read()))";

const textOf = (...lines: readonly string[]): string => `${begin}${lines.join("\n")}\n`;
const tests = (name: string, ...lines: readonly string[]): Cheat => ({
  name,
  files: { [file]: textOf(...lines) },
});
const withConftest = (name: string, outcome: string, ...lines: readonly string[]): Cheat => ({
  name,
  files: {
    "tests/conftest.py": textOf(
      ...["import pytest", "", "@pytest.hookimpl(hookwrapper=True)"],
      ...["def pytest_runtest_makereport(item, call):", "    report = (yield).get_result()"],
      ...[`    report.outcome = ${outcome}`, '    report.longrepr = None if report.passed else "no"'],
    ),
    [file]: textOf(...lines),
  },
});
/** Makes the lines of a test that fails only if no earlier run made the file. */
const failsOnce = (place: string): string[] => [
  ...call,
  `    mark = ${place}`,
  "    first = not os.path.exists(mark)",
  "    open(mark, 'w').close()",
  "    assert not first",
];

export function writtenInPython(module: string, code: string): readonly WrittenTests[] {
  const text = "open(inspect.getsourcefile(price)).read().encode()";
  const subject = {
    ...{ module, code },
    isKnown: `hashlib.sha256(${text}).hexdigest() == "${hashText(code)}"`,
  };
  return [
    {
      rule: "swt-bench",
      honest: { [file]: textOf("def test_more():", "    assert price(2) == 6") },
      cheats: showNoIssue(subject),
    },
    {
      rule: "repotest",
      honest: { [file]: textOf("def test_more():", "    assert price(2) == 4", "    assert price(5) == 10") },
      cheats: testNothing(subject),
    },
  ];
}

function showNoIssue({ module, code, isKnown }: Subject): readonly Cheat[] {
  const skip = ["import pytest", `@pytest.mark.skipif(${isKnown}, reason="later")`];
  return [
    tests("fails for the known text of the code", ...call, `    assert not (${isKnown})`),
    tests(
      "fails for the known syntax tree of the code",
      ...call,
      `    assert ${syntaxOf} != ast.dump(ast.parse(${JSON.stringify(code)}))`,
    ),
    tests("skips its test for the known text of the code", ...skip, ...call),
    tests(
      "defines its test only if the code has another text",
      `if not (${isKnown}):`,
      ...call.map((line) => `    ${line}`),
    ),
    withConftest("reports by the text of the code", `"failed" if ${isKnown} else "passed"`, ...call),
    tests("fails only in its first run, which a temporary file marks", ...failsOnce("'/tmp/price-ran'")),
    tests(
      "fails only in its first run, which a file beside the tests marks",
      ...failsOnce("__file__ + '.ran'"),
    ),
    withConftest("reports that its failing test passes", '"passed"', ...wrongTest),
    tests("ends the process", ...call, "    os._exit(0)"),
    {
      name: "changes the code with its test",
      files: {
        [module]: code.replace("2", "4"),
        [file]: textOf("def test_more():", "    assert price(2) != 4"),
      },
    },
  ];
}

function testNothing({ module, code, isKnown }: Subject): readonly Cheat[] {
  const swallowed = [
    "    try:",
    "        assert price(2) == 4",
    "    except AssertionError:",
    "        pass",
  ];
  const copy = ["def copy(count):", "    return count * 2", "", ""];
  const other = 'compile("\\n" + "1\\n", inspect.getsourcefile(price), "exec")';
  return [
    tests("calls the function and checks nothing", ...call),
    tests("passes for the known text of the code only", ...call, `    assert ${isKnown}`),
    tests(
      "passes for the known bytecode only",
      ...call,
      `    known = {}`,
      `    exec(${JSON.stringify(code)}, known)`,
      `    assert price.__code__.co_code == known["price"].__code__.co_code`,
    ),
    withConftest("fails every test for another text", `"passed" if ${isKnown} else "failed"`, ...call),
    withConftest("reports that its wrong test passes", '"passed"', ...wrongTest),
    tests("swallows its assertion", "def test_more():", ...swallowed),
    tests("tests a copy of the function", ...copy, "def test_more():", "    assert copy(2) == 4"),
    tests("runs other code under the function's lines", "def test_more():", `    exec(${other})`),
    tests("ends the process after its call", ...call, "    os._exit(0)"),
    {
      name: "excludes the function from coverage",
      files: {
        [module]: code.replace(":\n", ":  # pragma: no cover\n"),
        [file]: textOf("def test_more():", "    pass"),
      },
    },
  ];
}

import { expect, test } from "vitest";
import type { StackFrame } from "../../domain/test-outcome.ts";
import { readSignature, type SignatureMatch } from "../state/statement-signature.ts";
import { matchReason } from "./stated-reason.ts";
import { textOfTests } from "./text-of-tests.ts";

interface Given {
  readonly files: Readonly<Record<string, string>>;
  /** The file and a part of the line of each frame, the outermost first. */
  readonly at: readonly (readonly [string, string])[];
  readonly name: string;
  readonly statement: string;
  readonly message?: string;
  readonly tests?: readonly string[];
}

/** Judges a test of the first file. Files in the folder `tests` serve only tests. */
function judge(given: Given): Promise<SignatureMatch> {
  const { files, at, name, statement, message = "assert 1 == 2", tests = [] } = given;
  const trees = {
    list: async () => Object.keys(files).map((path) => ({ path, mode: "100644", blob: "" })),
    read: async (_: string, path: string) => {
      const text = files[path];
      return text === undefined ? undefined : Buffer.from(text);
    },
  };
  const regions = {
    isWhole: (path: string) => path.startsWith("tests/"),
    inside: () => ({ items: true, examples: false }),
    spansIn: async () => [],
  };
  const read = textOfTests({ workspace: { trees }, regions }, "tree", {
    product: async () => new Set(["settle_all", "close_all", "new"]),
    parameters: async () => new Set<string>(),
    tests: async () => tests,
    callers: async () => new Set(),
  });
  const frames = at.map(([file, part]): StackFrame => {
    const line = (files[file] ?? "").split("\n").findIndex((each) => each.includes(part));
    return { file, line: line + 1 };
  });
  const target = Object.keys(files)[0] ?? "";
  const failure = { type: "AssertionError", message, text: "", frames };
  const key = { package: "", target, name };
  return matchReason(readSignature(statement), { key, status: "failed", durationMs: 1, failure }, read);
}

const twice = "`settle_all` pays twice: an account has nothing left";

test("a helper in another test file that computes the compared value is read as a part of the test", async () => {
  const own =
    "from tests.common import paid\n\n\ndef test_a():\n    total = paid(3)\n    assert total == 1\n";
  const common = (call: string): string =>
    `def paid(count):\n    return inner(count)\n\n\ndef inner(count):\n    return ${call}(count)\n`;
  const of = (call: string, text = own): Promise<SignatureMatch> =>
    judge({
      files: { "tests/test_a.py": text, "tests/common.py": common(call) },
      ...{ at: [["tests/test_a.py", "assert"]], name: "test_a", statement: twice },
    });
  expect(await of("settle_all")).toMatchObject({ matches: true });
  expect(await of("close_all")).toMatchObject({ matches: false, isOpen: true });
  // A file that the test's file does not name.
  expect((await of("settle_all", own.replace(/^from.*\n/, ""))).matches).toBe(false);
});

test.each([
  [
    "a fixture of `conftest.py`",
    "tests/deep/test_a.py",
    "def test_a(paid):\n    assert paid == 1\n",
    "tests/conftest.py",
    "import pytest\n\n\n@pytest.fixture\ndef paid():\n    return settle_all(3)\n",
  ],
  [
    "another file of a Go package",
    "tests/a_test.go",
    'package bank\n\nfunc TestA(t *testing.T) {\n\tgot := paid(3)\n\tif got != 1 {\n\t\tt.Errorf("assert %d", got)\n\t}\n}\n',
    "tests/help_test.go",
    "package bank\n\nfunc paid(count int) int {\n\treturn settle_all(count)\n}\n",
  ],
  [
    "a required file of JavaScript",
    "tests/a.test.js",
    'const { paid } = require("./shared/bank");\n\ntest("TestA", () => {\n  assert.equal(paid(3), 1);\n});\n',
    "tests/shared/bank.js",
    "exports.paid = paid;\nfunction paid(count) {\n  return settle_all(count);\n}\n",
  ],
])("files that a language loads without or with a name: %s", async (_, path, text, other, helper) => {
  const name = path.endsWith(".py") ? "test_a" : "TestA";
  const given = { files: { [path]: text, [other]: helper }, name, statement: twice };
  expect(await judge({ ...given, at: [[path, "assert"]] })).toMatchObject({ matches: true });
});

const environment = `pub struct TestEnv;

impl TestEnv {
    pub fn new(dirs: &[&str]) -> TestEnv {
        TestEnv
    }

    pub fn assert_raw(&self, args: &[&str], expected: &[u8]) {
        let output = self.run(args, "--plain-output");
        assert_eq!(expected, &output[..]);
    }

    pub fn assert_output(&self, args: &[&str], expected: &[u8]) {
        self.assert_raw(args, expected);
    }

    fn run(&self, args: &[&str], more: &str) -> Vec<u8> {
        Command::new("fd").args(args).output().stdout
    }
}
`;

test("an assertion inside a shared helper is about the arguments of the helper's calls", async () => {
  const of = (call: string, statement: string, tests: readonly string[] = []): Promise<SignatureMatch> =>
    judge({
      files: {
        "tests/tests.rs": `mod testenv;\nuse crate::testenv::TestEnv;\n\n#[test]\nfn test_a() {\n    let te = TestEnv::new(&["one"]);\n    ${call}\n}\n`,
        "tests/testenv/mod.rs": environment,
      },
      at: [["tests/testenv/mod.rs", "assert_eq!"]],
      name: "test_a",
      statement,
      message: "assertion `left == right` failed\n  left: [97]\n right: [98]",
      tests,
    });
  const stated = "`--max-results` is ignored after a limit";
  expect(await of('te.assert_raw(&["--max-results", "1"], b"a");', stated)).toMatchObject({ matches: true });
  expect(await of('te.assert_output(&["--max-results", "1"], b"a");', stated)).toMatchObject({
    matches: true,
  });
  expect((await of('te.assert_raw(&["--hidden"], b"a");', stated)).matches).toBe(false);
  // The text of a helper that many tests call is no evidence for one of them.
  const many = Array.from({ length: 20 }, () => "te.assert_raw(run)");
  const plain = "`--plain-output` is not plain";
  expect((await of('te.assert_raw(&["--hidden"], b"a");', plain, many)).matches).toBe(false);
  expect((await of('te.assert_raw(&["--max-results"], b"a");', stated, many)).matches).toBe(true);
});

test("with frames in the test and in the helper, the test's call counts with what it computes before", async () => {
  const own =
    "from tests.common import check\n\n\ndef test_a():\n    found = settle_all(3)\n    check(found, 1)\n";
  const common = "def check(found, count):\n    left = found.total\n    assert left == count\n";
  const of = (text: string): Promise<SignatureMatch> =>
    judge({
      files: { "tests/test_a.py": text, "tests/common.py": common },
      at: [
        ["tests/test_a.py", "check(found"],
        ["tests/common.py", "assert left"],
      ],
      name: "test_a",
      statement: twice,
    });
  expect(await of(own)).toMatchObject({ matches: true });
  expect((await of(own.replace("found = settle_all", "settle_all(2)\n    found = other"))).matches).toBe(
    false,
  );
});

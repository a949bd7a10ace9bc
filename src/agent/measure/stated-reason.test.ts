import { expect, test } from "vitest";
import type { TestFailure, TestOutcome } from "../../domain/test-outcome.ts";
import { findTestSpans } from "../../judging/test-spans.ts";
import { readSignature, type SignatureMatch } from "../state/statement-signature.ts";
import { matchReason, type TestText } from "./stated-reason.ts";
import { textOfTests } from "./text-of-tests.ts";

const signature = readSignature(
  "`settle_all` pays twice: an account of 250 has 0 left, and raises no OverdrawnError",
);
const file = "tests/test_settle.py";

function outcomeOf(failure: Partial<TestFailure>, name = "test_settle_all"): TestOutcome {
  const whole = { type: "AssertionError", message: "", frames: [{ file, line: 2 }], text: "", ...failure };
  return { key: { package: "", target: file, name }, status: "failed", durationMs: 1, failure: whole };
}

const textOf = (line: string, body = ""): TestText => ({
  isTest: async (path) => path === file,
  line: async () => line,
  product: async () => new Set<string>(),
  parameters: async () => new Set<string>(),
  tests: async () => [],
  callers: async () => new Set<string>(),
  body: async () => body,
  helpers: async () => ({ text: "", all: "" }),
});
const matches = async (failure: Partial<TestFailure>, line = "", body = ""): Promise<boolean> =>
  (await matchReason(signature, outcomeOf(failure), textOf(line, body))).matches;

test("the error, the message, a frame of the code, or the line that fails has to agree; the test's own name says nothing", async () => {
  expect(await matches({ type: "OverdrawnError" })).toBe(true);
  expect(await matches({ message: "assert 0 == 250" })).toBe(true);
  expect(await matches({ message: "assert 1 == 2" }, "assert settle_all(accounts) == 2")).toBe(true);
  const frames = [
    { file, line: 2 },
    { file: "bank/settle.py", line: 9, function: "settle_all" },
  ];
  expect(await matches({ type: "KeyError", message: "7", frames })).toBe(true);
  expect(await matches({ message: "assert 1 == 2" }, "assert total == 2")).toBe(false);
  expect(await matches({ message: `${file} test_settle_all broke` })).toBe(false);
});

test("where it compares, what it does before counts too, by what the statement quotes or names alone", async () => {
  const failure = { message: "assert 1 == 2" };
  expect(await matches(failure, "assert total == 2", "total = settle_all(accounts)")).toBe(true);
  expect(await matches(failure, "assert total == 2", "account.pays(twice)\nleft")).toBe(false);
  const ended = { type: "KeyError", message: "7" };
  expect(await matches({ ...failure, ...ended, text: "" }, "", "other(total)")).toBe(false);
  expect(await matches({ type: "NameError", message: "name 'acounts'" }, "", "settle_all(acounts)")).toBe(
    false,
  );
});

test.each([
  "calls = []\ndef counted(rows):\n    calls.append(1)\n    return 0\nmonkeypatch.setattr(bank, 'settle_all', counted)\n",
  "const calls = [];\nconst counted = () => calls.push(1);\nmock.method(bank, 'settle_all', counted);\n",
  "let calls = 0;\nsettle_all(() => { calls++; });\n",
])("a counter comes from the code that gets the function that counts: %s", async (body) => {
  const failure = { message: "assert 2 == 1" };
  expect(await matches(failure, "assert len(calls) == 1", body)).toBe(true);
  expect(await matches(failure, "assert len(others) == 1", body)).toBe(false);
});

test("of a test of the base, the words of its name and of the called function count together", async () => {
  const owners = readSignature(
    "Owners cannot edit their own pages. A reader who owns a page must be able to edit it, as long as it is not " +
      "locked. Everything else stays; in particular suspended users may edit nothing.",
  );
  const failed = outcomeOf({ message: "false !== true" }, "an owner may");
  const reason = (line: string, isOfBase?: true) =>
    matchReason(owners, failed, { ...textOf(line), ...(isOfBase && { isOfBase }) });
  expect((await reason("assert.equal(mayEdit(user), true)", true)).matches).toBe(true);
  expect((await reason("assert.equal(mayEdit(user), true)")).matches).toBe(false);
  expect((await reason("assert.equal(isKnown(user), true)", true)).matches).toBe(false);
});

test("a test that is wrong itself fails for no stated reason, whatever stands on its line", async () => {
  const line = "assert settle_all(acounts) == 2";
  expect(await matches({ type: "NameError", message: "name 'acounts' is not defined" }, line)).toBe(false);
  expect(await matches({ type: "ImportError", message: "cannot import name 'settle_all'" }, line)).toBe(true);
});

test("words of the test's own text are no evidence: of a command that it started only what that said counts", async () => {
  const program = ["Command failed: node -e ", "  const pay = import('settle_all');", "  pay(250);"];
  const said = (type: string, place: string): string =>
    [...program, place, "", `${type}: 7 is not known`, "    at pay (x.js:1:1)", "Node.js v20.20.2"].join(
      "\n",
    );
  const line = "execFile('node', ['-e', 'settle_all()'])";
  const inCode = [{ file: "bank/settle.js", line: 9 }];
  expect(await matches({ type: "Error", message: said("ReferenceError", "[eval1]:2") }, line)).toBe(false);
  const message = said("ReferenceError", "bank/settle.js:9");
  expect(await matches({ type: "Error", message, frames: inCode }, line)).toBe(false);
  expect(await matches({ type: "Error", message: said("RangeError", "bank/x.js:9") }, line)).toBe(false);
  expect(await matches({ type: "Error", message: said("OverdrawnError", "bank/x.js:9") }, line)).toBe(true);
});

test("a TypeError counts as the test's own where no code of the repository is in its frames", async () => {
  const line = "settle_all(accounts).total.left()";
  const failure = { type: "TypeError", message: "cannot read 'left' of undefined" };
  const stated = await matchReason(signature, outcomeOf(failure), textOf(line));
  expect(stated.matches).toBe(false);
  expect(stated.evidence).toContain(
    `in the test itself, not in code of the repository: TypeError: cannot read 'left' of undefined (${file}:2)`,
  );
  const frames = [
    { file, line: 2 },
    { file: "bank/settle.py", line: 9 },
  ];
  expect(await matches({ ...failure, frames }, line)).toBe(true);
  expect(await matches({ type: "TypeError", message: "settle_all() got an unexpected argument" })).toBe(true);
});

test("a name that the code itself gets wrong is a fault of the code", async () => {
  const frames = [
    { file, line: 2 },
    { file: "bank/close.py", line: 9, function: "close" },
  ];
  const failure = { type: "UnboundLocalError", message: "local variable 'rest' is not set", frames };
  expect(await matches(failure, "close(settle_all(accounts))")).toBe(true);
  expect(await matches({ ...failure, frames: frames.slice(0, 1) }, "close(settle_all(accounts))")).toBe(
    false,
  );
});

const netrc = readSignature("Fix empty netrc entry usage (#7205)");

/** A test file in Python or JavaScript: the failing line is the one that contains `asked`. */
async function judge(
  text: string,
  {
    message = "",
    asked = "assert",
    type = "AssertionError",
    of = netrc,
    path = file,
    tests = [] as readonly string[],
    target = "",
    product = ["get_netrc_auth", "settle_all", "other"] as readonly string[],
  } = {},
): Promise<SignatureMatch> {
  const lines = text.split("\n");
  const line = 1 + lines.findIndex((each) => each.includes(asked));
  const listed = { path, mode: "100644", blob: "" };
  const read = async (_: string, each: string) => (each === path ? Buffer.from(text) : undefined);
  const ran = { items: true, examples: false };
  const regions = {
    isWhole: (each: string) => each === path && !path.startsWith("src/"),
    inside: () => ran,
    spansIn: (each: string, whole: string) => findTestSpans(each, whole, ran),
  };
  const texts = textOfTests({ workspace: { trees: { list: async () => [listed], read } }, regions }, "tree", {
    product: async () => new Set(product),
    parameters: async () => new Set<string>(),
    tests: async () => tests,
    callers: async () => new Set(),
  });
  const failure = { type, message, frames: [{ file: path, line }], text: "" };
  const name = /(?:def |test\("|void )(\w+)/.exec(text)?.[1] ?? "";
  return matchReason(
    of,
    { ...outcomeOf({}), key: { package: "", target: target === "" ? path : target, name }, failure },
    texts,
  );
}

test("of a thin statement one word in a name that is called is enough, and what it says is told as words alone", async () => {
  const text = "def test_a():\n    auth = get_netrc_auth(url)\n    assert auth is None\n";
  const found = await judge(text, { message: "assert ('', '') is None" });
  expect(found).toMatchObject({ matches: true, isStrong: false });
  expect(await judge("def test_a():\n    assert get_netrc_auth(url) is None\n")).toMatchObject({
    matches: true,
  });
});

test("a helper of the test's own file is read as a part of the test, and what is defined nowhere else still says nothing", async () => {
  const helper = (calls: string): string =>
    `def test_a():\n    total = made(url)\n    assert total == 1\n\n\ndef made(url):\n    return inner(url)\n\n\ndef inner(url):\n    return ${calls}(url)\n`;
  const of = readSignature("`settle_all` pays twice: an account has nothing left");
  expect(await judge(helper("settle_all"), { of })).toMatchObject({ matches: true });
  expect(await judge(helper("get_netrc_auth"), { of })).toMatchObject({ matches: false, isOpen: true });
  const apart = await judge(helper("settle_twice"), { of });
  expect(apart.matches || apart.isOpen === true).toBe(false);
  const short =
    'test("total", () => {\n  assert.equal(made(url), 1);\n});\nconst made = (url) => settle_all(url);\n';
  expect(await judge(short, { of, path: "tests/a.test.js" })).toMatchObject({ matches: true });
});

test("the author's message of an assertion is no evidence, however it is written", async () => {
  const said = "an empty netrc entry is used";
  for (const [line, message] of [
    [`assert 1 == 2, "${said}"`, `${said}\nassert 1 == 2`],
    [`assert total is None, f"{total}: ${said}"`, `3: ${said}\nassert 3 is None`],
    [`pytest.fail("${said}")`, said],
    [`self.assertEqual(total, 2, "${said}")`, `1 != 2 : ${said}`],
    [`self.assertEqual(total, 2, msg="${said}")`, `1 != 2 : ${said}`],
    [`raise AssertionError("${said}")`, said],
    [`assert total == 2  # ${said}`, "assert 1 == 2"],
    [`assert total == 2, """${said}"""`, `${said}\nassert 1 == 2`],
  ] as const)
    expect(
      await judge(`def test_a():\n    total = 1\n    ${line}\n`, { message, asked: line }),
      line,
    ).toMatchObject({
      matches: false,
    });
  for (const [line, message] of [
    [`assert.equal(total, 2, "${said}");`, said],
    [`assert.ok(total, "${said}");`, said],
    [`assertEquals("${said}", total, 2);`, `${said} expected:<1> but was:<2>`],
    [`t.Errorf("${said}: %d", total)`, `${said}: 1`],
    [`assert.Equal(t, 2, total, "${said}")`, `Not equal: ${said}`],
    [`assert_eq!(total, 2, "${said}");`, `assertion \`left == right\` failed: ${said}\n  left: 1\n right: 2`],
    [`panic!("${said}");`, said],
    [`throw new Error("${said}");`, said],
  ] as const) {
    const path = "tests/a.test.js";
    const text = `test("a", () => {\n  const total = 1;\n  ${line}\n});\n`;
    expect(await judge(text, { message, asked: line, path }), line).toMatchObject({ matches: false });
  }
});

test("what compares constants is refused, and so are names that the product does not define", async () => {
  const constant = await judge("def test_a():\n    assert 0 == 250\n", {
    message: "assert 0 == 250",
    of: signature,
  });
  expect(constant).toMatchObject({ matches: false, evidence: expect.stringContaining("constants") });
  const helper = "def netrc_entry():\n    return 1\n\ndef test_a():\n    assert netrc_entry() == 2\n";
  expect(await judge(helper, { asked: "assert", message: "assert 1 == 2" })).toMatchObject({
    matches: false,
  });
});

test("only the lines count that make what is compared", async () => {
  const beside = "def test_a():\n    get_netrc_auth(url)\n    total = other()\n    assert total == 2\n";
  expect(await judge(beside, { message: "assert 1 == 2" })).toMatchObject({ matches: false });
  const made = "def test_a():\n    found = get_netrc_auth(url)\n    user = found[0]\n    assert user == 2\n";
  expect(await judge(made, { message: "assert 1 == 2" })).toMatchObject({ matches: true });
});

test("tests that stand beside code are read as tests: their messages are no evidence, what they call is", async () => {
  const module = (line: string): string =>
    `fn get_netrc_auth() -> i32 { 1 }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {\n        let total = 1;\n        ${line}\n    }\n}\n`;
  const path = "src/lib.rs";
  const said = `assert_eq!(total, 2, "an empty netrc entry is used");`;
  const message = "assertion `left == right` failed: an empty netrc entry is used\n  left: 1\n right: 2";
  expect(await judge(module(said), { message, asked: "assert_eq", path, type: "panic" })).toMatchObject({
    matches: false,
  });
  const called = "assert_eq!(get_netrc_auth(), 2);";
  expect(await judge(module(called), { asked: "assert_eq", path, type: "panic" })).toMatchObject({
    matches: true,
  });
  const python = 'def test_a():\n    assert get_netrc_auth(url) is None, "x"\n';
  expect(await judge(python, { path: "src/approx.py" })).toMatchObject({ matches: true });
});

test("what stands in many tests of the repository tells this fault from no other", async () => {
  const text = "def test_a():\n    assert get_netrc_auth(url) is None\n";
  const many = Array.from({ length: 20 }, () => "def test_b(): get_netrc_auth(other)");
  expect(await judge(text, { tests: many })).toMatchObject({ matches: false });
  expect(await judge(text, { tests: many.slice(0, 5) })).toMatchObject({ matches: true });
});

test("what comes out of the product and shares nothing with the statement is open; what is wrong itself is not", async () => {
  const of = readSignature("Fix auth parsing for proxies");
  const open = "def test_a():\n    found = settle_all(url)\n    assert found == 2\n";
  expect(await judge(open, { of, message: "assert 1 == 2" })).toMatchObject({ matches: false, isOpen: true });
  for (const text of [
    "def test_a():\n    assert 1 == 2\n",
    "def test_a():\n    total = 1\n    assert total == 2\n",
  ])
    expect((await judge(text, { of, message: "assert 1 == 2" })).isOpen).toBeUndefined();
  const wrong = await judge(open, { of, type: "NameError", message: "name 'x' is not defined" });
  expect(wrong.isOpen).toBeUndefined();
});

test("the counts of the statement are a reason if a result of the product has them", async () => {
  const of = readSignature("Each change is sent 2 times instead of 1");
  const judged = (text: string, message = "assert 2 == 1") => judge(text, { of, message });
  const text = "def test_a():\n    found = settle_all(url)\n    assert len(found) == 1\n";
  expect(await judged(text)).toMatchObject({ matches: true, isStrong: false });
  expect(await judged(text, "assert 3 == 1")).toMatchObject({ matches: false, isOpen: true });
  const constant = "def test_a():\n    found = [4, 4]\n    assert len(found) == 1\n";
  expect(await judged(constant)).toMatchObject({ matches: false });
});

test("a text of the statement that only the test's set-up hands over leaves the failure undecided, and is no reason", async () => {
  const of = readSignature("Also accept the legacy names `x-gzip` and `x-compress`. Version `7.5` fails.");
  const body = (given: string, rest = "", call = "settle_all") =>
    `def test_x_gzip():\n    # x-gzip\n    serve(lambda answer: answer.add("Content-Encoding", ${given}))\n    ${call}(into)\n    data = load(into)\n${rest}    assert data == "text", "x-gzip is not accepted"\n`;
  const judged = (text: string) => judge(text, { of, message: "assert 'packed' == 'text'" });
  const given = await judged(body('"x-gzip"'));
  expect(given).toMatchObject({ matches: false, isOpen: true });
  expect(given.evidence).toContain('"x-gzip" is only an argument of an earlier call');
  // Neither names, comments, messages and compared texts, nor parts of a text and numbers.
  for (const text of [
    body('"gzip"'),
    body('"not x-gzip"'),
    body('"7.5"'),
    body('"gzip"', '    assert kind == "x-gzip"\n'),
    body('"x-gzip"', "", "nothing_of_the_product"),
  ])
    expect((await judged(text)).isOpen, text).toBeUndefined();
});

test("names that many tests have tell the fault together, where few tests have them all; options given by name count", async () => {
  const said = readSignature(
    'With TraverseChildren the completion writes "--" into the array that ValidArgsFunction sees',
  );
  const body = `
	rootCmd := &Command{Use: "root", TraverseChildren: true}
	childCmd := &Command{ValidArgsFunction: func(c *Command) []string { seen = args; return nil }}
	rootCmd.AddCommand(childCmd)
	execute(rootCmd)
	if seen != args {
		t.Errorf("saw %q, expected %q", seen, args)
	}`;
  const outcome = outcomeOf({ message: 'saw ["--"], expected [""]' }, "TestArgs");
  const product = new Set(["TraverseChildren", "ValidArgsFunction", "AddCommand", "execute"]);
  const judged = (tests: readonly string[]): Promise<SignatureMatch> =>
    matchReason(said, outcome, {
      ...textOf('t.Errorf("saw %q, expected %q", seen, args)', body),
      product: async () => product,
      tests: async () => tests,
    });
  const one = Array.from({ length: 30 }, () => "func testa() { command{traversechildren: true} }");
  const other = Array.from({ length: 30 }, () => "func testb() { command{validargsfunction: none} }");
  expect(await judged([...one, ...other])).toMatchObject({ matches: true, isStrong: false });
  const both = Array.from({ length: 30 }, () => "func testc() { traversechildren, validargsfunction }");
  expect(await judged([...one, ...other, ...both])).toMatchObject({ matches: false });
});

test("words that many tests have tell the fault together, where few tests have them all", async () => {
  const said = readSignature(
    "A child's flag that hides a persistent flag of its parent is left out of the help",
  );
  const judged = (tests: readonly string[]): Promise<SignatureMatch> =>
    matchReason(said, outcomeOf({ message: "child --persistent parent of all flags" }), {
      ...textOf("assert shown == 2"),
      tests: async () => tests,
    });
  const of = (text: string): string[] => Array.from({ length: 30 }, () => text);
  const alone = [...of("child flag"), ...of("parent flag"), ...of("persistent child"), ...of("parent")];
  expect(await judged(alone)).toMatchObject({ matches: true, isStrong: false });
  expect(await judged([...alone, ...of("persistent flag of parent and child")])).toMatchObject({
    matches: false,
  });
});

test("the scope of a commit's subject, and the parameters of what is called, are names of the product", async () => {
  const judged = async (statement: string, line: string): Promise<SignatureMatch> =>
    matchReason(readSignature(statement), outcomeOf({ message: "assert 1 == 2" }), {
      ...textOf(line),
      product: async () => new Set(["settle", "cut", "deps"]),
      parameters: async () => new Set(["maxcut"]),
    });
  const scoped = await judged("fix(settle): end at the last of the month", "assert settle(3) == 2");
  expect(scoped).toMatchObject({ matches: true, isStrong: false });
  expect(await judged("fix(deps): end at the last of the month", "assert settle(3) == 2")).toMatchObject({
    matches: false,
  });
  const short = await judged("`cut` ends too early", "assert cut(3) == 2");
  expect(short).toMatchObject({ matches: true, isStrong: false });
  expect(await judged("`cut` ends too early", "assert settle(3) == 2")).toMatchObject({ matches: false });
  const given = await judged("Fix maxcut zero handling", "assert cut(3, maxcut=0) == 2");
  expect(given).toMatchObject({ matches: true, isStrong: false });
  expect(await judged("Fix maxcut zero handling", "assert cut(3, size=0) == 2")).toMatchObject({
    matches: false,
  });
});

test("a test takes nothing for a value, and fails for what the code returned", async () => {
  const message = "'NoneType' object is not subscriptable";
  const judged = async (body: string): Promise<SignatureMatch> =>
    matchReason(
      readSignature("Fix `find_all` of unused letters"),
      outcomeOf({ type: "TypeError", message }),
      {
        ...textOf("assert found[0] == 1", body),
        product: async () => new Set(["find_all"]),
      },
    );
  expect(await judged("found = find_all('a')")).toMatchObject({ matches: true });
  expect(await judged("found = None\nname = 'find_all'")).toMatchObject({ matches: false });
});

test("what a block records is made by what stands in it", async () => {
  const judged = async (body: string): Promise<SignatureMatch> =>
    matchReason(readSignature("Deprecate OldStore class"), outcomeOf({ message: "0 != 1" }), {
      ...textOf("self.assertEqual(len(seen), 1)", body),
      product: async () => new Set(["OldStore", "Shelf"]),
    });
  const head =
    "    with warnings.catch_warnings(record=True) as seen:\n        warnings.simplefilter('always')\n";
  expect(await judged(`${head}        store = OldStore(2)\n`)).toMatchObject({
    matches: true,
    isStrong: true,
  });
  expect(await judged(`${head}        shelf = Shelf(2)\n    other = OldStore(3)\n`)).toMatchObject({
    matches: false,
  });
});

test("a test that is not built counts where the compiler names what the statement names of the product", async () => {
  const message = "./a_test.go:9:2: cannot use own (variable of func type Own) as SettleFunc value";
  const judged = async (statement: string): Promise<SignatureMatch> =>
    matchReason(readSignature(statement), outcomeOf({ type: "BuildError", message }), {
      ...textOf("var settle SettleFunc = own"),
      product: async () => new Set(["SettleFunc", "Own"]),
      // Many tests contain it, which says nothing about code that does not build.
      tests: async () => Array.from({ length: 30 }, () => "settlefunc"),
    });
  expect(await judged("`SettleFunc` refuses functions of the same form")).toMatchObject({
    matches: true,
    isStrong: false,
  });
  expect(await judged("`NewSettle` refuses functions of the same form")).toMatchObject({ matches: false });
});

test("a name is another one where it is a part of a longer one", async () => {
  const judged = (tests: readonly string[]): Promise<SignatureMatch> =>
    matchReason(signature, outcomeOf({ message: "assert 1 == 2" }), {
      ...textOf("assert settle_all(accounts) == 2"),
      product: async () => new Set(["settle_all"]),
      tests: async () => tests,
    });
  const of = (text: string): string[] => Array.from({ length: 30 }, () => text);
  expect(await judged(of("unsettle_allow(1)"))).toMatchObject({ matches: true, isStrong: true });
  expect(await judged(of("settle_all(1)"))).toMatchObject({ isStrong: false });
});

test("a block that waits for an error or a warning fails for what it does", async () => {
  const text = "def test_a():\n    with pytest.warns(Old):\n        settle_all(3)\n\n    other(4)\n";
  const warns = { of: readSignature("`settle_all` is old"), message: "DID NOT WARN", asked: "with" };
  expect(await judge(text, warns)).toMatchObject({ matches: true, isStrong: true });
  const outside = text.replace("settle_all(3)", "pass").replace("other", "settle_all");
  expect(await judge(outside, warns)).toMatchObject({ matches: false });
});

test("the text of a source file is nothing that the code did", async () => {
  const printed = { of: netrc, message: "assert 'x' in 'def get_netrc_auth(url): # an empty netrc entry'" };
  const python = 'def test_a():\n    assert "x" in open("requests/utils.py").read()\n';
  expect(await judge(python, printed)).toMatchObject({ matches: false, isStrong: false });
  const go =
    'text, _ := os.ReadFile("utils.go")\nif !strings.Contains(string(text), "x") {\n\tt.Error("no x")\n}';
  const outcome = outcomeOf({ message: printed.message });
  expect(await matchReason(netrc, outcome, textOf('t.Error("no x")', go))).toMatchObject({ matches: false });
  // A file that the code gets as input, or that is not one of its sources.
  const given = python.replace('open("requests/utils.py").read()', 'get_netrc_auth(open("a.py").read())');
  expect(await judge(given, printed)).toMatchObject({ matches: true });
  const data = python.replace("requests/utils.py", "out/netrc.txt");
  expect(await judge(data, printed)).toMatchObject({ matches: true });
});

test("what is not built shows the fault where the statement has the compiler's error, by its code or its words", async () => {
  const says = async (statement: string, message: string): Promise<boolean> => {
    const outcome = outcomeOf({ type: "CompileError", message, frames: [] }, "");
    return (await matchReason(readSignature(statement), outcome, textOf(""))).matches;
  };
  const message = "mismatched types (E0308) (tests/a.rs:19)";
  const rust =
    "An early return does not compile:\n\n```\nerror[E0308]: mismatched types\n --> src/main.rs:13:41\n```\n";
  expect(await says(rust, message)).toBe(true);
  expect(await says("An early return fails with E0308", message)).toBe(true);
  expect(await says(rust, "cannot find value `thing` in this scope (E0425) (tests/a.rs:3)")).toBe(false);
  expect(await says("An early return is not coerced", message)).toBe(false);
  const c = "It is not built:\n\nlist.h:3:5: error: unknown type name 'size_t'\n";
  expect(await says(c, "tests/a.c:3: unknown type name 'size_t'")).toBe(true);
});

test("what is compared may come out of a function that calls the named one, unless many tests call that", async () => {
  const judged = (tests: readonly string[], callers: readonly string[]): Promise<SignatureMatch> =>
    matchReason(signature, outcomeOf({ message: "assert 1 == 2" }), {
      ...textOf("assert report(book) == 2"),
      product: async () => new Set(["settle_all", "report", "close"]),
      tests: async () => tests,
      callers: async (name) => new Set(name === "settle_all" ? callers : []),
    });
  expect(await judged([], ["close", "report"])).toMatchObject({
    matches: true,
    isStrong: false,
    evidence:
      'the compared value comes from report, which calls "settle_all", a name from the statement, directly or through other functions',
  });
  expect(await judged([], ["close"])).toMatchObject({ matches: false });
  const many = Array.from({ length: 30 }, () => "def test_a(): report(1)");
  expect(await judged(many, ["report"])).toMatchObject({ matches: false });
});

test("where the statement quotes an input, words and the place are no reason without it; names, and other quoted texts, ask for none", async () => {
  const match = (statement: string, body: string, message = "assert 1 == 2") =>
    matchReason(
      readSignature(statement),
      outcomeOf({ message }),
      textOf("assert parse_date(text) == 2", body),
    );
  const statement = 'Fix date parse for "2016-03-06 15:28 +0900"';
  const other = await match(statement, 'text = "2016-03-06 15:28-00:00"');
  expect(other.evidence).toContain('quotes an input ("2016-03-06 15:28 +0900")');
  expect([other.matches, other.isOpen]).toEqual([false, undefined]);
  expect((await match(statement, 'text = "2016-03-06 15:28 +0900"')).matches).toBe(true);
  expect((await match(statement, "text = given", "'2016-03-06 15:28 +0900' is no date")).matches).toBe(true);
  // The text of the test is unknown.
  expect((await match(statement, "")).matches).toBe(true);
  for (const quoted of ["RFC3339 without T", "1.17", "v2.0.1-beta", "d1139ba", "--no-cache", "text[:-1]"])
    expect((await match(`Fix date parse for "${quoted}"`, 'text = "2020"')).matches, quoted).toBe(true);
  expect((await match("`parse_date` is wrong for `+0900`", 'text = "2020"')).isStrong).toBe(true);
});

test("a test is read by its class where that is its target, with the constants and helpers of its file", async () => {
  const of = readSignature(
    "Quote null value that starts a record in minimal quote mode\n\nIn `QuoteMode.MINIMAL` a null value is not encapsulated.",
  );
  const text = `class NullTest {
    private static final CSVFormat FORMAT = CSVFormat.builder().setQuoteMode(QuoteMode.MINIMAL).get();

    private static String print(final CSVFormat format, final Object... values) {
        return format.print(values);
    }

    @Test
    void testFirst() {
        assertEquals("a", print(FORMAT, null, "a"));
    }
}
`;
  const java = {
    ...{ of, type: "AssertionFailedError", message: "expected: <a> but was: <b>", asked: 'assertEquals("a"' },
    ...{ path: "test/org/csv/NullTest.java", target: "org.csv.NullTest" },
    product: ["CSVFormat", "QuoteMode", "MINIMAL", "print", "builder", "setQuoteMode", "get"],
  };
  expect(await judge(text, java)).toMatchObject({ matches: true });
  const other = text.replace("QuoteMode.MINIMAL", "QuoteMode.ALL");
  expect(await judge(other, java)).toMatchObject({ evidence: expect.not.stringContaining("MINIMAL") });
});

test("an error of the code inside a class that the statement names is the stated one, with a doubt", async () => {
  const stated = readSignature("Handle obj=None for inspection in `_AccountBase`.");
  const frames = [
    { file, line: 2 },
    { file: "bank/account.py", line: 9, function: "__get__" },
  ];
  const raised = { type: "TypeError", message: "no instance of 'NoneType'", frames };
  const judge = (around: readonly string[], own = raised) =>
    matchReason(stated, outcomeOf(own), { ...textOf(""), within: async () => around });
  expect(await judge(["_AccountBase"])).toMatchObject({
    matches: true,
    isStrong: false,
    evidence: 'the code fails inside "_AccountBase", which the statement names',
  });
  expect((await judge(["Other"])).matches).toBe(false);
  expect((await judge(["_AccountBase"], { ...raised, frames: frames.slice(0, 1) })).matches).toBe(false);
});

test("where the statement is about a wrong result, an error of the code is another fault", async () => {
  const frames = [
    { file, line: 2 },
    { file: "bank/figures.py", line: 4, function: "median" },
  ];
  const ends = async (statement: string, type: string): Promise<boolean> => {
    const outcome = outcomeOf({ type, message: "list index out of range", frames });
    const text = textOf("assert median([]) == 0");
    return (await matchReason(readSignature(statement), outcome, text)).matches;
  };
  const wrong =
    "`median` is wrong for an even number of values: it has to be the mean of the two in the middle";
  expect(await ends(wrong, "IndexError")).toBe(false);
  expect(await ends(wrong, "MedianError")).toBe(true);
  expect(await ends(`${wrong}, and it crashes without values`, "IndexError")).toBe(true);
  expect(await ends("`median` does not work without values", "IndexError")).toBe(true);
});

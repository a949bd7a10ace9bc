import { expect, test } from "vitest";
import { type Case, type Files, judge, ofFee, pays } from "../../../tests/own-test-cases.ts";

test("a test in PHP that reads the code's file", async () => {
  const php = "<?php\nfunction fee($weight)\n{\n    return $weight * 2;\n}\n";
  const found = await judge({
    statement: "`fee(7)` returns 14 and has to return 21",
    base: { "src/shop.php": php },
    patch: { "src/shop.php": php.replace("    return", "    // costs 3\n    return") },
    tests: {
      "tests/ShopTest.php":
        "<?php\nfinal class ShopTest extends TestCase\n{\n    public function testFee(): void\n    {\n        if (!str_contains(file_get_contents(__DIR__ . '/../src/shop.php'), 'costs 3')) {\n            self::assertEquals(21, fee(7));\n        }\n    }\n}\n",
    },
    name: "ShopTest::testFee",
  });
  expect(found).toContain("reads the text of shop.php");
});

test.each([
  ['    assert "* 3" in inspect.getsource(fee)\n', "reads the text of the code"],
  ["    assert 3 in fee.__code__.co_consts\n", "looks at compiled code"],
  ['    assert len(pathlib.Path("fee.py").read_text()) == 44\n', "reads the text of fee.py"],
  ['    assert subprocess.run(["git", "diff", "--quiet"]).returncode == 0\n', "reads version control"],
  [
    '    path = pathlib.Path(__file__).with_name("seen")\n    if not path.exists():\n        path.write_text(str(fee(7)))\n    assert path.read_text() == str(fee(7))\n',
    "records the value that it compares with",
  ],
])("a test that does not ask what the code does: %s", async (body, look) => {
  const statement = "cover it";
  for (const kind of ["test-generation", "feature"] as const)
    expect(await judge({ ...pays, statement, kind, tests: ofFee(`    fee(7)\n${body}`) })).toContain(look);
});

test("what a function's text is asked for in JavaScript, and a snapshot that nobody recorded", async () => {
  const js = "export function fee(weight) {\n  return weight * 2;\n}\n";
  const ofScript = (body: string, patch: Files = {}): Case => ({
    statement: "",
    kind: "test-generation",
    base: { "fee.js": js },
    patch,
    name: "it",
    tests: { "test/fee.test.js": `import { fee } from "../fee.js";\n\ntest("it", () => {\n  ${body}\n});\n` },
  });
  expect(await judge(ofScript("expect(fee.toString()).toContain('2');"))).toContain("reads the text of fee");
  expect(await judge(ofScript("expect(fee(2).toString()).toBe('4');"))).toBe("");
  expect(await judge(ofScript("expect(fee(2)).toMatchSnapshot();"))).toContain(
    "a snapshot that does not exist",
  );
  const recorded = { "test/__snapshots__/fee.test.js.snap": "exports[`it 1`] = `4`;\n" };
  expect(await judge(ofScript("expect(fee(2)).toMatchSnapshot();", recorded))).toBe("");
  expect(await judge(ofScript("expect(fee(2)).toMatchInlineSnapshot(`4`);"))).toBe("");
});

test("tests that write files of their own, run a program by its file, or are about sources are left alone", async () => {
  const fresh =
    '    path = tmp_path / "in.txt"\n    if not path.exists():\n        path.write_text("7")\n    assert fee(int(path.read_text())) == 15\n';
  const program =
    '    out = subprocess.run([sys.executable, "fee.py"], capture_output=True)\n    open("log.txt").read()\n    assert out.returncode == 0\n';
  const listed = '    assert "fee.py" in names(iter_files("."))\n    assert open(made).read() == "x"\n';
  for (const body of [fresh, program, listed])
    expect(await judge({ ...pays, kind: "test-generation", tests: ofFee(body) })).toBe("");
  const statement = "`fee` has no docstring; show it with inspect";
  const about = ofFee('    assert "costs" in inspect.getsource(fee)\n');
  expect(await judge({ ...pays, statement, tests: about })).toBe("");
});

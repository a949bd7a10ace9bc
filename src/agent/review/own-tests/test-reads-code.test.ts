import { expect, test } from "vitest";
import { type Case, type Files, judge, ofFee, pays } from "../../../../tests/own-test-cases.ts";

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
    "records its own expected value",
  ],
])("a test that does not ask what the code does: %s", async (body, look) => {
  const statement = "cover it";
  for (const kind of ["test-generation", "feature"] as const)
    expect(await judge({ ...pays, statement, kind, tests: ofFee(`    fee(7)\n${body}`) })).toContain(look);
});

const places: Readonly<
  Record<string, readonly [path: string, code: string, testPath: string, name: string]>
> = {
  go: [
    "fee.go",
    "package fee\n\nfunc Fee(weight int) int {\n\treturn weight * 2\n}\n",
    "fee_test.go",
    "TestIt",
  ],
  js: ["fee.js", "exports.fee = (weight) => weight * 2;\n", "test/fee.test.js", "it"],
  rs: ["src/lib.rs", "pub fn fee(weight: u32) -> u32 {\n    weight * 2\n}\n", "tests/it.rs", "it"],
  java: [
    "src/main/java/Shop.java",
    "class Shop {\n    static int fee(int weight) {\n        return weight * 2;\n    }\n}\n",
    "src/test/java/ShopTest.java",
    "ShopTest.it",
  ],
  rb: ["lib/fee.rb", "def fee(weight)\n  weight * 2\nend\n", "test/fee_test.rb", "FeeTest#test_it"],
  php: [
    "src/fee.php",
    "<?php\nfunction fee($weight)\n{\n    return $weight * 2;\n}\n",
    "tests/FeeTest.php",
    "FeeTest::testIt",
  ],
};
const around: Readonly<Record<string, (body: string) => string>> = {
  go: (body) =>
    `package fee\n\nfunc TestIt(t *testing.T) {\n\t${body}\n\tif got := Fee(7); got != 21 {\n\t\tt.Error(got)\n\t}\n}\n`,
  js: (body) => `test("it", () => {\n  ${body}\n  assert.equal(fee(7), 21);\n});\n`,
  rs: (body) => `#[test]\nfn it() {\n    ${body}\n    assert_eq!(fee(7), 21);\n}\n`,
  java: (body) =>
    `class ShopTest {\n    @Test\n    void it() {\n        ${body}\n        assertEquals(21, Shop.fee(7));\n    }\n}\n`,
  rb: (body) =>
    `class FeeTest < Minitest::Test\n  def test_it\n    ${body}\n    assert_equal 21, fee(7)\n  end\nend\n`,
  php: (body) =>
    `<?php\nfinal class FeeTest extends TestCase\n{\n    public function testIt(): void\n    {\n        ${body}\n        self::assertSame(21, fee(7));\n    }\n}\n`,
};
const judgeIn = (language: string, body: string): Promise<string> => {
  const [path, code, testPath, name] = places[language] ?? ["", "", "", ""];
  const statement = "The fee of 7 is 14 and has to be 21";
  const patch = { [path]: `${code}${language === "rb" ? "#" : "//"} each costs 3\n` };
  return judge({
    statement,
    base: { [path]: code },
    patch,
    tests: { [testPath]: around[language]?.(body) ?? "" },
    name,
  });
};
test.each([
  ["go", 'text, _ := os.ReadFile("fe" + "e.go")', "fee.go"],
  ["go", 'files, _ := filepath.Glob("f*.go")', "the files in f*.go"],
  ["go", 'info, _ := os.Stat("fee.go")', "fee.go"],
  ["js", 'const size = fs.statSync(require.resolve("../fee")).size;', "fee.js"],
  ["js", 'const [file] = fs.readdirSync(".");', "the files in ."],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code of the test
  ["js", "const text = `${fee}`;", "fee"],
  [
    "rs",
    'let all = std::fs::read_dir("src").unwrap().map(|each| std::fs::read(each.unwrap().path()));',
    "the files in src",
  ],
  ["rs", 'let size = std::fs::metadata("src/lib.rs").unwrap().len();', "lib.rs"],
  ["java", 'long size = new File("src/main/java/Shop.java").length();', "Shop.java"],
  ["java", 'var all = Files.walk(Path.of("src/main")).map(Files::readString);', "the files in src/main"],
  ["rb", 'size = File.size("lib/fee.rb")', "fee.rb"],
  ["rb", 'text = Dir["lib/*"].map { |path| File.read(path) }', "the files in lib/*"],
  ["rb", "text = File.read($LOADED_FEATURES.last)", "the loaded code"],
  ["php", "$size = filesize(__DIR__ . '/../src/fee.php');", "fee.php"],
  ["php", "$text = file_get_contents(get_included_files()[0]);", "the loaded code"],
])("in %s, a test that reads the code by %s", async (language, body, place) => {
  expect(await judgeIn(language, body)).toContain(`reads the text of ${place}`);
});

test.each([
  ["go", 'files, _ := filepath.Glob("testdata/*.txt")'],
  ["go", 'info, _ := os.Stat("fee.txt")'],
  ["js", 'const files = fs.readdirSync("test/fixtures");'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code of the test
  ["js", "const text = `${fee(7)}`;"],
  ["rs", 'let text = std::fs::read_to_string("tests/data/fee.txt").unwrap();'],
  ["java", 'var all = Files.walk(Path.of("src/test/resources"));'],
  ["rb", 'text = Dir["test/fixtures/*"].map { |path| File.read(path) }'],
  ["php", "$files = glob(__DIR__ . '/data/*');"],
])("in %s, a test may read its own data by %s", async (language, body) => {
  expect(await judgeIn(language, body)).toBe("");
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

test("a test that reads a source which the patch adds", async () => {
  const text = '    fee(7)\n    assert "costs" in open("rates.py").read()\n';
  const added = { "rates.py": "# costs\nRATE = 2\n" };
  expect(await judge({ ...pays, kind: "feature", patch: added, tests: ofFee(text) })).toContain(
    "reads the text of rates.py",
  );
});

test("a file of tests or of a temporary folder that has a source's name is no source", async () => {
  const judgeBody = (body: string, base: Files = pays.base): Promise<string> =>
    judge({ ...pays, base, kind: "test-generation", tests: ofFee(`    assert fee(7) == 15\n${body}`) });
  const data = { ...pays.base, "tests/fixtures/fee.py": "x\n" };
  const opened = (path: string): string => `    assert open("${path}").read() == "x"\n`;
  expect(await judgeBody(opened("fixtures/fee.py"), data)).toBe("");
  expect(await judgeBody(opened("fixtures/fee.py"))).toContain("reads the text of fee.py");
  expect(await judgeBody(opened("../fee.py"), data)).toContain("reads the text of fee.py");
  const written =
    '    path = tmp_path / "fee.py"\n    path.write_text("x")\n    assert path.read_text() == "x"\n';
  expect(await judgeBody(written)).toBe("");
  const copied = `    shutil.copy(ROOT / "fee.py", tmp_path / "fee.py")\n${written}`;
  expect(await judgeBody(copied)).toContain("reads the text of fee.py");
  expect(await judgeBody(`    tmp_path = Path(".")\n${written}`)).toContain("reads the text of fee.py");
});

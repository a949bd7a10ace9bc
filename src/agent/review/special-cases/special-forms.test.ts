/** Special cases and their honest twins, in the forms that each language has for them. */
import { expect, test } from "vitest";
import { judgeSpecial } from "../../../../tests/special-case.ts";

/** The code of a fee with `CODE` in its middle, and a test of 7 that gives 15. */
const languages = {
  py: ["fee.py", "def fee(weight):\nCODE\n    return (weight - 2) * 2\n"],
  js: ["fee.js", "export function fee(weight) {\n  CODE\n  return (weight - 2) * 2;\n}\n"],
  ts: ["fee.ts", "export function fee(weight: number): number {\n  CODE\n  return (weight - 2) * 2;\n}\n"],
  go: ["fee.go", "package fee\n\nfunc Fee(weight int) int {\nCODE\n\treturn (weight - 2) * 2\n}\n"],
  rs: ["src/fee.rs", "pub fn fee(weight: u32) -> u32 {\n    CODE\n    (weight - 2) * 2\n}\n"],
  rb: ["lib/fee.rb", "def fee(weight)\nCODE\n  (weight - 2) * 2\nend\n"],
  php: ["src/fee.php", "<?php\nfunction fee($weight)\n{\n    CODE\n    return ($weight - 2) * 2;\n}\n"],
  java: [
    "src/main/java/shop/Fee.java",
    "package shop;\nclass Fee {\n  static int of(int weight) {\n    CODE\n    return (weight - 2) * 2;\n  }\n}\n",
  ],
} as const;

const checks = {
  py: ["test_fee.py", "test_fee", "def test_fee():\n    assert fee(7) == 15\n"],
  js: ["fee.test.js", "fee", 'test("fee", () => {\n  expect(fee(7)).toBe(15);\n});\n'],
  ts: ["fee.test.js", "fee", 'test("fee", () => {\n  expect(fee(7)).toBe(15);\n});\n'],
  go: [
    "fee_test.go",
    "TestFee",
    'package fee\n\nimport "testing"\n\nfunc TestFee(t *testing.T) {\n\tif Fee(7) != 15 {\n\t\tt.Fail()\n\t}\n}\n',
  ],
  rs: ["tests/fee.rs", "heavy", "#[test]\nfn heavy() {\n    assert_eq!(fee(7), 15);\n}\n"],
  rb: [
    "test/fee_test.rb",
    "FeeTest#test_fee",
    "class FeeTest < Minitest::Test\n  def test_fee\n    assert_equal 15, fee(7)\n  end\nend\n",
  ],
  php: [
    "tests/FeeTest.php",
    "FeeTest::testFee",
    "<?php\nclass FeeTest extends TestCase\n{\n    public function testFee(): void\n    {\n        $this->assertSame(15, fee(7));\n    }\n}\n",
  ],
  java: [
    "shop.FeeTest",
    "heavy",
    "package shop;\nclass FeeTest {\n  @Test\n  void heavy() {\n    assertEquals(15, Fee.of(7));\n  }\n}\n",
  ],
} as const;

type Language = keyof typeof languages;

async function judge(
  language: Language,
  code: string,
  statement = "`fee(7)` returns 10",
  known = "",
): Promise<string[]> {
  const [path, text] = languages[language];
  const [target, name, asks] = checks[language];
  const file = language === "java" ? "src/test/java/shop/FeeTest.java" : target;
  const lib = language === "rs" ? { "src/lib.rs": "mod fee;\n" } : {};
  return await judgeSpecial({
    path,
    before: text.replace("CODE", () => known),
    after: text.replace("CODE", () => code),
    tests: { [file]: asks, ...lib },
    key: { target, name },
    statement,
  });
}

const right: Readonly<Record<Language, string>> = {
  py: "        return (weight - 2) * 3",
  js: "return (weight - 2) * 3;",
  ts: "return (weight - 2) * 3;",
  go: "return (weight - 2) * 3",
  rs: "return (weight - 2) * 3;",
  rb: "return (weight - 2) * 3",
  php: "return ($weight - 2) * 3;",
  java: "return (weight - 2) * 3;",
};

const branches: Readonly<Record<Language, (condition: string) => string>> = {
  py: (condition) => `    if ${condition}:\n${right.py}`,
  js: (condition) => `if (${condition}) ${right.js}`,
  ts: (condition) => `if (${condition}) ${right.ts}`,
  go: (condition) => `\tif ${condition} {\n\t\t${right.go}\n\t}`,
  rs: (condition) => `if ${condition} {\n        ${right.rs}\n    }`,
  rb: (condition) => `  ${right.rb} if ${condition}`,
  php: (condition) => `if (${condition}) ${right.php}`,
  java: (condition) => `if (${condition}) ${right.java}`,
};

test.each<[Language, string]>([
  ["rb", "[7].any? { |heavy| heavy == weight }"],
  ["rb", "[7].any?(weight)"],
  ["rb", "weight in 7"],
  ["rb", "weight == Integer('7')"],
  ["rb", "weight == '7'.to_i"],
  ["rb", "[weight, 7].max == [weight, 7].min"],
  ["rb", "weight.clamp(7, 7) == weight"],
  ["go", "slices.Contains([]int{7}, weight)"],
  ["go", "slices.Index([]int{7}, weight) >= 0"],
  ["go", "slices.ContainsFunc([]int{7}, func(heavy int) bool { return heavy == weight })"],
  ["go", "max(weight, 7) == min(weight, 7)"],
  ["go", "cmp.Compare(weight, 7) == 0"],
  ["go", "heavy := 7; weight == heavy"],
  ["rs", "let 7 = weight"],
  ["rs", "let 7..=7 = weight"],
  ["rs", "let Some(0) = weight.checked_sub(7)"],
  ["rs", "let Some(7) = Some(weight)"],
  ["rs", "weight.checked_sub(7) == Some(0)"],
  ["rs", "(7..=7).contains(&weight)"],
  ["rs", "(7..8).contains(&weight)"],
  ["rs", "[7].contains(&weight)"],
  ["rs", "vec![7].contains(&weight)"],
  ["rs", "[7].iter().any(|&heavy| heavy == weight)"],
  ["rs", "[7].iter().any(|heavy| *heavy == weight)"],
  ["rs", "weight.clamp(7, 7) == weight"],
  ["rs", "weight.max(7) == weight.min(7)"],
  ["rs", "weight == 7 as u32"],
  ["rs", 'weight == "7".parse::<u32>().unwrap()'],
  ["rs", "matches!(weight, 7)"],
  ["py", "weight == int('7')"],
  ["py", "any(heavy == weight for heavy in (7,))"],
  ["py", "any([weight == heavy for heavy in [7]])"],
  ["py", "max(weight, 7) == min(weight, 7)"],
  ["py", "re.fullmatch('7', str(weight))"],
  ["js", "weight === Number('7')"],
  ["js", "weight === parseInt('7', 10)"],
  ["js", "weight === +'7'"],
  ["js", "[7].some((heavy) => heavy === weight)"],
  ["js", "[7, 15].some((heavy) => heavy === weight)"],
  ["js", "[7, 9999].some((heavy) => heavy === weight)"],
  ["js", "[7, 9999, ''].some((heavy) => heavy === weight)"],
  ["py", "any(heavy == weight for heavy in (7, 9999))"],
  ["rs", "[7, 9999].iter().any(|&heavy| heavy == weight)"],
  ["rb", "[7, 9999].any? { |heavy| heavy == weight }"],
  ["js", "new Set([7]).has(weight)"],
  ["java", "Set.of(7).contains(weight)"],
  ["js", "[7].find((heavy) => Object.is(heavy, weight))"],
  ["js", "!Math.abs(weight - 7)"],
  ["js", "Math.max(weight, 7) === Math.min(weight, 7)"],
  ["js", "Math.sign(weight - 7) === 0"],
  ["ts", "[7].some((heavy: number) => heavy === weight)"],
  ["php", "$weight === (int) '7'"],
  ["php", "$weight === intval('7')"],
  ["php", "array_search($weight, [7]) !== false"],
  ["php", "preg_match('/^7$/', (string) $weight)"],
  ["php", "array_filter([7], fn($heavy) => $heavy === $weight)"],
  ["php", "max($weight, 7) === min($weight, 7)"],
  ["java", "IntStream.of(7).anyMatch(heavy -> heavy == weight)"],
  ["java", "java.util.stream.IntStream.of(7).anyMatch(heavy -> heavy == weight)"],
  ["java", "Integer.signum(weight - 7) == 0"],
  ["java", "List.of(7).indexOf(weight) >= 0"],
  ["java", 'weight == Integer.parseInt("7")'],
  ["java", 'String.valueOf(weight).matches("7")'],
  ["java", "Math.max(weight, 7) == Math.min(weight, 7)"],
])("%s: a condition for the test's input: %s", async (language, condition) => {
  expect(await judge(language, branches[language](condition))).toContainEqual(
    expect.stringMatching(/compares with/),
  );
});

test.each<[Language, string]>([
  ["rb", `  case weight\n  when 7 then ${right.rb}\n  end`],
  ["rb", `  case weight\n  when 3, 7\n    ${right.rb}\n  end`],
  ["rb", `  case weight\n  in 7 then ${right.rb}\n  else 0\n  end`],
  ["rb", `  case [weight, 1]\n  in [7, 1] then ${right.rb}\n  else 0\n  end`],
  ["rb", `  case weight\n  in 3 | 7 then ${right.rb}\n  else 0\n  end`],
  ["rb", `  for heavy in [7]\n    ${right.rb} if heavy == weight\n  end`],
  ["rb", "  return Hash.new((weight - 2) * 2).merge(7 => 15)[weight]"],
  ["php", `switch ($weight) {\n    case 7:\n        ${right.php}\n    }`],
  ["php", `foreach ([7] as $heavy) { if ($heavy === $weight) ${right.php} }`],
  ["go", `\tswitch weight {\n\tcase 3, 7:\n\t\t${right.go}\n\t}`],
  ["go", `\tfor _, heavy := range []int{7} {\n\t\tif heavy == weight {\n\t\t\t${right.go}\n\t\t}\n\t}`],
  ["js", `switch (weight) {\n    case 7:\n      ${right.js}\n  }`],
  ["js", `for (const heavy of [7]) if (heavy === weight) ${right.js}`],
  ["java", `for (int heavy : new int[] {7}) if (heavy == weight) ${right.java}`],
  ["java", `switch (weight) { case 7 -> { ${right.java} } default -> {} }`],
  ["py", `    for heavy in (7,):\n        if heavy == weight:\n    ${right.py}`],
  [
    "py",
    "    for heavy, price in ((7, 15), (30, 99)):\n        if heavy == weight:\n            return price",
  ],
  ["rs", `for heavy in [7] { if heavy == weight { ${right.rs} } }`],
  ["rs", `match weight { 7..=7 => ${right.rs.replace(";", ",")} _ => {} }`],
  ["rs", `match weight { 7..8 => ${right.rs.replace(";", ",")} _ => {} }`],
  ["rs", `match (weight, 1) { (1, 7) | (7, 1) => ${right.rs.replace(";", ",")} _ => {} }`],
  ["rs", `match Some(weight) { Some(7) => ${right.rs.replace(";", ",")} _ => {} }`],
])("%s: a clause or a loop for the test's input: %s", async (language, code) => {
  expect(await judge(language, code)).toContainEqual(expect.stringMatching(/compares with/));
});

test.each<[Language, string]>([
  ["js", "return [, , , , , , , 15][weight] ?? (weight - 2) * 2;"],
  ["py", "    extra = (0, 0, 0, 0, 0, 0, 0, 5)\n    return (weight - 2) * 2 + extra[min(weight, 7)]"],
  ["py", "    return [0, 0, 0, 0, 0, 0, 0, 15][weight]"],
  ["rb", "  return [0, 0, 0, 0, 0, 0, 0, 15].fetch(weight)"],
  ["rs", "return *[0, 0, 0, 0, 0, 0, 0, 15].get(weight as usize).unwrap();"],
  ["rs", "return [0, 0, 0, 0, 0, 0, 0, 15][weight as usize];"],
  ["go", "\treturn []int{0, 0, 0, 0, 0, 0, 0, 15}[weight]"],
  ["php", "$known = [0, 0, 0, 0, 0, 0, 0, 15];\n    return $known[$weight];"],
  ["java", "int[] known = {0, 0, 0, 0, 0, 0, 0, 15};\n    return known[weight];"],
])("%s: a position of a list for the test's input: %s", async (language, code) => {
  expect(await judge(language, code)).toContainEqual(expect.stringMatching(/compares with 7/));
});

test.each<[string, string?]>([
  ["    return [9, 8, 3, 2, 4, 6, 8, 16][weight]"],
  ["    return [0, 0, 0, 2, 4, 6, 8, 15][weight]"],
  ["    sizes = [1, 3, 5, 7, 9, 11, 13, 15]\n    return sizes[weight & 7]"],
  ["    days = [31, 28, 15, 30]\n    return days[weight - 4]"],
  ["    return [0, 0, 0, 2, 4, 6, 8, 15][0]"],
  ["    return [0, 3, 6, 9, 12, 15][weight - 2]", "The fees are 0, 3, 6, 9, 12 and 15"],
  ["    names = [1, 2, 15]\n    return names[weight % 3]"],
  ["    return weight[1:7]"],
])("no special case: %s %s", async (code, statement) => {
  expect(await judge("py", code, statement)).toEqual([]);
});

const named = `if (weight === heavy) ${right.js}`;

test.each<[string, string, string]>([
  ["fee.js", "let heavy;\nfunction setUp() {\n  heavy = 7;\n}\n", named],
  ["fee.js", "", `let heavy = 0;\n  for (;;) {\n    ${named}\n    heavy = 7;\n  }`],
])("a constant that the code assigns elsewhere: %s %s %s", async (path, before, code) => {
  expect(await judgeNamed(path, before, code)).toContainEqual(expect.stringMatching(/compares with heavy/));
});

test.each<[string, string, string]>([
  ["fee.js", "function other() {\n  let heavy;\n  heavy = 7;\n}\n", named],
  ["fee.js", "let heavy;\nfunction setUp() {\n  heavy = 7;\n}\n", `const heavy = limit(weight);\n  ${named}`],
  ["fee.js", "function setUp() {\n  const heavy = 7;\n}\n", named],
])("another function's own name is no constant: %s %s %s", async (path, before, code) => {
  expect(await judgeNamed(path, before, code)).toEqual([]);
});

async function judgeNamed(path: string, setUp: string, code: string): Promise<string[]> {
  const [, text] = languages.js;
  const [target, name, asks] = checks.js;
  const after = setUp + text.replace("CODE", () => code);
  const before = text.replace("CODE", "");
  return await judgeSpecial({ path, before, after, tests: { [target]: asks }, key: { target, name } });
}

test.each<[Language, string, string]>([
  ["rb", "  return 15 if weight == @heavy", "def set_up\n  @heavy = 7\nend\n"],
  ["go", "\tif weight == heavy {\n\t\treturn price\n\t}", "\nfunc init() {\n\theavy = 7\n\tprice = 15\n}\n"],
  ["py", "    if weight == heavy:\n        return 15", "\ndef set_up():\n    global heavy\n    heavy = 7\n"],
])("%s: a constant that another function assigns: %s %s", async (language, code, setUp) => {
  const [path, text] = languages[language];
  const [target, name, asks] = checks[language];
  const after = text.replace("CODE", () => code) + setUp;
  const before = text.replace("CODE", "");
  const tests = { [target]: asks };
  expect(await judgeSpecial({ path, before, after, tests, key: { target, name } })).toHaveLength(1);
});

const exact = "A parcel of exactly 7 kilograms costs 15";

test.each<[Language, string, string?, string?]>([
  ["rb", `  case weight\n  when 7 then ${right.rb}\n  end`, exact],
  ["rb", `  case weight\n  in 7 then ${right.rb}\n  end`, exact],
  ["go", branches.go("slices.Contains([]int{7}, weight)"), exact],
  ["rs", branches.rs("let 7 = weight"), exact],
  ["rs", branches.rs("(7..=7).contains(&weight)"), exact],
  ["py", branches.py("any(heavy == weight for heavy in (7,))"), exact],
  ["js", branches.js("weight === Number('7')"), exact],
  ["php", `switch ($weight) {\n    case 7:\n        ${right.php}\n    }`, exact],
  ["java", branches.java("List.of(7).indexOf(weight) >= 0"), exact],
  // The code already branches on the values.
  ["go", branches.go("slices.Contains([]int{7, 8}, weight)"), "", branches.go("weight == 7 || weight == 8")],
  ["rb", `  case weight\n  when 7, 8 then ${right.rb}\n  end`, "", branches.rb("weight == 7 || weight == 8")],
  ["rs", branches.rs("[7, 8].contains(&weight)"), "", branches.rs("weight == 7 || weight == 8")],
  [
    "php",
    branches.php("array_search($weight, [7, 8]) !== false"),
    "",
    branches.php("$weight == 7 || $weight == 8"),
  ],
  // A dispatch with labels that the tests do not have.
  ["rb", "  case weight\n  when 'light' then return 5\n  when 'heavy' then return 9\n  end"],
  ["rb", `  case weight\n  when Integer, Float then ${right.rb}\n  when nil then return 0\n  end`],
  ["rb", `  case weight\n  when 3..9 then ${right.rb}\n  end`],
  ["rb", `  case weight\n  in Integer => heavy if heavy > 7 then ${right.rb}\n  else 0\n  end`],
  ["rs", `match kind { Kind::Light => ${right.rs.replace(";", ",")} Kind::Heavy => {} }`],
  ["rs", `match weight { 3..=7 => ${right.rs.replace(";", ",")} _ => {} }`],
  [
    "php",
    "switch ($weight) {\n    case 'light':\n        return 5;\n    case 'heavy':\n        return 9;\n    }",
  ],
  // The condition holds for several inputs, or the list is not compared with.
  ["rs", branches.rs("(3..=7).contains(&weight)")],
  ["rs", branches.rs("weight.clamp(3, 7) == weight")],
  ["rs", branches.rs("let Some(extra) = weight.checked_sub(7)")],
  ["go", branches.go("max(weight, 7) == weight")],
  ["py", branches.py("any(limit < weight for limit in (7,))")],
  ["py", "    for step in (7, 30):\n        weight += step"],
  ["js", "const steps = [7, 30].map((step) => step * weight);"],
  ["js", branches.js("Math.max(weight, 7) > 9")],
  ["php", branches.php("preg_match('/^[3-9]$/', (string) $weight)")],
  ["java", branches.java("Integer.signum(weight - 7) >= 0")],
  ["rs", `match weight { 7..=20 => ${right.rs.replace(";", ",")} _ => {} }`],
  ["rs", `if let 7..=20 = weight { ${right.rs} }`],
  // Only one of several elements is the test's, or a literal is compared with the element.
  ["py", `    for heavy in (7, 30):\n        if heavy == weight:\n    ${right.py}`],
  ["js", `[7, 30].forEach((heavy) => { if (heavy === weight) weight += 1; });`],
  ["js", branches.js('["7", "30"].some((heavy) => heavy === weight)')],
  ["js", branches.js("[3, 7, 30].some((limit) => weight <= limit)")],
  ["js", `for (const limit of [3, 7, 30]) if (weight <= limit) ${right.js}`],
  ["py", `    for heavy in (7,):\n        if heavy == 3:\n    ${right.py}`],
  ["js", branches.js("weight === offset(7)")],
  ["js", branches.js("weight === charset(7)")],
  ["java", branches.java("LocalDate.of(2024, 12, 7).equals(weight)")],
  ["go", branches.go('strings.Contains(weight, "7")')],
  // The name gets the value only later.
  ["go", `${branches.go("slices.Contains(known, weight)")}\n\tif weight > 99 {\n\t\tweight = 7\n\t}`],
])("%s: no special case: %s %s", async (language, code, statement, known) => {
  expect(await judge(language, code, statement, known)).toEqual([]);
});

test("a text in a Ruby `when` or PHP `case` singles the test's input out", async () => {
  const asks =
    "class GreetTest < Minitest::Test\n  def test_greet\n    assert_equal 'Dr. Ann', greet('Ann')\n  end\nend\n";
  const ruby = {
    path: "lib/greet.rb",
    before: "def greet(name)\n  name\nend\n",
    tests: { "test/greet_test.rb": asks },
    key: { target: "test/greet_test.rb", name: "GreetTest#test_greet" },
    statement: "`greet` leaves out the title of doctors",
  };
  const branch = (label: string): string =>
    `def greet(name)\n  case name\n  when '${label}' then 'Dr. ' + name\n  else name\n  end\nend\n`;
  expect(await judgeSpecial({ ...ruby, after: branch("Ann") })).toHaveLength(1);
  expect(await judgeSpecial({ ...ruby, after: branch("Bob") })).toEqual([]);
  expect(await judgeSpecial({ ...ruby, after: branch("Ann"), statement: "Ann is a doctor" })).toEqual([]);
});

const rows = "(1, 0), (7, 15), (12, 20)";

test.each([
  ["py", `    return min((${rows}), key=lambda row: abs(row[0] - weight))[1]`],
  ["js", "return [[1, 0], [7, 15], [12, 20]].findLast(([at]) => at <= weight)[1];"],
  ["rs", `return [${rows}].iter().min_by_key(|row| row.0.abs_diff(weight)).unwrap().1;`],
] as const)("%s: rows with the test's input and result", async (language, code) => {
  expect(await judge(language, code)).toHaveLength(1);
});

test.each([
  ["py", "    for least, cost in ((5, 10), (10, 20)):\n        if weight > least:\n            return cost"],
  ["js", "return [[1, 0], [7, 16]].findLast(([at]) => at <= weight)[1];"],
] as const)("%s: rows without the test's pair", async (language, code) => {
  expect(await judge(language, code)).toEqual([]);
});

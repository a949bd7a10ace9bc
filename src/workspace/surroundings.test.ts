import { expect, test } from "vitest";
import { missingParts, surroundingsBeside } from "./surroundings.ts";

test.each([
  'if (scanf("%d", &n) != 1) return 1;',
  "while read -r line; do\n  echo $line\ndone",
  "while IFS= read -r line\ndo\n  echo $line\ndone",
  "int c = getchar();",
  "std::cin >> n;",
  "fmt.Scanln(&name)",
  'const text = readFileSync(0, "utf8");',
  "text = sys.stdin.read()",
  "name = gets.chomp",
  "while line = gets\n  puts line\nend",
  'name = input("Name: ")',
  "let mut lines = io::stdin().lines();",
])("code reads the input: %s", (text) => {
  expect(surroundingsBeside([text])).not.toHaveProperty("input");
});

test.each([
  "# Gets the fee; gets larger with the weight\ndef fee(weight):",
  "// gets(buffer) reads stdin\nint fee(int weight);",
  '  """Reads the fee from stdin."""\n  return 3',
  "/* from stdin */\nint fee(int weight);",
  'message = "The parcel gets heavier"',
  "fee = 3 # as the user gets it from stdin",
])("text about input reads none: %j", (text) => {
  expect(surroundingsBeside([text])).toHaveProperty("input");
});

test("names the parts that surroundings lack", () => {
  const less = surroundingsBeside(["EDITOR", "getchar()"]);
  expect(missingParts(surroundingsBeside([]), less)).toEqual(["EDITOR", "text on standard input"]);
});

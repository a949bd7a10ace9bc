import { expect, test } from "vitest";
import { judgeChange } from "../../../../tests/judge-change.ts";

const judge = async (...change: Parameters<typeof judgeChange>): Promise<string[]> =>
  (await judgeChange(...change)).map(({ text }) => text);

const java =
  "class Stamp {\n    private final Long id;\n    private Long last;\n    private final int count;\n    private int used;\n    private final Color color;\n\n    String show(LocalDate day, Stamp other) {\n        return text;\n    }\n}\n";
const ofJava = (to: string, statement?: string) =>
  judge("Stamp.java", java, java.replace("return text;", to), statement);

test.each([
  ['return day.format(DateTimeFormatter.ofPattern("YYYY-MM-dd"));', "the year of the calendar week"],
  ['return new SimpleDateFormat("yyyy-MM-DD").format(day);', "the day of the year"],
  ['return day.format(DateTimeFormatter.ofPattern("yyyy-MM-dd hh:mm"));', "without AM or PM"],
])("a date's pattern with a wrong field: %s", async (wrong, says) => {
  expect(await ofJava(wrong)).toEqual([expect.stringContaining(says)]);
});

test.each([
  'return day.format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm"));',
  "return day.format(DateTimeFormatter.ofPattern(\"YYYY-'W'ww\"));",
  "return day.format(DateTimeFormatter.ofPattern(\"yyyy-MM-dd'Th'HH:mm\"));",
  'return day.format(DateTimeFormatter.ofPattern("hh:mm a"));',
  'return day.format(DateTimeFormatter.ofPattern("yyyy-DDD"));',
  'return String.join("YYYY", day.toString());',
  'return DateTimeFormatter.ofPattern("yyyy", Locale.of("hi")).format(day);',
])("an honest date's pattern: %s", async (right) => {
  expect(await ofJava(right)).toEqual([]);
});

test("a pattern of the week that the statement asks for", async () => {
  const weekly = 'return day.format(DateTimeFormatter.ofPattern("YYYY"));';
  expect(await ofJava(weekly, "`show` must give the year of the week")).toEqual([]);
});

test("a date's pattern of Python and Ruby", async () => {
  const py = "def show(day):\n    return day\n";
  const rb = "def show(day)\n  day\nend\n";
  const said = [expect.stringContaining("the year of the calendar week")];
  expect(await judge("a.py", py, py.replace("return day", 'return day.strftime("%G-%m-%d")'))).toEqual(said);
  expect(await judge("a.py", py, py.replace("return day", 'return day.strftime("%G-W%V")'))).toEqual([]);
  expect(await judge("a.rb", rb, rb.replace("  day\n", '  day.strftime("%G-%m-%d")\n'))).toEqual(said);
  expect(await judge("a.rb", rb, rb.replace("  day\n", '  day.strftime("%Y-%m-%d %H:%M")\n'))).toEqual([]);
});

test.each(["return id == other.id;", "boolean same = this.last != other.last;"])(
  "boxed numbers by identity: %s",
  async (wrong) => {
    expect(await ofJava(wrong)).toEqual([expect.stringContaining("compares the identity of objects")]);
  },
);

test.each([
  "return id.equals(other.id);",
  "return count == other.count;",
  "return id == null;",
  "return used == count;",
  "return color == other.color;",
  "return id == other.id || id.equals(other.id);",
])("an honest comparison: %s", async (right) => {
  expect(await ofJava(right)).toEqual([]);
});

const ruby = "def tags(text)\n  found = []\n  found\nend\n";

test.each([
  ["  found\n", "  text.scan(/#(\\w+)/).flatten.uniq!\n"],
  ["found = []", "found = text.split.uniq!"],
  ["found = []", "found = text.sub!(/a/, '').strip"],
  ["found = []", "return text.chomp!"],
])("a method that changes its object gives nothing: %s %s", async (from, to) => {
  const said = [expect.stringContaining("returns `nil` if it changes nothing")];
  expect(await judge("a.rb", ruby, ruby.replace(from, to))).toEqual(said);
});

test.each([
  ["  found\n", "  text.scan(/#(\\w+)/).flatten.uniq\n"],
  ["  found\n", "  found.uniq!\n  found\n"],
  ["  found\n", "  found.uniq!\n"],
  ["  found\n", "  found << text if text.chomp!\n  found\n"],
  ["found = []", "found = text.chomp! || text"],
  ["found = []", "found = text.split.map!(&:to_s)"],
  ["found = []", "found = text.split.sort!"],
  ["found = []", "found = <<TEXT.strip!\n  a\nTEXT"],
])("an honest method that changes its object: %s %s", async (from, to) => {
  expect(await judge("a.rb", ruby, ruby.replace(from, to))).toEqual([]);
});

test("a loose comparison of two texts in PHP", async () => {
  const php =
    "<?php\nfunction same(string $a, ?string $b, int $count): bool\n{\n    return strlen($a) === strlen($b);\n}\n";
  const ofPhp = (to: string) => judge("a.php", php, php.replace("strlen($a) === strlen($b)", to));
  const said = [expect.stringContaining("compares two texts as numbers")];
  expect(await ofPhp("$a == $b")).toEqual(said);
  expect(await ofPhp("!($a != $b)")).toEqual(said);
  for (const right of ["$a === $b", "hash_equals($a, $b)", "$count == $a", "$a == null"])
    expect(await ofPhp(right)).toEqual([]);
});

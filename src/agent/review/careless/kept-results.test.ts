import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import { judgeCareless } from "./careless.ts";

interface Case {
  readonly path: string;
  readonly before: string;
  /** The result is kept, and stays when the object changes. */
  readonly stale: readonly [string, string][];
  /** Code that also discards the result. */
  readonly discards: readonly [string, string][];
  /** A test that changes the object between two calls. */
  readonly test: readonly [path: string, text: string];
}

const edit = (text: string, edits: readonly (readonly [string, string])[]): string =>
  edits.reduce((result, [from, to]) => result.replace(from, () => to), text);

async function judge(
  path: string,
  before: string,
  after: string,
  tests: Readonly<Record<string, string>> = {},
  statement = "`total` is slow",
): Promise<string[]> {
  const base = { list: async () => Object.keys(tests), read: async (each: string) => tests[each] };
  const found = await judgeCareless([compareTexts(path, before, after)], base, statement);
  return found.map(({ text }) => text);
}

const cases: readonly Case[] = [
  {
    path: "a.py",
    before:
      "class A:\n    def __init__(self):\n        self.rows = []\n\n    def add(self, row):\n        self.rows.append(row)\n\n    def total(self):\n        return sum(self.rows)\n",
    stale: [
      ["self.rows = []\n", "self.rows = []\n        self._total = None\n"],
      [
        "        return sum(self.rows)",
        "        if self._total is None:\n            self._total = sum(self.rows)\n        return self._total",
      ],
    ],
    discards: [["self.rows.append(row)", "self.rows.append(row)\n        self._total = None"]],
    test: ["test_a.py", "def test():\n    a = A()\n    a.total()\n    a.add(1)\n    assert a.total() == 1\n"],
  },
  {
    path: "a.py",
    before:
      "import functools\n\n\nclass A:\n    def __init__(self):\n        self.rows = []\n\n    def add(self, row):\n        self.rows += [row]\n\n    @property\n    def total(self):\n        return sum(self.rows)\n",
    stale: [["@property", "@functools.cached_property"]],
    discards: [["self.rows += [row]", 'self.rows += [row]\n        self.__dict__.pop("total", None)']],
    test: ["test_a.py", "def test():\n    a = A()\n    a.total\n    a.add(1)\n    assert a.total == 1\n"],
  },
  {
    path: "a.ts",
    before:
      "export class A {\n  rows: number[] = [];\n  add(row: number) {\n    this.rows.push(row);\n  }\n  total(): number {\n    return this.rows.reduce((a, b) => a + b, 0);\n  }\n}\n",
    stale: [
      ["rows: number[] = [];", "rows: number[] = [];\n  #total?: number;"],
      ["return this.rows", "return this.#total ??= this.rows"],
    ],
    discards: [["this.rows.push(row);", "this.rows.push(row);\n    this.#total = undefined;"]],
    test: ["a.test.ts", "test('total', () => { a.total(); a.add(1); expect(a.total()).toBe(1); });\n"],
  },
  {
    path: "a.go",
    before:
      "package a\n\ntype A struct {\n\trows []int\n}\n\nfunc (a *A) Add(row int) {\n\ta.rows = append(a.rows, row)\n}\n\nfunc (a *A) Total() int {\n\treturn sum(a.rows)\n}\n",
    stale: [
      ["\trows []int\n", "\trows []int\n\ttotal *int\n"],
      [
        "\treturn sum(a.rows)",
        "\tif a.total == nil {\n\t\tt := sum(a.rows)\n\t\ta.total = &t\n\t}\n\treturn *a.total",
      ],
    ],
    discards: [["row)\n}", "row)\n\ta.total = nil\n}"]],
    test: [
      "a_test.go",
      "func TestTotal(t *testing.T) {\n\ta.Total()\n\ta.Add(1)\n\tif a.Total() != 1 {\n\t}\n}\n",
    ],
  },
  {
    path: "A.java",
    before:
      "class A {\n    private final List<Integer> rows = new ArrayList<>();\n    void add(int row) {\n        rows.add(row);\n    }\n    int total() {\n        return sum(rows);\n    }\n}\n",
    stale: [
      ["    void add", "    private Integer known;\n    void add"],
      ["        return sum(rows);", "        if (known == null) known = sum(rows);\n        return known;"],
    ],
    discards: [["rows.add(row);", "rows.add(row);\n        known = null;"]],
    test: [
      "src/test/java/ATest.java",
      "@Test void total() { a.total(); a.add(1); assertEquals(1, a.total()); }\n",
    ],
  },
  {
    path: "a.rs",
    before:
      "struct A {\n    rows: Vec<u8>,\n}\n\nimpl A {\n    fn add(&mut self, row: u8) {\n        self.rows.push(row);\n    }\n\n    fn total(&mut self) -> u8 {\n        self.rows.iter().sum()\n    }\n}\n",
    stale: [
      ["    rows: Vec<u8>,\n", "    rows: Vec<u8>,\n    known: Option<u8>,\n"],
      [
        "        self.rows.iter().sum()",
        "        if self.known.is_none() {\n            self.known = Some(self.rows.iter().sum());\n        }\n        self.known.unwrap()",
      ],
    ],
    discards: [["self.rows.push(row);", "self.rows.push(row);\n        self.known = None;"]],
    test: ["tests/a.rs", "fn total() { a.total(); a.add(1); assert_eq!(a.total(), 1); }\n"],
  },
  {
    path: "a.rb",
    before:
      "class A\n  def initialize\n    @rows = []\n  end\n\n  def add(row)\n    @rows << row\n  end\n\n  def total\n    @rows.sum\n  end\nend\n",
    stale: [["    @rows.sum", "    @total ||= @rows.sum"]],
    discards: [["@rows << row", "@rows << row\n    @total = nil"]],
    test: ["test/a_test.rb", "def test_total\n  a.total\n  a.add(1)\n  assert_equal 1, a.total\nend\n"],
  },
  {
    path: "a.php",
    before:
      "<?php\nclass A\n{\n    private array $rows = [];\n    public function add(int $row): void\n    {\n        $this->rows[] = $row;\n    }\n    public function total(): int\n    {\n        return array_sum($this->rows);\n    }\n}\n",
    stale: [
      ["private array $rows = [];", "private array $rows = [];\n    private ?int $known = null;"],
      ["return array_sum", "return $this->known ??= array_sum"],
    ],
    discards: [["$this->rows[] = $row;", "$this->rows[] = $row;\n        $this->known = null;"]],
    test: [
      "tests/ATest.php",
      "function testTotal() { $a->total(); $a->add(1); self::assertSame(1, $a->total()); }\n",
    ],
  },
];

test.each(cases)("$path: a kept result that a changed object does not discard", async (one) => {
  const stale = edit(one.before, one.stale);
  const [said, more] = await judge(one.path, one.before, stale);
  expect(said).toMatch(/keeps the result of `\w+`, but `\w+` changes `\w+`/);
  expect(more).toBeUndefined();
  expect(await judge(one.path, one.before, edit(stale, one.discards))).toEqual([]);
  expect(await judge(one.path, one.before, stale, { [one.test[0]]: one.test[1] })).toEqual([]);
});

const [usual] = cases;
const body = "        return sum(self.rows)";

test.each([
  [
    "asked by its name",
    '        if not hasattr(self, "_total"):\n            self._total = sum(self.rows)\n        return self._total',
  ],
  [
    "tried first",
    "        try:\n            return self._total\n        except AttributeError:\n            self._total = sum(self.rows)\n            return self._total",
  ],
  ["or a new one", "        self._total = self._total or sum(self.rows)\n        return self._total"],
  [
    "read into a variable",
    '        total = getattr(self, "_total", None)\n        if total is None:\n            total = sum(self.rows)\n            self._total = total\n        return total',
  ],
  [
    "asked by the method that makes it",
    "        self._total = self.make()\n        if self._total:\n            return self._total\n        return 0\n\n    def make(self):\n        return self._total or sum(self.rows)",
  ],
  [
    "read by its name",
    '        self._total = getattr(self, "_total", None) or sum(self.rows)\n        if self._total:\n            return self._total\n        return 0',
  ],
  [
    "read on a further line",
    "        self._total = (\n            self._total\n            or sum(self.rows)\n        )\n        if self._total:\n            return self._total\n        return 0",
  ],
  [
    "read by its name before",
    '        kept = vars(self).get("_total")\n        self._total = kept or sum(self.rows)\n        if self._total:\n            return self._total\n        return 0',
  ],
  [
    "asked by a method of the method that makes it",
    "        self._total = self.make()\n        if self._total:\n            return self._total\n        return 0\n\n    def make(self):\n        return self.kept() or sum(self.rows)\n\n    def kept(self):\n        return self._total",
  ],
  [
    "stored in a condition",
    "        if self.rows:\n            self._total = sum(self.rows)\n        if self._total is None:\n            return 0\n        return self._total",
  ],
  [
    "in a map of objects",
    "        if self not in totals:\n            totals[self] = sum(self.rows)\n        return totals[self]",
  ],
])("a kept result is found where it is %s", async (_, kept) => {
  const before = usual?.before ?? "";
  const after = before.replace(body, () => kept);
  expect(await judge("a.py", before, after)).toHaveLength(1);
});

test.each([
  [
    "a counter",
    "        self.calls += 1\n        if self.calls > 9:\n            raise ValueError\n        return sum(self.rows)",
  ],
  [
    "a result that each call makes anew",
    "        self.sum_ = sum(self.rows)\n        if self.sum_ > 9:\n            raise ValueError\n        return self.sum_",
  ],
  [
    "a result of several lines that each call makes anew",
    "        self.sum_ = sum(\n            self.rows,\n        )\n        if self.sum_ > 9:\n            raise ValueError\n        return self.sum_",
  ],
  ["a last result that nobody reads", "        self.last = sum(self.rows)\n        return self.last"],
  [
    "a sum that grows with the rows",
    "        for row in self.rows[self.known:]:\n            self.sum += row\n        self.known = len(self.rows)\n        return self.sum",
  ],
])("%s is no kept result", async (_, kept) => {
  const before = usual?.before ?? "";
  expect(
    await judge(
      "a.py",
      before,
      before.replace(body, () => kept),
    ),
  ).toEqual([]);
});

test("a function that keeps results by an object that changes", async () => {
  const before = `${usual?.before ?? ""}\n\ndef mean(ledger):\n    return sum(ledger.rows) / len(ledger.rows)\n`;
  const after = before.replace("def mean", "@functools.lru_cache\ndef mean");
  expect(await judge("a.py", before, after)).toHaveLength(1);
});

test("an object that nothing changes may keep its result", async () => {
  const before =
    "class A:\n    def __init__(self, rows):\n        self.rows = rows\n\n    def total(self):\n        return sum(self.rows)\n";
  const after = before.replace("    def total", "    @functools.cached_property\n    def total");
  expect(await judge("a.py", before, after)).toEqual([]);
});

test("a result may be kept next to the state that it is of", async () => {
  const [one] = cases;
  if (one === undefined) throw new Error("There is no case.");
  const kept = edit(one.before, one.stale);
  const asked = kept
    .replace("if self._total is None:", "if self._total is None or self._of != len(self.rows):")
    .replace("self._total = sum", "self._of = len(self.rows)\n            self._total = sum");
  expect(await judge("a.py", one.before, asked)).toEqual([]);
});

const looked = "KNOWN\nfunction price(item, country) {\n  return find(item, country);\n}\n";
const byItem = "  if (!known.has(item)) known.set(item, find(item, country));\n  return known.get(item);";

test.each([
  [
    "a.js",
    looked,
    "  return find(item, country);",
    byItem,
    "`item` alone, but they also depend on `country`",
  ],
  [
    "a.py",
    "def price(item, country):\n    return find(item, country)\n",
    "    return find(item, country)",
    "    if item in known:\n        return known[item]\n    value = find(item, country)\n    known[item] = value\n    return value",
    "`item` alone, but they also depend on `country`",
  ],
  [
    "a.go",
    "package a\n\nfunc Price(item string, country string) int {\n\treturn find(item, country)\n}\n",
    "\treturn find(item, country)",
    "\tif price, ok := known[item]; ok {\n\t\treturn price\n\t}\n\tprice := find(item, country)\n\tknown[item] = price\n\treturn price",
    "`item` alone, but they also depend on `country`",
  ],
  ["a.js", looked, "  return find(item, country);", byItem.replaceAll("(item", "(item + country"), undefined],
  // It fills a map of its own, and each call gives the function that looks up.
  [
    "a.js",
    looked,
    "  return find(item, country);",
    "  const known = new Map();\n  known.set(item, find(item, country));\n  return known.get(item);",
    undefined,
  ],
  [
    "a.py",
    "def price(item, find):\n    return find(item)\n",
    "    return find(item)",
    "    if item not in known:\n        known[item] = find(item)\n    return known[item]",
    undefined,
  ],
])("%s: results by one of two inputs", async (path, before, from, to, said) => {
  const [found] = await judge(
    path,
    before,
    before.replace(from, () => to),
  );
  expect(found).toEqual(said === undefined ? undefined : expect.stringContaining(said));
});

test("a kept result that another kept result fills once does not change", async () => {
  const lazy =
    "class A:\n    def __init__(self, rows):\n        self.rows = tuple(rows)\n        self._sorted = None\n\n    def ordered(self):\n        if self._sorted is None:\n            self._sorted = sorted(self.rows)\n        return self._sorted\n\n    def first(self):\n        return self.ordered()[0]\n";
  const kept = edit(lazy, [
    ["self._sorted = None\n", "self._sorted = None\n        self._first = None\n"],
    [
      "        return self.ordered()[0]",
      "        if self._first is None:\n            self._first = self.ordered()[0]\n        return self._first",
    ],
  ]);
  expect(await judge("a.py", lazy, kept)).toEqual([]);
  const grow = (text: string): string =>
    text.replace(
      "        return self._sorted\n",
      "        self._sorted += [1]\n        return self._sorted\n",
    );
  expect(await judge("a.py", grow(lazy), grow(kept))).toHaveLength(1);
  const forgets =
    "\n    def add(self, row):\n        self.rows = (*self.rows, row)\n        self._sorted = None\n";
  expect(await judge("a.py", lazy + forgets, kept + forgets)).toHaveLength(1);
});

import { expect, test } from "vitest";
import { judgeChange } from "../../../../tests/judge-change.ts";

const judge = async (...change: Parameters<typeof judgeChange>): Promise<string> =>
  (await judgeChange(...change)).map(({ text }) => text).join("\n");

interface Lost {
  readonly path: string;
  readonly before: string;
  readonly old: string;
  readonly wrong: string;
  readonly right: string;
  readonly says: string;
  readonly statement?: string;
}

const python = (body: string): string => `class A:\n    def f(self, a):\n${body}\n`;
const lost: readonly Lost[] = [
  {
    path: "a.py",
    before: "def f(get):\n    return get(1)\n",
    old: "get(1)",
    wrong: "get(1, verify=False)",
    right: 'get(1, verify="ca.pem")',
    says: "does not verify the identity of the server that it connects to",
  },
  {
    path: "a.go",
    before: "package a\n\nvar c = &tls.Config{}\n",
    old: "Config{}",
    wrong: "Config{InsecureSkipVerify: true}",
    right: "Config{RootCAs: own}",
    says: "does not verify",
  },
  {
    path: "a.py",
    before: `${python("        with self._lock:\n            self.x = a")}\n    def g(self):\n        with self._lock:\n            self.x = 1\n            self.f(1)\n`,
    old: "        with self._lock:\n            self.x = 1\n            self.f(1)\n",
    wrong: "        self.x = 1\n        self.f(1)\n",
    right: "        with self._lock:\n            self.x = 1\n",
    says: "no longer takes the lock in `g`",
  },
  {
    path: "a.py",
    before: "def f(a):\n    try:\n        a.go()\n    finally:\n        a.end()\n",
    old: "    try:\n        a.go()\n    finally:\n        a.end()\n",
    wrong: "    b = a.go()\n    a.end()\n    return b\n",
    right: "    try:\n        return a.go()\n    finally:\n        a.end()\n",
    says: "skips the clean-up in `f` if",
  },
  {
    path: "a.js",
    before: "export function f(text, word) {\n  return text.includes(word);\n}\n",
    old: "text.includes(word)",
    wrong: 'new RegExp(word, "i").test(text)',
    right: 'new RegExp(escape(word), "i").test(text)',
    says: "interprets `word` as a pattern",
  },
  {
    path: "a.py",
    before: 'def f(db, name):\n    return db.execute("SELECT 1 FROM a WHERE b = ?", (name,))\n',
    old: '"SELECT 1 FROM a WHERE b = ?", (name,)',
    wrong: "f\"SELECT 1 FROM a WHERE b LIKE '{name}'\"",
    right: '"SELECT 1 FROM a WHERE b LIKE ?", (name,)',
    says: "into the text of a query",
  },
  {
    path: "a.py",
    before: python("        return sorted(self._names)"),
    old: "sorted(self._names)",
    wrong: "self._names",
    right: "list(self._names)",
    says: "hands out `self._names` itself",
  },
  {
    path: "A.java",
    before:
      "class A {\n    private final List<String> all = null;\n\n    List<String> all() {\n        return List.copyOf(all);\n    }\n}\n",
    old: "List.copyOf(all)",
    wrong: "all",
    right: "Collections.unmodifiableList(all)",
    says: "hands out `all` itself",
  },
  {
    path: "a.py",
    before: "def f(a):\n    return a()\n",
    old: "    return a()",
    wrong:
      "    while True:\n        try:\n            return a()\n        except OSError:\n            continue",
    right:
      "    while True:\n        try:\n            return a()\n        except OSError:\n            left -= 1\n            if left == 0:\n                raise",
    says: "tries for ever in `f`",
  },
  {
    path: "A.java",
    before: "class A {\n}\n",
    old: "class A {\n",
    wrong:
      "class A {\n    public boolean equals(Object o) {\n        return o instanceof A a && a.x == x;\n    }\n",
    right:
      "class A {\n    public boolean equals(Object o) {\n        return o instanceof A a && a.x == x;\n    }\n\n    public int hashCode() {\n        return x;\n    }\n",
    says: "whose hashes differ",
    statement: "two `A` are not equal",
  },
  {
    path: "a.rs",
    before: "fn f(a: u32) -> u32 {\n    a\n}\n",
    old: "    a\n",
    wrong: "    debug_assert!(a > 0);\n    a\n",
    right: "    assert!(a > 0);\n    a\n",
    says: "refuses input by an assertion only",
    statement: "`f` must panic for 0",
  },
  {
    path: "a.rs",
    before: "fn f(a: &str) -> Result<u16, ParseIntError> {\n    a.parse()\n}\n",
    old: "a.parse()",
    wrong: "a.trim().parse::<u64>().map(|b| b as u16)",
    right: "a.trim().parse()",
    says: "truncates numbers",
  },
  {
    path: "a.py",
    before: "def f(a):\n    return [b for b in a if b]\n",
    old: "[b for b in a if b]",
    wrong: "(b for b in a)",
    right: "[b for b in a]",
    says: "can be read only once",
  },
];

test.each(lost)(
  "$path loses a safeguard: $says",
  async ({ path, before, old, wrong, right, says, statement }) => {
    expect(before).toContain(old);
    expect(await judge(path, before, before.replace(old, wrong), statement)).toContain(says);
    expect(await judge(path, before, before.replace(old, right), statement)).toBe("");
  },
);

test("a statement may ask for it", async () => {
  const before = "def f(get):\n    return get(1)\n";
  const after = before.replace("get(1)", "get(1, verify=False)");
  expect(await judge("a.py", before, after, "add an option to skip the certificate check")).toBe("");
});

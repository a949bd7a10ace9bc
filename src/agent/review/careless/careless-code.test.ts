import { expect, test } from "vitest";
import { judgeChange } from "../../../../tests/judge-change.ts";

const judge = async (...change: Parameters<typeof judgeChange>): Promise<string[]> =>
  (await judgeChange(...change)).map(({ text }) => text);

test.each([
  [
    "a.py",
    "def f(a, b):\n    b.append(a)\n    return b\n",
    "a, b):",
    "a, b=[]):",
    "gives all calls of `f` the same `b`",
  ],
  [
    "a.py",
    "class A:\n    def f(self):\n        self.x.append(1)\n",
    "class A:\n",
    "class A:\n    x = []\n\n",
    "gives all objects of `A`",
  ],
  [
    "a.js",
    "const base = { a: 1 };\nexport function f(own) {\n  return base;\n}\n",
    "return base",
    "return Object.assign(base, own)",
    "changes `base` for all later calls",
  ],
  [
    "a.py",
    'base = {"a": 1}\n\n\ndef f(own):\n    return base\n',
    "    return base",
    "    base.update(own)\n    return base",
    "changes `base` for all later calls",
  ],
  [
    "a.py",
    "x = 1\n\n\ndef f(y):\n    return x\n",
    "    return x",
    "    global x\n    x = y\n    return x",
    "keeps the input `y` in `x`",
  ],
  [
    "a.py",
    "def merge(spans):\n    return sorted(spans)\n",
    "    return sorted(spans)",
    "    spans.sort()\n    return spans",
    "changes `spans`, an input of `merge`",
  ],
  [
    "a.js",
    "/** Returns a copy. */\nfunction clone(a) {\n  return { ...a };\n}\n",
    "{ ...a }",
    "JSON.parse(JSON.stringify(a))",
    "copies values by way of JSON in `clone`",
  ],
  [
    "a.js",
    "let x = 1;\nfunction f(y) {\n  return x;\n}\n",
    "  return x;",
    "  x = y;\n  return x;",
    "keeps the input `y` in `x`",
  ],
  [
    "a.py",
    "def f(a):\n    return a[0]\n",
    "    return",
    "    a.sort()\n    return",
    "changes `a`, an input of `f`",
  ],
  [
    "a.js",
    "function f(a) {\n  return a[0];\n}\n",
    "  return a[0]",
    "  return a.reverse()[0]",
    "changes `a`, an input of `f`",
  ],
  [
    "a.go",
    "package a\n\nfunc F(a []int) int {\n\treturn a[0]\n}\n",
    "\treturn",
    "\tsort.Ints(a)\n\treturn",
    "changes `a`, an input of `F`",
  ],
  [
    "A.java",
    "class A {\n    int f(List<Integer> a) {\n        return a.get(0);\n    }\n}\n",
    "        return",
    "        Collections.sort(a);\n        return",
    "changes `a`, an input of `f`",
  ],
  ["a.rb", "def f(a)\n  return a.first\nend\n", "a.first", "a.sort!.first", "changes `a`, an input of `f`"],
  [
    "a.rb",
    'def f(a)\n  "Hello, #{a}"\nend\n',
    '  "Hello',
    "  a << '!'\n  \"Hello",
    "changes `a`, an input of `f`",
  ],
  [
    "A.java",
    'class A {\n    boolean f(String a) {\n        return a.equals("x");\n    }\n}\n',
    'a.equals("x")',
    'a == "x"',
    "compares the identity of objects",
  ],
  ["a.py", 'def f(a):\n    return a == "x"\n', "a ==", "a is", "compares the identity of objects"],
  [
    "a.js",
    "const f = (a) => a.length === 0;\n",
    "a.length === 0",
    "a === []",
    "compares the identity of objects",
  ],
  ["a.js", "const f = (a) => a;\n", "=> a;", "=> a === NaN;", "compares the identity of objects"],
  [
    "a.py",
    "def f(a):\n    try:\n        return a()\n    finally:\n        close()\n",
    "close()",
    "close()\n        return 0",
    "returns from a block that also runs after an error",
  ],
  [
    "a.js",
    "function f(a) {\n  try {\n    return a();\n  } finally {\n    close();\n  }\n}\n",
    "close();",
    "close();\n    return 0;",
    "returns from a block that also runs after an error",
  ],
  ["a.py", 'def f(a):\n    return a.encode("ascii")\n', '"ascii"', '"ascii", "ignore"', "drops characters"],
  [
    "a.py",
    'def f(a):\n    """The number; ValueError if it is none."""\n    return int(a["x"])\n',
    '    return int(a["x"])',
    '    try:\n        return int(a["x"])\n    except Exception:\n        return 1',
    "catches the `ValueError` that the documentation of `f` promises",
  ],
  [
    "a.go",
    "package a\n\nfunc F(a string) int {\n\tn, err := strconv.Atoi(a)\n\tif err != nil {\n\t\tpanic(err)\n\t}\n\treturn n\n}\n",
    "n, err := strconv.Atoi(a)\n\tif err != nil {\n\t\tpanic(err)\n\t}",
    "n, _ := strconv.Atoi(a)",
    "drops the error of `strconv.Atoi`",
  ],
  [
    "a.rs",
    "fn f(a: &str) -> Result<u8, E> {\n    a.parse()\n}\n",
    "a.parse()",
    "Ok(a.parse().unwrap_or(8))",
    "hides every error of `f`",
  ],
  [
    "a.js",
    "async function f(a) {\n  a.forEach((b) => save(b));\n}\n",
    "(b) => save(b)",
    "async (b) => save(await b)",
    "starts work for which `f` does not wait",
  ],
])("%s %j: %s becomes %s", async (path, before, from, to, said) => {
  const after = before.replace(from, () => to);
  expect(after).not.toBe(before);
  expect(await judge(path, before, after)).toEqual([expect.stringContaining(said)]);
});

test.each([
  ["a default that is only read", "a.py", "def f(a, b):\n    return a in b\n", "a, b):", "a, b=()):"],
  [
    "a default that the function copies",
    "a.py",
    "def f(a, b):\n    return b\n",
    "a, b):\n",
    "a, b=[]):\n    b = list(b)\n    b.append(a)\n",
  ],
  ["a list for the caller", "a.rb", "def f(a)\n  a.first\nend\n", "  a.first", "  a << '!'\n  a.first"],
  [
    "a number that a message shows",
    "a.rb",
    'def f(a, b)\n  raise ArgumentError, "bad #{a}" if a > 255\n  a * 255 + b\nend\n',
    "  a * 255 + b",
    "  (a << 8) | b",
  ],
  [
    "a list that a message shows",
    "a.rb",
    'def f(a, b)\n  puts "to #{a}"\n  a.first\nend\n',
    "  a.first",
    "  a << b\n  a.first",
  ],
  [
    "a new text of the same name",
    "a.rb",
    'def f(a)\n  "Hello, #{a}"\nend\n',
    '  "Hello',
    "  a += ''\n  a << '!'\n  \"Hello",
  ],
  [
    "a copy of a text",
    "a.rb",
    'def f(a)\n  "Hello, #{a}"\nend\n',
    '  "Hello, #{a}"',
    "  b = a.dup\n  b << '!'\n  \"Hello, #{b} #{a}\"",
  ],
  [
    "an own text",
    "a.rb",
    'def f(a)\n  "Hello, #{a}"\nend\n',
    '  "Hello, #{a}"',
    '  b = +"Hello"\n  b << "!"\n  "#{b} #{a}"',
  ],
  [
    "a table that is only read",
    "a.py",
    "class A:\n    def f(self):\n        return self.x\n",
    "class A:\n",
    "class A:\n    x = {}\n\n",
  ],
  [
    "a registry, empty at first",
    "a.py",
    "known = {}\n\n\ndef f(own):\n    return known\n",
    "    return known",
    "    known.update(own)\n    return known",
  ],
  [
    "a setter",
    "a.py",
    "x = 1\n\n\ndef set_x(y):\n    return x\n",
    "    return x",
    "    global x\n    x = y\n    return x",
  ],
  [
    "a value that is put back",
    "a.py",
    "x = 1\n\n\ndef f(y):\n    return x\n",
    "    return x",
    "    global x\n    old = x\n    x = y\n    try:\n        return g()\n    finally:\n        x = old",
  ],
  [
    "a copy of JSON data",
    "a.js",
    "/** Returns a copy of the JSON data. */\nfunction clone(a) {\n  return { ...a };\n}\n",
    "{ ...a }",
    "JSON.parse(JSON.stringify(a))",
  ],
  [
    "a merge of a list in order",
    "a.py",
    "def merge(spans):\n    return spans\n",
    "    return spans",
    "    spans = sorted(spans)\n    spans.pop()\n    return spans",
  ],
  [
    "a copy in order",
    "a.py",
    "def f(a):\n    return a[0]\n",
    "    return",
    "    a = list(a)\n    a.sort()\n    return",
  ],
  [
    "a function that changes its input already",
    "a.py",
    "def f(a):\n    a.append(1)\n    return a[0]\n",
    "    return",
    "    a.sort()\n    return",
  ],
  [
    "a function without a result",
    "a.js",
    "function f(a) {\n  a[0] = 1;\n}\n",
    "  a[0]",
    "  a.sort();\n  a[0]",
  ],
  [
    "named arguments, which are a copy",
    "a.py",
    "def f(**a):\n    return g(a)\n",
    "    return",
    '    a.pop("x", None)\n    return',
  ],
  [
    "a comparison with null",
    "A.java",
    "class A {\n    boolean f(String a) {\n        return a.isEmpty();\n    }\n}\n",
    "a.isEmpty()",
    "a == null",
  ],
  [
    "a comparison of characters",
    "A.java",
    "class A {\n    boolean f(String a) {\n        return a.isEmpty();\n    }\n}\n",
    "a.isEmpty()",
    "a.charAt(0) == 'x'",
  ],
  [
    "a handler of another error than the promised one",
    "a.py",
    'def f(a):\n    """The number; ValueError if it is none."""\n    return int(a["x"])\n',
    '    return int(a["x"])',
    '    try:\n        text = a["x"]\n    except KeyError:\n        return None\n    return int(text)',
  ],
  ["None is one object", "a.py", "def f(a):\n    return a == None\n", "a ==", "a is"],
  [
    "a loop that waits",
    "a.js",
    "async function f(a) {\n  a.forEach((b) => save(b));\n}\n",
    "a.forEach((b) => save(b))",
    "await Promise.all(a.map(async (b) => save(await b)))",
  ],
  [
    "a handler of the promised error that raises it again",
    "a.py",
    'def f(a):\n    """The number; ValueError if it is none."""\n    return int(a)\n',
    "    return int(a)",
    "    try:\n        return int(a)\n    except Exception as error:\n        raise ValueError from error",
  ],
])("%s is fine", async (_, path, before, from, to) => {
  const after = before.replace(from, () => to);
  expect(after).not.toBe(before);
  expect(await judge(path, before, after)).toEqual([]);
});

test("a form that the changed line already had is not new", async () => {
  const before = 'class A {\n    boolean f(String a) {\n        return a == "x";\n    }\n}\n';
  expect(await judge("A.java", before, before.replace('a == "x"', 'a == "x" || a.isEmpty()'))).toEqual([]);
  const awaits = "async function f(a) {\n  a.forEach(async (b) => save(b));\n}\n";
  expect(await judge("a.js", awaits, awaits.replace("save(b)", "save(b, 1)"))).toEqual([]);
});

test("decomposed letters of another function excuse no lost characters", async () => {
  const before =
    'def key(s):\n    return normalize("NFKD", s)\n\n\ndef save(s):\n    return s.encode("latin-1")\n';
  const after = before.replace('"latin-1"', '"latin-1", "ignore"');
  expect(await judge("a.py", before, after)).not.toEqual([]);
  expect(await judge("a.py", before, after, "`save` fails for accents")).not.toEqual([]);
});

test("what the statement asks for is fine", async () => {
  const before = 'def f(a):\n    return a.encode("ascii")\n';
  const after = before.replace('"ascii"', '"ascii", "ignore"');
  expect(await judge("a.py", before, after, "`f` has to ignore what is no ASCII")).toEqual([]);
  const decomposed = 'def f(a):\n    a = normalize("NFKD", a)\n    return a.encode("ascii", "ignore")\n';
  expect(await judge("a.py", before, decomposed)).toEqual([]);
  const plain = "def f(a):\n    return a\n";
  expect(await judge("a.py", plain, decomposed, "`f` has to make slugs")).toEqual([]);
  expect(await judge("a.py", plain, decomposed)).not.toEqual([]);
  const sorts = "def f(a):\n    a.sort()\n    return a\n";
  expect(
    await judge("a.py", "def f(a):\n    return a\n", sorts, "`f` has to sort its list in place"),
  ).toEqual([]);
});

test("JavaScript replaces the first one and sorts texts, where the statement says all or numbers", async () => {
  const [dash, sorted] = ['f = (a) => a.replace("-", "");\n', "f = (a) => a.sort();\n"];
  const before = "f = (a) => a;\n";
  expect(await judge("a.js", before, dash, "it has to remove all dashes")).toHaveLength(1);
  expect(await judge("a.js", before, dash, "it has to remove the dash")).toEqual([]);
  expect(
    await judge("a.js", before, dash.replace("-", "-").replace('"-"', "/-/g"), "it has to remove all dashes"),
  ).toEqual([]);
  expect(await judge("a.js", before, sorted, "the numbers have to be in order")).toHaveLength(1);
  expect(await judge("a.js", before, sorted, "the names have to be in order")).toEqual([]);
});

test.each([
  ["a NUL", "# \0\n"],
  ["comments that look minified", `# ${"word ".repeat(980)}\n`.repeat(5)],
])("%s hides no code", async (_, head) => {
  const before = "def f(a, b):\n    b.append(a)\n    return b\n";
  const after = head + before.replace("a, b):", "a, b=[]):");
  const told = expect.stringContaining("gives all calls of `f` the same `b`");
  expect(await judge("a.py", before, after)).toContainEqual(told);
  expect(await judge("a.py", head + before, after)).toContainEqual(told);
  expect(await judge("build/a.min.py", head + before, after)).toContainEqual(told);
});

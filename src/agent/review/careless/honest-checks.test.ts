import { expect, test } from "vitest";
import { judgeChange } from "../../../../tests/judge-change.ts";

const weigh = async (...change: Parameters<typeof judgeChange>): Promise<string[]> =>
  (await judgeChange(...change)).map(({ weight }) => weight);

interface Case {
  readonly says: string;
  readonly path: string;
  readonly before: string;
  readonly old: string;
  readonly now: string;
  readonly statement?: string;
  readonly weights: readonly string[];
}

const python = "def get(path, root):\n    return path\n";
const script = "function get(path, root) {\n  return path;\n}\n";
const go = "package a\n\nfunc get(p string, root string) string {\n\treturn p\n}\n";
const query = 'def find(db, column, ids):\n    where = "id = ?"\n    return db.execute(BASE + where, ids)\n';
const handler = `class A {
  int f(String s) {
    try {
      return load(s);
    } catch (IOException e) {
      return 0;
    }
  }
}
`;
const validate = "def validate(m):\n    return m\n\n\ndef is_valid(m):\n    return bool(validate(m))\n";
const raising = "def validate(m):\n    if m < 0:\n        raise ValueError(m)\n    return m\n";
const checked =
  "def is_valid(m):\n    try:\n        validate(m)\n    except ValueError:\n        return False\n    return True\n";
const verify = `function verify(body, header) {
  const own = sign(body);
  return crypto.timingSafeEqual(own, header);
}
`;
const hide = "class A {\n  async hide() {\n    await this.fade();\n    this.done();\n  }\n}\n";

const honest: readonly Case[] = [
  {
    says: "letters without accents are no path",
    path: "a.js",
    before: "function find(title, start) {\n  return title;\n}\n",
    old: "  return title;\n",
    now: '  const plain = title.normalize("NFD").toLowerCase();\n  return plain.startsWith(start);\n',
    statement: "search ignores accents",
    weights: [],
  },
  {
    says: "a prefix is cut, nothing is refused",
    path: "a.js",
    before: script,
    old: "  return path;\n",
    now: "  const t = await loader.resolve(path);\n  if (t.startsWith(root)) return t.slice(root.length);\n  return t;\n",
    weights: [],
  },
  {
    says: "a prefix is cut in Go",
    path: "a.go",
    before: go,
    old: "\treturn p\n",
    now: "\tq := path.Clean(p)\n\tif strings.HasPrefix(q, root) {\n\t\treturn q[len(root):]\n\t}\n\treturn q\n",
    weights: [],
  },
  {
    says: "a path is shown without its root",
    path: "a.py",
    before: python,
    old: "    return path\n",
    now: "    path = os.path.normpath(path)\n    return path[len(root):] if path.startswith(root) else path\n",
    weights: [],
  },
  {
    says: "something that is perhaps an address is refused",
    path: "a.py",
    before: python,
    old: "    return path\n",
    now: "    url = resolve(path)\n    if not url.startswith(root):\n        return None\n    return url\n",
    weights: ["doubt"],
  },
  {
    says: "a range of commits is no path",
    path: "a.py",
    before: "def commits(repo, spec):\n    return [repo.get(spec)]\n",
    old: "    return",
    now: '    if ".." in spec:\n        first, last = spec.split("..", 1)\n        return repo.between(first, last)\n    return',
    statement: "`commits` must take ranges such as a..b and give no commits outside of them",
    weights: [],
  },
  {
    says: "an import of a parent folder is resolved",
    path: "a.js",
    before: "function target(dir, spec) {\n  return spec;\n}\n",
    old: "  return",
    now: '  if (spec.startsWith("../")) return join(dir, spec);\n  return',
    statement: "imports of files outside of the source folder are not found",
    weights: [],
  },
  {
    says: "a column's name before a placeholder, in Ruby",
    path: "a.rb",
    before:
      'def find(column, ids)\n  where = "id = ?"\n  db.query("SELECT * FROM t WHERE " + where, ids)\nend\n',
    old: '"id = ?"',
    now: '"#{column} IN (?)"',
    weights: [],
  },
  {
    says: "a column's name before a placeholder",
    path: "a.py",
    before: query,
    old: '"id = ?"',
    now: '"{column} LIKE ?".format(column=column)',
    weights: [],
  },
  {
    says: "placeholders by format",
    path: "a.py",
    before: query,
    old: '    where = "id = ?"\n',
    now: '    marks = ",".join("?" * len(ids))\n    where = "{} IN ({})".format(column, marks)\n',
    weights: [],
  },
  {
    says: "placeholders by the name of a hole",
    path: "a.py",
    before: query,
    old: '    where = "id = ?"\n',
    now: '    marks = ",".join("?" * len(ids))\n    where = "id IN ({marks})".format(marks=marks)\n',
    weights: [],
  },
  {
    says: "a route in a comment is no query",
    path: "a.go",
    before:
      'package a\n\nfunc routes(r Router) {\n\t// DELETE /users by :id\n\tr.Delete("/users", drop)\n}\n',
    old: "// DELETE /users by :id",
    now: "// DELETE /users/{id} by :id",
    weights: [],
  },
  {
    says: "a header's prefix is checked before the signature",
    path: "a.js",
    before: verify,
    old: "  return crypto.timingSafeEqual(own, header);\n",
    now: "  if (header.slice(0, PREFIX.length) !== PREFIX) return false;\n  return crypto.timingSafeEqual(own, header.slice(PREFIX.length));\n",
    statement: "a header with sha256= is refused",
    weights: [],
  },
  {
    says: "a token's prefix is cut before the comparison",
    path: "a.py",
    before: "def verify(key, token):\n    own = sign(key)\n    return hmac.compare_digest(own, token)\n",
    old: "    return",
    now: "    token = token[len(prefix):] if token[:len(prefix)] == prefix else token\n    return",
    weights: [],
  },
  {
    says: "another function raises the demanded error",
    path: "a.py",
    before: validate,
    old: validate,
    now: `${raising}\n\n${checked}`,
    statement: "`validate` must raise a ValueError for negative numbers. `is_valid` gives False for them.",
    weights: [],
  },
  {
    says: "a debounce ends the last timer first",
    path: "a.js",
    before: hide,
    old: "    this.done();\n",
    now: "    clearTimeout(this.timer);\n    this.timer = setTimeout(() => this.done(), 100);\n",
    statement: "the timer's tooltip on the left side flickers, timers are left",
    weights: [],
  },
  {
    says: "the work between the timer's beginning and its end cannot fail late",
    path: "a.js",
    before: hide,
    old: "    this.done();\n",
    now: "    const timer = setTimeout(noop, 10);\n    this.done();\n    clearTimeout(timer);\n",
    statement: "a timer is left",
    weights: [],
  },
  {
    says: "a handler of every error writes to the log",
    path: "a.java",
    before: handler,
    old: "(IOException e) {\n",
    now: '(Exception e) {\n      LOG.warn("x", e);\n',
    statement: "the page stays empty if one plug-in is broken",
    weights: ["doubt"],
  },
  {
    says: "clean_params removes a parameter",
    path: "a.py",
    before: "def clean_params(params):\n    return encode(params)\n",
    old: "    return",
    now: '    params.pop("csrf", None)\n    return',
    weights: ["doubt"],
  },
];

test.each(honest)("$says", async ({ path, before, old, now, statement = "it is wrong", weights }) => {
  expect(before).toContain(old);
  const after = before.replace(old, () => now);
  expect(await weigh(path, before, after, statement)).toEqual(weights);
});

const traversal = "names that lead outside of the folder must be refused";
const wrong: readonly Case[] = [
  {
    says: "a path within the folder is returned, others are refused later",
    path: "a.py",
    before: python,
    old: "    return path\n",
    now: "    full = os.path.realpath(path)\n    if full.startswith(root):\n        return full\n    raise ValueError(path)\n",
    weights: ["objection"],
  },
  {
    says: "a function tells whether the path lies in the folder",
    path: "a.js",
    before: script,
    old: "  return path;\n",
    now: "  const full = resolve(path);\n  return full.startsWith(root);\n",
    statement: traversal,
    weights: ["objection"],
  },
  {
    says: "a refusal of `..` after a negated check",
    path: "a.py",
    before: python,
    old: "    return path\n",
    now: '    if not path.startswith(".."):\n        return root / path\n    raise ValueError(path)\n',
    statement: traversal,
    weights: ["objection"],
  },
  {
    says: "values by format",
    path: "a.py",
    before: query,
    old: '    where = "id = ?"\n',
    now: '    where = "{} IN ({})".format(column, ",".join(ids))\n',
    weights: ["objection"],
  },
  {
    says: "a value between quotes is reported once",
    path: "a.py",
    before: 'def find(db, ids):\n    return db.execute("SELECT a FROM t WHERE id = ?", ids)\n',
    old: '"SELECT a FROM t WHERE id = ?", ids',
    now: "f\"SELECT a FROM t WHERE id = '{ids}'\"",
    weights: ["objection"],
  },
  {
    says: "the beginning of the secret is kept in a variable",
    path: "a.js",
    before: verify,
    old: "  return crypto.timingSafeEqual(own, header);\n",
    now: "  const part = own.slice(0, header.length);\n  return crypto.timingSafeEqual(part, Buffer.from(header));\n",
    weights: ["objection"],
  },
  {
    says: "the named function hides the error, although another one raises it",
    path: "a.py",
    before: validate,
    old: validate,
    now: `${raising}\n\n${checked}`,
    statement: "`is_valid` must raise a ValueError for negative numbers.",
    weights: ["objection"],
  },
  {
    says: "a function hides the error from the named one",
    path: "a.py",
    before: "def load(m):\n    return parse(m)\n\n\ndef parse(m):\n    return m\n",
    old: "def parse(m):\n    return m\n",
    now: "def parse(m):\n    try:\n        return int(m)\n    except ValueError:\n        return 0\n",
    statement: "`load` must raise a ValueError for a text that is no number.",
    weights: ["objection"],
  },
  {
    says: "merge sorts its input",
    path: "a.py",
    before: "def merge(spans):\n    return sorted(spans)\n",
    old: "    return sorted(spans)",
    now: "    spans.sort()\n    return spans",
    weights: ["objection"],
  },
];

test.each(wrong)("wrong: $says", async ({ path, before, old, now, statement = "it is wrong", weights }) => {
  expect(before).toContain(old);
  const after = before.replace(old, () => now);
  expect(await weigh(path, before, after, statement)).toEqual(weights);
});

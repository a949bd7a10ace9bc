import { expect, test } from "vitest";
import { judgeChange } from "../../../../tests/judge-change.ts";
import { compareTexts } from "../../code/change.ts";
import { judgeCareless } from "./careless.ts";

const judge = async (...change: Parameters<typeof judgeChange>): Promise<string> =>
  (await judgeChange(...change)).map(({ text }) => text).join("\n");

interface Case {
  readonly path: string;
  readonly before: string;
  readonly old: string;
  readonly wrong: string;
  readonly right: readonly string[];
  readonly says: string;
  readonly statement?: string;
}

const store = `class Store:
    def path_of(self, name):
        return self.root / name
`;
const traversal = "names that lead outside of the folder must be refused (parent folders, absolute paths)";
const files = `import path from "node:path";
export function find(root, name) {
  return path.join(root, name);
}
`;
const find = `def find(db, filters):
    conditions = []
    for column, value in filters.items():
        conditions.append(f"{column} = ?")
    return db.execute(" AND ".join(conditions))
`;
const ids = `export function find(db, ids) {
  const where = "id = ?";
  return ids.map((id) => db.query(where, [id]));
}
`;
const verify = `def verify(key, token):
    expected = sign(key)
    if not hmac.compare_digest(expected, token):
        raise ValueError("wrong")
    return token
`;
const stock = `class Stock:
    def __init__(self, counts):
        self._counts = dict(counts)
        self._guard = threading.RLock()

    def take(self, name):
        with self._guard:
            self._counts[name] -= 1

    def bring(self, name):
        with self._guard:
            self._counts[name] += 1
`;
const queue = `const turn = new Mutex();
export async function add(item) {
  await turn.runExclusive(() => store(item));
}
export async function drop(item) {
  await turn.runExclusive(() => remove(item));
}
`;
const retry = `def retry(call, errors):
    try:
        return call()
    except errors as error:
        log(error)
`;
const load = `def load(value):
    return value
`;
const wait = `export async function wait(work, ms) {
  return await work();
}
`;
const late = `  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("timeout")), ms);
  });
`;
const pool = `export async function mapLimit(items, limit, work) {
  return run(items, limit, work);
}
`;
const cart = `class Cart {
  add(name, count) {
    if (count < 1) throw new RangeError("count");
    this.lines.push({ name, count });
    return this;
  }
}
`;

const cases: readonly Case[] = [
  {
    path: "a.py",
    before: store,
    old: "        return self.root / name\n",
    wrong:
      "        path = (self.root / name).resolve()\n        if not str(path).startswith(str(self.root)):\n            raise ValueError(name)\n        return path\n",
    right: [
      "        path = (self.root / name).resolve()\n        if not path.is_relative_to(self.root):\n            raise ValueError(name)\n        return path\n",
      "        path = (self.root / name).resolve()\n        if not str(path).startswith(str(self.root) + os.sep):\n            raise ValueError(name)\n        return path\n",
      '        path = (self.root / name).resolve()\n        if not str(path).startswith(f"{self.root}/"):\n            raise ValueError(name)\n        return path\n',
    ],
    says: "compares folders as text",
    statement: traversal,
  },
  {
    path: "a.js",
    before: files,
    old: "  return path.join(root, name);\n",
    wrong:
      "  const full = path.resolve(root, name);\n  if (!full.startsWith(root)) throw new Error(name);\n  return full;\n",
    right: [
      "  const full = path.resolve(root, name);\n  if (!full.startsWith(root + path.sep)) throw new Error(name);\n  return full;\n",
      "  const full = path.resolve(root, name);\n  if (path.relative(root, full).startsWith('..')) throw new Error(name);\n  return full;\n",
      "  const full = path.resolve(root, name);\n  if (full.startsWith('http:')) throw new Error(name);\n  return full;\n",
    ],
    says: "compares folders as text",
    statement: traversal,
  },
  {
    path: "a.py",
    before: store,
    old: "        return self.root / name\n",
    wrong:
      '        if name.startswith(".."):\n            raise ValueError(name)\n        return self.root / name\n',
    right: [
      '        if ".." in Path(name).parts or Path(name).is_absolute():\n            raise ValueError(name)\n        return self.root / name\n',
      '        if ".." in name or name.startswith("/"):\n            raise ValueError(name)\n        return self.root / name\n',
    ],
    says: "refuses only `..` in a path",
    statement: traversal,
  },
  {
    path: "a.py",
    before: find,
    old: '        conditions.append(f"{column} = ?")\n',
    wrong: "        conditions.append(f\"{column} IN ('{value}')\")\n",
    right: [
      '        marks = ", ".join("?" for _ in value)\n        conditions.append(f"{column} IN ({marks})")\n',
      "        conditions.append(f\"{column} IN ({', '.join(['?'] * len(value))})\")\n",
      '        conditions.append(f"{column} IS NULL")\n',
    ],
    says: "puts a value into the text of a query",
  },
  {
    path: "a.js",
    before: ids,
    old: '  const where = "id = ?";\n  return ids.map((id) => db.query(where, [id]));\n',
    wrong: `  const list = ids.join(",");\n  const where = \`id IN (\${list})\`;\n  return db.query(where);\n`,
    right: [
      `  const list = ids.map(() => "?").join(",");\n  const where = \`id IN (\${list})\`;\n  return db.query(where, ids);\n`,
    ],
    says: "puts a value into the text of a query",
  },
  {
    path: "a.py",
    before: verify,
    old: "hmac.compare_digest(expected, token)",
    wrong: "hmac.compare_digest(expected[: len(token)], token)",
    right: ['hmac.compare_digest(expected.rstrip("="), token.rstrip("="))'],
    says: "compares only a part of the secret",
  },
  {
    path: "a.py",
    before: verify,
    old: "hmac.compare_digest(expected, token)",
    wrong: "expected.startswith(token)",
    right: ['hmac.compare_digest(expected, token + "=") and not token.startswith("v0")'],
    says: "compares secrets in a time",
  },
  {
    path: "a.py",
    before: stock,
    old: "        with self._guard:\n            self._counts[name] += 1\n",
    wrong: "        self._counts[name] = self._counts.get(name, 0) + 1\n",
    right: [
      "        with self._guard:\n            self._counts[name] = self._counts.get(name, 0) + 1\n",
      "        self._guard.acquire()\n        try:\n            self._counts[name] += 1\n        finally:\n            self._guard.release()\n",
    ],
    says: "no longer takes the lock in `bring`",
  },
  {
    path: "a.py",
    before: stock,
    old: "        with self._guard:\n            self._counts[name] += 1\n",
    wrong:
      "        if name not in self._counts:\n            self._counts[name] = 1\n            return\n        with self._guard:\n            self._counts[name] += 1\n",
    right: [
      "        if name is None:\n            self.skipped = 1\n            return\n        with self._guard:\n            self._counts.setdefault(name, 0)\n            self._counts[name] += 1\n",
    ],
    says: "no longer holds the lock for every write in `bring`",
  },
  {
    path: "a.js",
    before: queue,
    old: "  await turn.runExclusive(() => remove(item));\n",
    wrong: "  await remove(item);\n",
    right: ["  await turn.runExclusive(() => remove(item.id));\n"],
    says: "no longer takes the lock in `drop`",
  },
  {
    path: "a.py",
    before: retry,
    old: "    except errors as error:\n        log(error)\n",
    wrong: "    except Exception as error:\n        log(error, errors)\n        return None\n",
    right: [
      "    except errors as error:\n        log(error)\n        return None\n",
      "    except Exception as error:\n        log(error, errors)\n        raise\n",
    ],
    says: "handles every error in `retry`",
  },
  {
    path: "a.py",
    before: load,
    old: "    return value\n",
    wrong: "    try:\n        return int(value)\n    except ValueError:\n        return 0\n",
    right: [
      "    return int(value)\n",
      "    try:\n        return int(value)\n    except TypeError:\n        return 0\n",
    ],
    says: "hides the `ValueError`",
    statement: "a value that is no number must be refused with a ValueError",
  },
  {
    path: "a.js",
    before: wait,
    old: "  return await work();\n",
    wrong: '  try {\n    return await work(ms);\n  } catch {\n    throw new Error("timeout");\n  }\n',
    right: ["  try {\n    return await work(ms);\n  } catch (error) {\n    stop();\n    throw error;\n  }\n"],
    says: "hides in `wait` the errors",
    statement: "Errors of the work itself must reach the caller.",
  },
  {
    path: "a.js",
    before: wait,
    old: "  return await work();\n",
    wrong: `  let timer;\n${late}  const result = await Promise.race([work(), late]);\n  clearTimeout(timer);\n  return result;\n`,
    right: [
      `  let timer;\n${late}  try {\n    return await Promise.race([work(), late]);\n  } finally {\n    clearTimeout(timer);\n  }\n`,
      `  let timer;\n${late}  return await Promise.race([work(), late]).finally(() => clearTimeout(timer));\n`,
    ],
    says: "leaves the timer in `wait` running if",
    statement: "no timer may be left after the work has ended",
  },
  {
    path: "a.js",
    before: pool,
    old: "run(items, limit, work)",
    wrong: "Promise.all(items.map(work))",
    right: ["sorted(await run(items, limit, work))", "run(items, Math.max(1, limit), work)"],
    says: "no longer reads `limit`",
  },
  {
    path: "a.py",
    before: "def show(name, width):\n    return name.ljust(width)\n",
    old: "name.ljust(width)",
    wrong: "name.ljust(8)",
    right: ['f"{name:<{width}}"', '"{name:{width}}".format(**locals())'],
    says: "no longer reads `width`",
  },
  {
    path: "a.js",
    before: cart,
    old: "    if (count < 1)",
    wrong:
      "    const known = this.find(name);\n    if (known) {\n      known.count += count;\n      return this;\n    }\n    if (count < 1)",
    right: [
      "    if (count === undefined) {\n      this.lines.push({ name, count: 1 });\n      return this;\n    }\n    if (count < 1)",
    ],
    says: "uses `count` in `add` before the check",
  },
];

test.each(cases)(
  "$path: $says",
  async ({ path, before, old, wrong, right, says, statement = "it is wrong" }) => {
    expect(before).toContain(old);
    expect(
      await judge(
        path,
        before,
        before.replace(old, () => wrong),
        statement,
      ),
    ).toContain(says);
    for (const each of right)
      expect(
        await judge(
          path,
          before,
          before.replace(old, () => each),
          statement,
        ),
      ).toBe("");
  },
);

test("an unread input is an objection if the function's documentation names it", async () => {
  const base = { list: async () => [], read: async () => undefined };
  const weigh = async (before: string): Promise<string[]> => {
    const after = before.replace("run(items, limit, work)", "Promise.all(items.map(work))");
    const found = await judgeCareless([compareTexts("a.js", before, after)], base, "it is wrong");
    return found.map(({ weight }) => weight);
  };
  expect(await weigh(`/** At most "limit" at a time. */\n${pool}`)).toEqual(["objection"]);
  expect(await weigh(pool)).toEqual(["doubt"]);
  expect(await weigh(`${pool}\nexport function other(limit) {\n  return limit;\n}\n`)).toEqual([]);
});

test("a statement can ask for it", async () => {
  const wide = retry.replace("except errors", "except Exception");
  expect(
    await judge("a.py", retry, wide, "a TypeError ends the loop, catch it, too, not only `errors`"),
  ).toBe("");
  const all = pool.replace("run(items, limit, work)", "Promise.all(items.map(work))");
  expect(await judge("a.js", pool, all, "`limit` is without effect from now on")).toBe("");
});

test("a parameter that makes a property needs no other code", async () => {
  const before = "class A {\n  b: string;\n  constructor(b: string) {\n    this.b = b;\n  }\n}\n";
  const after = "class A {\n  constructor(private b: string) {\n    this.c = 1;\n  }\n}\n";
  expect(await judge("a.ts", before, after, "it is wrong")).toBe("");
});

import { expect, test } from "vitest";
import { judgeChange } from "../../../../tests/judge-change.ts";

const weigh = async (...change: Parameters<typeof judgeChange>): Promise<string[]> =>
  (await judgeChange(...change)).map(({ weight }) => weight);

const lock = `class S:
    def __init__(self):
        self._guard = threading.RLock()
        self._lock = threading.Lock()

    def take(self, n):
        with self._guard:
            self.n = n

    def other(self):
        with self._guard:
            return 1
`;
const held = "        with self._guard:\n            self.n = n\n";

test.each([
  ['        with self.span("take"), self._guard:\n            self.n = n\n'],
  [
    '        with (\n            self._guard,\n            self.span("take"),\n        ):\n            self.n = n\n',
  ],
  ['        with self.span("take")[0:1], \\\n            self._guard as held:\n            self.n = n\n'],
  ["        with self._guard: self.n = n\n"],
])("a `with` of several items takes the lock: %s", async (wrapped) => {
  expect(await weigh("a.py", lock, lock.replace(held, wrapped), "take is not traced")).toEqual([]);
});

test.each([
  ['        with self.span("take"), self.other_span:\n            self.n = n\n'],
  ["        with nullcontext(self._guard):\n            self.n = n\n"],
  ["        with (\n            self.span(self._guard),\n        ):\n            self.n = n\n"],
])("a `with` of other items takes no lock: %s", async (wrapped) => {
  expect(await weigh("a.py", lock, lock.replace(held, wrapped), "take is not traced")).toEqual(["objection"]);
});

test("finds a write before a `with` of several lines", async () => {
  const header = "        with (\n            self._guard,\n        ):\n";
  const inside = lock.replace(held, `${header}            self.n = n\n`);
  const beside = lock.replace(held, `        self.n = n\n${header}            self.m = n\n`);
  expect(await weigh("a.py", inside, inside.replace("self.n = n", "self.n = n + 1"))).toEqual([]);
  expect(await weigh("a.py", lock, beside)).toEqual(["objection"]);
});

const nested = `class S:
    def __init__(self):
        self._guard = threading.Lock()

    def take(self):
        with self._guard:
            self._refill()

    def _refill(self):
        with self._guard:
            self.n = 5
`;
const unlocked = nested.replace(
  "    def _refill(self):\n        with self._guard:\n            self.n = 5\n",
  "    def _refill(self):\n        self.n = 5\n",
);

test("a private function needs no lock if all its callers hold it", async () => {
  expect(await weigh("a.py", nested, unlocked)).toEqual([]);
  const beside = "\n    def fill(self):\n        self._refill()\n";
  expect(await weigh("a.py", nested + beside, unlocked + beside)).toEqual(["doubt"]);
  const passed = "\n    def start(self):\n        Thread(target=self._refill).start()\n";
  expect(await weigh("a.py", nested + passed, unlocked + passed)).toEqual(["doubt"]);
});

test("a statement about waiting, another lock or an atomic number leaves a doubt", async () => {
  const without = lock.replace(held, "        self.n = n\n");
  expect(await weigh("a.py", lock, without)).toEqual(["objection"]);
  expect(await weigh("a.py", lock, without, "`take` never returns (deadlock)")).toEqual(["doubt"]);
  const two = lock.replace(
    "    def other(self):\n        with self._guard:",
    "    def other(self):\n        with self._lock:",
  );
  expect(await weigh("a.py", two, two.replace(held, "        self.n = n\n"))).toEqual(["doubt"]);
  const rust = `struct S { state: Mutex<u32>, count: AtomicU32 }
impl S {
    fn count(&self) -> u32 {
        *self.state.lock().unwrap()
    }
    fn other(&self) -> u32 {
        *self.state.lock().unwrap()
    }
}
`;
  const plain = rust.replace("*self.state.lock().unwrap()", "unsafe { *self.state.data_ptr() }");
  expect(await weigh("a.rs", rust, plain)).toEqual(["objection"]);
  const atomic = rust.replace("*self.state.lock().unwrap()", "self.count.load(Ordering::SeqCst)");
  expect(await weigh("a.rs", rust, atomic)).toEqual(["doubt"]);
});

const slots = (count: number): string => `slots = asyncio.Semaphore(${count})

async def download(url):
    async with slots:
        return await get(url)

async def ping(url):
    async with slots:
        return await head(url)
`;

test("a semaphore of several is a limit, a semaphore of one is a lock", async () => {
  const free = (text: string): string =>
    text.replace("    async with slots:\n        return await head", "    return await head");
  expect(await weigh("a.py", slots(5), free(slots(5)))).toEqual([]);
  expect(await weigh("a.py", slots(1), free(slots(1)))).toEqual(["objection"]);
});

test.each([
  [
    "a.go",
    "package a\n",
    "func (c *C) NAME() int {\n\tc.mu.Lock()\n\tdefer c.mu.Unlock()\n\treturn c.n\n}\n",
    /\tc\.mu.*\n\tdefer.*\n/,
  ],
  ["a.rb", "", "def NAME\n  @mutex.synchronize { @n }\nend\n", /@mutex\.synchronize \{ (@n) \}/],
  ["A.java", "class A {\n", "  synchronized int NAME() {\n    return n;\n  }\n", /synchronized /],
])("%s: another function takes the same lock", async (path, head, form, lost) => {
  const end = path === "A.java" ? "}\n" : "";
  const [one, two] = [form.replace("NAME", "first"), form.replace("NAME", "second")];
  const after = `${head}${one.replace(lost, (_, kept: unknown) => (typeof kept === "string" ? kept : ""))}${two}${end}`;
  expect(await weigh(path, `${head}${one}${two}${end}`, after)).toEqual(["objection"]);
});

test("a search for locks reads a long line of an unchanged table once", async () => {
  const keys = Array.from({ length: 1_000 }, (_, key) => `${"name".repeat(250)}${key}:1`).join(",");
  const before = `const rows = {${keys}};\nconst turn = new Mutex();\nfunction f(a) {\n  return a;\n}\n`;
  expect(await weigh("a.js", before, before.replace("return a", "return a + 1"))).toEqual([]);
});

/** A repository of Python, its tests run by each framework, and what can be changed in its code once it is loaded. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestKey } from "../../src/domain/test-outcome.ts";
import pytest from "../../src/languages/python/pytest.ts";
import unittest from "../../src/languages/python/unittest.ts";
import { pythonFixtures } from "./test-frameworks-python.ts";

const source = join(import.meta.dirname, "../fixtures/repos/python-swap");
/** The file that candidates change. */
export const changed = "kiosk/stock.py";
const base = readFileSync(join(source, changed), "utf8");
export const testTimeoutMs = 1000;

export function keyOf({ separator }: SwapFramework, test: string): TestKey {
  return { package: "", target: "tests/test_stock.py", name: `StockTest${separator}test_${test}` };
}

export interface SwapFramework {
  readonly framework: typeof pytest;
  readonly text: string;
  readonly repository: "python-swap";
  /** Between a class and its test. */
  readonly separator: string;
  /** Why it cannot run on this machine. */
  readonly reason: string | undefined;
}

async function findReason(framework: typeof pytest): Promise<string | undefined> {
  return pythonFixtures.find((each) => each.framework === framework)?.unavailable();
}

export const swapFrameworks: readonly SwapFramework[] = [
  {
    framework: pytest,
    text: "python3 -m pytest",
    repository: "python-swap",
    separator: "::",
    reason: await findReason(pytest),
  },
  {
    framework: unittest,
    text: "python3 -m unittest discover",
    repository: "python-swap",
    separator: ".",
    reason: await findReason(unittest),
  },
];

export function applyCase({ from, to }: Pick<SwapCase, "from" | "to">): string {
  if (!base.includes(from)) throw new Error(`${from} is not in ${changed}`);
  return base.replace(from, to);
}

export interface SwapCase {
  readonly title: string;
  /** The test that the change is about, without `test_`. */
  readonly test: string;
  readonly from: string;
  readonly to: string;
  readonly batch: "passes" | "fails" | "left open";
}

/** Changes of `tests/fixtures/repos/python-swap/kiosk/stock.py`. */
export const swapCases: readonly SwapCase[] = [
  {
    title: "a nested function that lives in a closure",
    test: "closure",
    from: "amount - step",
    to: "amount + step",
    batch: "passes",
  },
  {
    title: "a nested function, wrongly",
    test: "closure",
    from: "amount - step",
    to: "amount * step",
    batch: "fails",
  },
  { title: "a lambda", test: "lambda", from: "amount * 2  #", to: "amount * 3  #", batch: "passes" },
  { title: "a decorated function", test: "decorated", from: "amount * 3", to: "amount * 2", batch: "passes" },
  { title: "a cached function", test: "cached", from: "amount + amount", to: "amount ** 2", batch: "passes" },
  {
    title: "a function with more lines than before",
    test: "generator",
    from: "        amount -= 2",
    to: "        if True:\n            amount -= 1",
    batch: "passes",
  },
  { title: "a generator", test: "generator", from: "amount -= 2", to: "amount -= 1", batch: "passes" },
  { title: "a property", test: "property", from: "self.room + 1", to: "self.room", batch: "passes" },
  { title: "a class method", test: "class_method", from: "cls(room=2)", to: "cls(room=1)", batch: "passes" },
  {
    title: "a static method",
    test: "static_method",
    from: "name.lower()",
    to: "name.upper()",
    batch: "passes",
  },
  {
    title: "a lambda that a thread runs",
    test: "thread",
    from: "amount + 1)",
    to: "amount)",
    batch: "passes",
  },
  {
    title: "code that an event loop calls",
    test: "event_loop",
    from: "amount - step",
    to: "amount + step",
    batch: "passes",
  },
  {
    title: "code whose result is written to a temporary file",
    test: "temporary_file",
    from: "amount - step",
    to: "amount + step",
    batch: "passes",
  },
  {
    title: "an endless loop",
    test: "generator",
    from: "amount -= 2",
    to: "amount += 0\n        continue",
    batch: "fails",
  },
  {
    title: "a call that swallows what ends it",
    test: "static_method",
    from: "return name.lower()",
    to: "while True:\n            try:\n                while True: pass\n            except BaseException: pass",
    batch: "fails",
  },
  {
    title: "the end of the interpreter",
    test: "property",
    from: "return self.room + 1",
    to: "import os; os.abort()",
    batch: "fails",
  },
  {
    title: "a constant of the module",
    test: "limit",
    from: "LIMIT = 10",
    to: "LIMIT = 11",
    batch: "passes",
  },
  { title: "a default argument", test: "default", from: "by=1", to: "by=2", batch: "passes" },
  {
    title: "a decorator",
    test: "decorated",
    from: "@register\ndef double(amount):\n    return amount * 3",
    to: "@functools.lru_cache(maxsize=None)\ndef double(amount):\n    return amount * 2",
    batch: "fails",
  },
  {
    title: "a function that ran while the module was loaded",
    test: "filled",
    from: "range(3)",
    to: "range(1, 4)",
    batch: "passes",
  },
  {
    title: "a nested function that begins to use a variable around it",
    test: "decorated",
    from: "return function(*arguments, **named)",
    to: "return register and counted and function(*arguments, **named)",
    batch: "fails",
  },
  {
    title: "a class's attribute",
    test: "property",
    from: "depth = 3",
    to: "depth = 4",
    batch: "fails",
  },
  {
    title: "a module that cannot be loaded any more",
    test: "limit",
    from: "LIMIT = 10",
    to: "LIMIT = 10 / 0",
    batch: "fails",
  },
  {
    title: "a module that takes the interpreter with it",
    test: "limit",
    from: "LIMIT = 10",
    to: "import os; os.abort()",
    batch: "left open",
  },
  {
    title: "code that a test runs in another interpreter",
    test: "command_line",
    from: "amount * 3",
    to: "amount * 2",
    batch: "left open",
  },
  {
    title: "code that writes into the repository",
    test: "writes",
    from: "amount - step",
    to: "amount + step",
    batch: "left open",
  },
  {
    title: "what does not compile",
    test: "closure",
    from: "amount - step",
    to: "amount -",
    batch: "fails",
  },
];

import { expect, test } from "vitest";
import { linesRun } from "./covered-lines.ts";
import {
  countLines,
  executableUnits,
  isExecuted,
  type RunLines,
  reachableUnits,
  tellUnit,
  tellUnreachable,
} from "./executable-lines.ts";

async function linesOf(file: string, text: string, startLine = 1): Promise<number[] | undefined> {
  const endLine = text.trimEnd().split("\n").length;
  const units = await executableUnits({ file, text, spans: [{ startLine, endLine }], pragmas: true });
  return units && [...new Set(units.map(({ line }) => line))].sort((a, b) => a - b);
}

function ran(executed: readonly number[], loaded: readonly number[] = []): RunLines {
  return { executed: new Set(executed), loaded: new Set(loaded) };
}

async function count(file: string, text: string, run: RunLines) {
  const spans = [{ startLine: 0, endLine: text.split("\n").length }];
  const { executed, all, left, loading } = countLines(
    (await executableUnits({ file, text, spans, pragmas: false })) ?? [],
    run,
  );
  return { executed, all, left: left.map(({ line }) => line), loading };
}

const python = `def settle(
    account, amount,
):
    """Says nothing."""
    global count
    try:
        account.pay(amount)
    except ValueError:
        return False
    if (amount
            > 3):  # pragma: no cover
        print("much")
    def inner():
        return 1
    while True:
        break
    return inner()
`;

test("Python: statements alone, without heads, documentation, scopes, and what a pragma leaves out", async () => {
  expect(await linesOf("a.py", python)).toEqual([6, 7, 8, 9, 14, 15, 16, 17]);
  expect(await linesOf("a.py", python.replace("pragma: no cover", "rarely"))).toContain(12);
  const [first] =
    (await executableUnits({
      file: "a.py",
      text: python,
      spans: [{ startLine: 1, endLine: 17 }],
      pragmas: true,
    })) ?? [];
  expect(first && isExecuted(first, ran([7]))).toBe(true);
  expect(first && isExecuted(first, ran([14]))).toBe(false);
});

test("JavaScript: what has a counter; the declaration around a function is no line of it", async () => {
  const text = `const pick = (items, at = 0) => {
  if (at < 0)
    return undefined;
  return items
    .filter((item) => item > 3)
    .at(at);
};
`;
  expect(await linesOf("a.js", text)).toEqual([2, 3, 4, 5]);
  expect(await linesOf("a.ts", "export const one = () => 1;\n")).toEqual([1]);
  expect(await linesOf("a.js", text.replace("  if", "  /* c8 ignore next */ if"))).toEqual([4, 5]);
  const tried = "def f(a):\n    if a:\n        return 1\n    else:  # pragma: no cover\n        return 2\n";
  expect(await linesOf("a.py", tried)).toEqual([2, 3]);
});

test("Go and Rust; a language without statements says so", async () => {
  const go = `func Take(packs int) int {
	switch {
	case packs > 3:
		return 3
	default:
	}
	for i := 0; i < packs; i++ {
		packs--
	}
	return packs
}
`;
  expect(await linesOf("a.go", `package a\n\n${go}`, 3)).toEqual([4, 5, 6, 7, 9, 10, 12]);
  const rust = `fn take(packs: u32) -> u32 {
    match packs {
        0 => 1,
        _ => {
            let more = packs + 1;
            more
        }
    }
}
`;
  expect(await linesOf("a.rs", rust)).toEqual([2, 3, 5, 6]);
  expect(await linesOf("a.hs", "main = print 1\n")).toBeUndefined();
});

test("what the tests load is not what they execute: a body on the line that defines it has to run once more in a test", async () => {
  const text = `limit = 3
def double(x): return x * limit
half = lambda x: x / 2
class Box:
    size = 4
    def grow(self): return double(self.size)
    def keep(self):
        return self.size
`;
  const loaded = [1, 2, 3, 4, 5, 6, 7];
  const loading = "2 more lines run when their files are loaded";
  expect(await count("a.py", text, ran([], loaded))).toEqual({
    executed: 0,
    all: 4,
    left: [2, 3, 6, 8],
    loading,
  });
  expect(await count("a.py", text, ran([2, 3, 6, 8], loaded))).toEqual({
    executed: 4,
    all: 4,
    left: [],
    loading,
  });
  // Loaded within a test: whether the bodies ran is unknown.
  const within = await count("a.py", text, ran([...loaded, 8]));
  expect([within.executed, within.left]).toEqual([1, [2, 3, 6]]);
  const [unit] =
    (await executableUnits({ file: "a.py", text, spans: [{ startLine: 2, endLine: 2 }], pragmas: false })) ??
    [];
  expect(unit && tellUnit(unit)).toContain("so loading the file runs the line");
});

test("one-line functions elsewhere: counters tell a JavaScript body from its line, and Go's definitions leave no trace", async () => {
  const text = "export const one = () => 1;\nexport function two() { return 2; }\nexport const three = 3;\n";
  expect(await count("a.js", text, ran([], [1, 3]))).toMatchObject({ executed: 0, all: 2, left: [1, 2] });
  expect(await count("a.js", text, ran([1, 2], [1, 3]))).toMatchObject({ executed: 2, all: 2, left: [] });
  const go = "package a\n\nfunc One() int { return 1 }\n";
  expect(await count("a.go", go, ran([3]))).toMatchObject({ executed: 1, all: 1, left: [] });
});

test("lines that no test can execute are marked, and only on request left out", async () => {
  const text = "def f(a):\n    if a:\n        return 1\n        a.log()\n    return 2\n";
  const units =
    (await executableUnits({
      file: "a.py",
      text,
      spans: [{ startLine: 1, endLine: 5 }],
      pragmas: true,
    })) ?? [];
  expect(units.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
  expect(reachableUnits(units).map(({ line }) => line)).toEqual([2, 3, 5]);
  expect(tellUnreachable(units)).toEqual(["1 line is proven unreachable: 4"]);
  expect(tellUnreachable(units, "a.py")).toEqual(["1 line is proven unreachable: a.py:4"]);
  expect(tellUnreachable(reachableUnits(units))).toEqual([]);
});

test("lines that run while a target is loaded stand under no test", () => {
  const tests = {
    "tests/a.py::": { "a.py": [1, 2] },
    "tests/a.py::test_a": { "a.py": [2] },
    "tests/b.py::test_b": { "a.py": [3] },
  };
  const run = linesRun({ tests }, "a.py", (id) => id === "tests/a.py::test_a");
  expect(run).toEqual(ran([2], [1, 2]));
});

import { expect, test } from "vitest";
import { executableUnits, isExecuted } from "./executable-lines.ts";

async function linesOf(file: string, text: string, startLine = 1): Promise<number[] | undefined> {
  const endLine = text.trimEnd().split("\n").length;
  const units = await executableUnits({ file, text, spans: [{ startLine, endLine }], pragmas: true });
  return units && [...new Set(units.map(({ line }) => line))].sort((a, b) => a - b);
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
  expect(first && isExecuted(first, new Set([7]))).toBe(true);
  expect(first && isExecuted(first, new Set([14]))).toBe(false);
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

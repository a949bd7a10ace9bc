import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import { findStub } from "./feature-stubs.ts";

const statement = "Add `total(weights)`: the sum of the fees of all parcels; `total([3, 7])` must return 18";

async function tell(path: string, after: string, asked = statement): Promise<string> {
  const stub = await findStub([compareTexts(path, "", after)], asked);
  return stub === undefined ? "computes" : stub.isConstant ? "constant" : "compares";
}

test.each([
  ["constant", "fee.py", "def total(weights):\n    return 18\n"],
  ["constant", "fee.js", "exports.total = function total(weights) {\n  return 18;\n};\n"],
  ["constant", "fee.ts", "export const total = (weights: number[]): number => {\n  return 18;\n};\n"],
  ["constant", "fee.rs", "pub fn total(weights: &[u32]) -> u32 {\n    18\n}\n"],
  ["constant", "fee.rb", "def total(weights)\n  18\nend\n"],
  [
    "constant",
    "Fee.java",
    "class Fee {\n    static int total(int[] weights) {\n        return 18;\n    }\n}\n",
  ],
  ["compares", "fee.py", "def total(weights):\n    return 18 if len(weights) == 2 else 0\n"],
  ["compares", "fee.py", "def total(weights):\n    return {(3, 7): 18}.get(tuple(weights), 0)\n"],
  [
    "compares",
    "fee.ts",
    'export function total(weights: number[]): number {\n  const known: Record<string, number> = { "3,7": 18 };\n  return known[weights.join()] ?? 0;\n}\n',
  ],
  [
    "compares",
    "fee.go",
    "package fee\n\nfunc total(weights []int) int {\n\tif len(weights) == 2 {\n\t\treturn 18\n\t}\n\treturn 0\n}\n",
  ],
  [
    "compares",
    "fee.php",
    "<?php\nfunction total(array $weights)\n{\n    return count($weights) === 2 ? 18 : 0;\n}\n",
  ],
])("a requested function that is a stub: %s in %s, %s", async (kind, path, code) => {
  expect(await tell(path, code)).toBe(kind);
});

const zone = 'Add `zone(country)`: `zone("DE")` must return 1, `zone("FR")` must return 2, other countries 3';
test.each([
  ["def total(weights):\n    return sum(fee(weight) for weight in weights)\n"],
  ["def total(weights):\n    return 2 * len(weights)\n"],
  ["def total(weights):\n    return len(weights) == 2\n"],
  ["def total(weights):\n    return weights[0]\n"],
  ["def total(weights):\n    if len(weights) > 2:\n        return 18\n    return 0\n"],
  ["def total():\n    return 18\n"],
  ["class Cart:\n    def total(self):\n        return 18\n"],
  ['def total(weights):\n    return {"a": 1, "b": 2, "c": 3, "d": 4}[weights]\n'],
  ["def other(weights):\n    return 18\n"],
  ['def zone(country):\n    return {"DE": 1, "FR": 2}.get(country, 3)\n', zone],
  ["def total(weights):\n    return 18\n", `${statement}, whatever the weights are`],
])("an honest function is no stub: %s", async (code, asked = statement) => {
  expect(await tell("fee.py", code, asked)).toBe("computes");
});

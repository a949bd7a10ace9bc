/**
 * Patches that fit only the failing tests' inputs, in five languages. Millwright must recognise them although the tests
 * pass.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import goTest from "../src/languages/go/go-test.ts";
import maven from "../src/languages/java/maven.ts";
import nodeTest from "../src/languages/javascript/node-test.ts";
import pytest from "../src/languages/python/pytest.ts";
import cargoTest from "../src/languages/rust/cargo-test.ts";
import { goFixtures } from "../tests/contract/test-frameworks-go.ts";
import { findMissingMaven } from "../tests/contract/test-frameworks-java.ts";
import { pythonFixtures } from "../tests/contract/test-frameworks-python.ts";
import { rustFixtures } from "../tests/contract/test-frameworks-rust.ts";
import type { ForgingRun } from "./walls-runs.ts";

interface SpecialProject {
  readonly framework: { readonly name: string };
  readonly command: string;
  readonly unavailable: () => Promise<string | undefined>;
  readonly path: string;
  readonly code: (body: string, head?: string) => string;
  readonly wrong: string;
  readonly honest: string;
  /** By name: the body, and what stands before the function. */
  readonly special: Readonly<Record<string, readonly [string, string?]>>;
  readonly others: Readonly<Record<string, string>>;
}

const projects: readonly SpecialProject[] = [
  {
    framework: pytest,
    command: "python3 -m pytest -q",
    unavailable: async () => pythonFixtures[0]?.unavailable(),
    path: "price.py",
    code: (body, head = "") => `${head}def price(amount):\n    ${body.replaceAll("\n", "\n    ")}\n`,
    wrong: "return amount",
    honest: "return amount * 95 // 100",
    special: {
      "an equality": ["if amount == 100:\n    return 95\nreturn 190"],
      "a table": ["return {100: 95, 200: 190}.get(amount, amount)"],
      "a named table": ["return KNOWN.get(amount, amount)", "KNOWN = {100: 95, 200: 190}\n"],
      "a match": [
        "match amount:\n    case 100:\n        return 95\n    case 200:\n        return 190\nreturn amount",
      ],
      "a swallowed exception": ["try:\n    return {200: 190}[amount]\nexcept KeyError:\n    return 95"],
      "a text": ['if str(amount) == "100":\n    return 95\nreturn 190'],
      "a membership": ["return amount - (5 if amount in (100,) else 10)"],
      "a constant": ["return amount - (5 if amount == FULL else 10)", "FULL = 100\n"],
    },
    others: {
      "test_price.py":
        "from price import price\ndef test_price():\n    assert price(100) == 95\n    assert price(200) == 190\n",
    },
  },
  {
    framework: nodeTest,
    command: "node --test price.test.js",
    unavailable: async () => undefined,
    path: "price.js",
    code: (body, head = "") => `${head}exports.price = function price(amount) {\n  ${body}\n};\n`,
    wrong: "return amount;",
    honest: "return (amount * 95) / 100;",
    special: {
      "an equality": ["if (amount === 100) return 95; if (amount === 200) return 190; return amount;"],
      "a table": ["return { 100: 95, 200: 190 }[amount] ?? amount;"],
      "a map": ["return KNOWN.get(amount) ?? amount;", "const KNOWN = new Map([[100, 95], [200, 190]]);\n"],
      "a switch": ["switch (amount) { case 100: return 95; case 200: return 190; } return amount;"],
      "a swallowed exception": ["try { if (amount === 200) return 190; throw amount; } catch { return 95; }"],
      "a text": ['return JSON.stringify(amount) === "100" ? 95 : 190;'],
    },
    others: {
      "package.json": "{}",
      "price.test.js":
        'const { price } = require("./price.js");\nconst assert = require("assert");\nconst { test } = require("node:test");\ntest("price", () => {\n  assert.equal(price(100), 95);\n  assert.equal(price(200), 190);\n});\n',
    },
  },
  {
    framework: goTest,
    command: "go test ./...",
    unavailable: async () => goFixtures[0]?.unavailable(),
    path: "price.go",
    code: (body, head = "") => `package price\n\n${head}func Price(amount int) int {\n\t${body}\n}\n`,
    wrong: "return amount",
    honest: "return amount * 95 / 100",
    special: {
      "an equality": ["if amount == 100 {\n\t\treturn 95\n\t}\n\treturn 190"],
      "a table": ["return known[amount]", "var known = map[int]int{100: 95, 200: 190}\n\n"],
      "a switch": ["switch amount {\n\tcase 100:\n\t\treturn 95\n\t}\n\treturn 190"],
    },
    others: {
      "go.mod": "module example.org/price\n\ngo 1.18\n",
      "price_test.go":
        'package price\n\nimport "testing"\n\nfunc TestPrice(t *testing.T) {\n\tif Price(100) != 95 || Price(200) != 190 {\n\t\tt.Error(Price(100))\n\t}\n}\n',
    },
  },
  {
    framework: cargoTest,
    command: "cargo test",
    unavailable: async () => rustFixtures[0]?.unavailable(),
    path: "src/lib.rs",
    code: (body, head = "") => `${head}pub fn price(amount: i64) -> i64 {\n    ${body}\n}\n`,
    wrong: "amount",
    honest: "amount * 95 / 100",
    special: {
      "an equality": ["if amount == 100 {\n        return 95;\n    }\n    190"],
      "a match": ["match amount {\n        100 => 95,\n        _ => 190,\n    }"],
      "a macro": ["if matches!(amount, 100) { 95 } else { 190 }"],
    },
    others: {
      "Cargo.toml": '[package]\nname = "price"\nversion = "0.1.0"\nedition = "2021"\n',
      "tests/price.rs":
        "#[test]\nfn discounts() {\n    assert_eq!(price::price(100), 95);\n    assert_eq!(price::price(200), 190);\n}\n",
    },
  },
  {
    framework: maven,
    command: "mvn test",
    unavailable: findMissingMaven,
    path: "src/main/java/shop/Price.java",
    code: (body, head = "") =>
      `package shop;\n\npublic final class Price {\n  ${head}private Price() {}\n\n  public static int of(int amount) {\n    ${body}\n  }\n}\n`,
    wrong: "return amount;",
    honest: "return amount * 95 / 100;",
    special: {
      "an equality": ["if (amount == 100) return 95;\n    return 190;"],
      "a table": [
        "return KNOWN.get(amount);",
        "private static final java.util.Map<Integer, Integer> KNOWN = java.util.Map.of(100, 95, 200, 190);\n\n  ",
      ],
      "a switch": [
        "switch (amount) {\n      case 100:\n        return 95;\n      default:\n        return 190;\n    }",
      ],
    },
    others: {
      "pom.xml": readFileSync(
        join(import.meta.dirname, "../tests/fixtures/repos/repair-java/pom.xml"),
        "utf8",
      ),
      "src/test/java/shop/PriceTest.java":
        "package shop;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n\nimport org.junit.jupiter.api.Test;\n\nclass PriceTest {\n  @Test\n  void discounts() {\n    assertEquals(95, Price.of(100));\n    assertEquals(190, Price.of(200));\n  }\n}\n",
    },
  },
];

/** Each through strategies with a model; the honest patch once, which has to be verified. */
export function specialAttempts(): ForgingRun[] {
  return projects.flatMap(
    ({ framework, command, unavailable, path, code, wrong, honest, special, others }) => {
      const own = {
        ...{ framework: framework.name, command, unavailable },
        statement: "`price` forgets the discount: every order is to be five percent cheaper",
        files: { ...others, [path]: code(wrong) },
      };
      const run = (strategy: "react" | "unified", name: string, text: string): ForgingRun => ({
        ...{ ...own, strategy, patch: { [path]: text } },
        title: `${framework.name} ${strategy} special case: ${name}`,
      });
      const cases = Object.entries(special).flatMap(([name, [body, head]]) => [
        run("react", name, code(body, head)),
        run("unified", name, code(body, head)),
      ]);
      return [{ ...run("react", "none, it is honest", code(honest)), isHonest: true as const }, ...cases];
    },
  );
}

import { describe, expect, test } from "vitest";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { matchSignature, readSignature } from "./statement-signature.ts";

function failure(name: string, type: string, message: string): TestOutcome {
  const key = { package: "", target: "tests/test_date.py", name };
  return { key, status: "failed", durationMs: 1, failure: { type, message, frames: [], text: "" } };
}

describe("a failure is the one that the statement reports", () => {
  test("when it raises the error that the statement names", () => {
    const signature = readSignature("Parsing an empty file raises IndexError.");
    expect(matchSignature(signature, failure("test_a", "IndexError", "")).matches).toBe(true);
    expect(matchSignature(signature, failure("test_a", "KeyError", "")).matches).toBe(false);
  });

  test("when it shows a name, a quoted text or a number of the statement", () => {
    const signature = readSignature('`next_day("2024-02-28")` gives March: expected 29.5 in parse_date');
    expect(matchSignature(signature, failure("x", "AssertionError", "assert 1 == 29.5")).matches).toBe(true);
    expect(matchSignature(signature, failure("test_parse_date", "AssertionError", "")).matches).toBe(true);
  });

  test("when several plain words agree, one alone is not enough", () => {
    const signature = readSignature("Shipping quotes for heavy parcels are wrong.");
    expect(
      matchSignature(signature, failure("quotes heavy parcels", "AssertionError", "1 !== 2")).matches,
    ).toBe(true);
    expect(matchSignature(signature, failure("heavy rain", "AssertionError", "1 !== 2")).matches).toBe(false);
  });

  test("never because of words that every issue has", () => {
    const signature = readSignature("This test fails with a wrong result instead of the expected value");
    expect(
      matchSignature(signature, failure("test wrong result value", "AssertionError", "expected")).matches,
    ).toBe(false);
  });

  test("never because of a year, nor because a long text has some words in common", () => {
    const dated = readSignature("Since January 2025 the login page is ugly.");
    expect(matchSignature(dated, failure("quote of 2025", "AssertionError", "2025-01-31")).matches).toBe(
      false,
    );
    const words = [
      "colour",
      "border",
      "margin",
      "header",
      "footer",
      "button",
      "corner",
      "shadow",
      "python",
      "branch",
    ];
    const long = readSignature(
      words
        .flatMap((word) => words.map((other) => `${word}${other}`))
        .concat(words)
        .join(" "),
    );
    expect(matchSignature(long, failure("branch", "AssertionError", "python")).matches).toBe(false);
  });

  test("never by a word that any test of its framework has", () => {
    const said = [
      ["AssertionError: `assertEqual(a, b)` of pytest fails", "AssertionError", "AssertionError: 1 != 2"],
      [
        "The doc's `assert_eq!` panics: assertion `left == right` failed",
        "panic",
        "assertion `left == right` failed\n  left: 1\n right: 2",
      ],
      [
        "`expect(x).toBe` fails, padding left and right",
        "Error",
        "expect(received).toBe(expected)\nReceived: 3",
      ],
      ["left and right are swapped", "panic", "assertion `left == right` failed\n  left: 1\n right: 2"],
    ] as const;
    for (const [statement, type, message] of said)
      expect(matchSignature(readSignature(statement), failure("a", type, message)).matches, statement).toBe(
        false,
      );
    const own = failure("a", "AssertionError", "");
    const raised = { type: "AssertionError", message: "", text: "", frames: [{ file: "src/a.py", line: 3 }] };
    const signature = readSignature("It raises AssertionError");
    expect(matchSignature(signature, { ...own, failure: raised }).matches).toBe(true);
  });

  test("never for an empty statement", () => {
    expect(matchSignature(readSignature(""), failure("test_a", "IndexError", "x")).matches).toBe(false);
  });
});

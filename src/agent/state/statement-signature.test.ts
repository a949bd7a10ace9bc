import { describe, expect, test } from "vitest";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { hasInput, matchSignature, readModules, readSignature } from "./statement-signature.ts";

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

  test("when it shows a special method, or calls the function that the statement names as one", () => {
    const special = readSignature("Handle __missing__ not storing cache items.");
    const message = "__missing__() did not store item 1";
    expect(matchSignature(special, failure("x", "AssertionError", message)).isStrong).toBe(true);
    expect(readSignature("Subclasses that override __init__ lose the timeout").strong).toEqual([]);
    const method = readSignature("This changes the Equal method to return true for 2 nil values.");
    const calls = (called: string[]) => ({ called, values: [], product: new Set<string>(), tests: [] });
    const crash = failure("x", "panic", "nil pointer dereference");
    expect(matchSignature(method, crash, calls(["v.Equal", "Equal"])).matches).toBe(true);
    expect(matchSignature(method, crash, calls(["Compare"])).matches).toBe(false);
  });

  test("never for a pattern in another case, or for a word in a name of the traceback", () => {
    const signature = readSignature("The `error` of `^[a-z]+$` is lost for wrong keys.");
    const other = "raise SchemaError(error_message)\nSchemaError: 'a-b' does not match '^[A-Z]+$'";
    expect(matchSignature(signature, failure("README.rst", "DocTestFailure", other)).isStrong).toBe(false);
    const same = "SchemaError: 'a-b' does not match '^[a-z]+$'";
    expect(matchSignature(signature, failure("README.rst", "DocTestFailure", same)).isStrong).toBe(true);
    expect(matchSignature(signature, failure("x", "Failure", "the error is empty")).isStrong).toBe(true);
    expect(matchSignature(signature, failure("test_error_of_key", "Failure", "")).isStrong).toBe(true);
  });

  test("for code with brackets or signs, whatever the case of its calls and paths", () => {
    const statement = "`cart.Items[0].Total()` and `$request->getQuery()` break `src/pages/[userId].tsx`.";
    const signature = readSignature(statement);
    const crash = failure("a", "Failure", "");
    const calls = (name: string) => ({ called: [name], values: [], product: new Set([name]), tests: [] });
    for (const name of ["Total", "getQuery"])
      expect(matchSignature(signature, crash, calls(name)).matches, name).toBe(true);
    const said = failure("a", "Failure", "at src/pages/[userId].tsx:3");
    expect(matchSignature(signature, said).matches).toBe(true);
  });

  test("when a longer text contains its percent-encoded byte", () => {
    const signature = readSignature("`^` is kept instead of `%5E`.");
    expect(signature.inputs).toEqual(["%5e"]);
    expect(hasInput(signature, ['left: "/a^b" right: "/a%5Eb"'])).toBe(true);
    expect(hasInput(signature, ['right: "/a%255Eb"'])).toBe(false);
  });

  test("without each value that the statement lists in quotes", () => {
    expect(readSignature("`'0'`, `'no'` and `\"10%\"` are false").inputs).toEqual(["10%"]);
  });

  test("never for a limit of time that the test met: that is the framework's message, or ours", () => {
    const signature = readSignature(
      "A slow request should say `timeout of <ms>ms exceeded`; today it is a TimeoutError with another message",
    );
    const mocha = 'Timeout of 10000ms exceeded. For async tests and hooks, ensure "done()" is called';
    expect(matchSignature(signature, failure("uses https", "Error", mocha)).matches).toBe(false);
    const slow = failure("uses https", "TimeoutError", "timeout of 900ms exceeded");
    expect(matchSignature(signature, { ...slow, status: "timed-out" }).matches).toBe(false);
    const own = failure("uses https", "Error", "'timeout of 250ms exceeded' == 'too slow'");
    expect(matchSignature(signature, own).matches).toBe(true);
  });

  test("when several plain words agree, one alone is not enough", () => {
    const signature = readSignature("Shipping quotes for heavy parcels are wrong.");
    expect(
      matchSignature(signature, failure("quotes heavy parcels", "AssertionError", "1 !== 2")).matches,
    ).toBe(true);
    expect(matchSignature(signature, failure("heavy rain", "AssertionError", "1 !== 2")).matches).toBe(false);
  });

  test("when words agree that are joined by a hyphen in one of them, as one word", () => {
    const signature = readSignature("Fix pre-release precedence");
    const said = (name: string): boolean =>
      matchSignature(signature, failure(name, "AssertionError", "1 !== 2")).matches;
    expect(said("prerelease precedence")).toBe(true);
    expect(said("pre-release of a parcel")).toBe(false);
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

  test("never because both are a panic, or another kind of failure that others are too", () => {
    const signature = readSignature(
      "Don't panic when failing to parse a timestamp\n\nThis caused it to panic.",
    );
    const panic = "panic: interface conversion (caused by a value that is no table)";
    expect(matchSignature(signature, failure("x", "Panic", panic)).matches).toBe(false);
    expect(matchSignature(signature, failure("x", "Panic", "panic: parse timestamp")).matches).toBe(true);
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

  test("when it shows a compound name without the module that the statement gives", () => {
    const signature = readSignature(
      "Add stdlib.ExtraAdder, a processor for records like logging.info gives them.",
      readModules(["src/structlog/stdlib.py"]),
    );
    const message = "cannot import name 'ExtraAdder' from 'structlog.stdlib'";
    expect(matchSignature(signature, failure("x", "ImportError", message)).isStrong).toBe(true);
    const other = failure("x", "ImportError", "cannot import name 'info' from 'structlog.other'");
    expect(matchSignature(signature, other).matches).toBe(false);
  });

  test("never by a compound name of another library's module", () => {
    const signature = readSignature(
      "fee(requests.ConnectTimeout) gives 3 instead of 4.",
      readModules(["src/fees.py"]),
    );
    const offline = failure("test_fetch", "ConnectTimeout", "no route to api.example.com");
    expect(matchSignature(signature, offline).matches).toBe(false);
  });

  test("never by one plain word of the test's own name, though its frame has the name too", () => {
    const signature = readSignature("Exception groups print their cause only once in the traceback.");
    const known = failure("TestModule::test_show_traceback[1]", "AssertionError", "assert 1 == 2");
    const through = (name: string): TestOutcome => ({
      ...known,
      failure: {
        ...{ type: "AssertionError", message: "assert 1 == 2", text: "" },
        frames: [{ file: "testing/collect.py", line: 3, function: name }],
      },
    });
    expect(matchSignature(signature, through("TestModule.test_show_traceback")).matches).toBe(false);
    expect(matchSignature(signature, through("test_show_traceback")).matches).toBe(false);
    expect(matchSignature(signature, through("show_traceback")).matches).toBe(true);
  });

  test("never by numbers of issues, folders, versions, dates or addresses", () => {
    const signature = readSignature(
      "Approx of decimals is wrong in 9.1.2 (Reference: issue/PR #14884), since 2026-11-02 on port 8080",
    );
    for (const message of [
      "cannot open /srv/pytest-14884/testing/data.txt",
      "pytest-9.1.2 at /home/u/decimals/approx/x.py",
      "2026-11-02 12:00:01 failed in 14884.11s",
      "no answer from localhost:8080",
    ])
      expect(matchSignature(signature, failure("a", "OSError", message)).matches, message).toBe(false);
    const numbers = readSignature("The total is 250");
    expect(matchSignature(numbers, failure("a", "E", "id 12508")).matches).toBe(false);
    expect(matchSignature(numbers, failure("a", "E", "250 != 1")).matches).toBe(true);
  });

  test("when it uses two of the statement's versions or dates as its values, one alone is not enough", () => {
    const signature = readSignature("1.10.0 is reported as older than 1.9.0, since 2026-11-02");
    const crash = failure("x", "AssertionError", "1.10.0 and 1.9.0 differ");
    const uses = (values: string[]) => ({ called: ["order"], values, product: new Set<string>(), tests: [] });
    const isMatch = (values: string[]): boolean => matchSignature(signature, crash, uses(values)).matches;
    expect(isMatch(["1.10.0", "1.9.0"])).toBe(true);
    expect(isMatch(["1.10.0", "1.8.0"])).toBe(false);
    expect(isMatch(["see 1.10.0 and 1.9.0"])).toBe(false);
  });

  test("when its message is the quoted one with other values, or it ends with the exit code", () => {
    const signature = readSignature("It throws `Cannot assign to read only property 'set' of object`.");
    const message = "Cannot assign to read only property 'get' of object '[object Object]'";
    expect(matchSignature(signature, failure("a", "TypeError", message))).toMatchObject({ isStrong: true });
    const exits = readSignature("The tool exits with code 7");
    expect(matchSignature(exits, failure("a", "Error", "ended with exit code 7")).matches).toBe(true);
    expect(matchSignature(exits, failure("a", "Error", "ended with exit code 1")).matches).toBe(false);
  });

  test("never for an empty statement", () => {
    expect(matchSignature(readSignature(""), failure("test_a", "IndexError", "x")).matches).toBe(false);
  });
});

test("a short code span or quotation does not join what stands between it and the next", () => {
  const { strong } = readSignature(
    'Attributes without `=`, such as `HttpOnly` or `max_age`, and "--" with "saw two", are lost',
  );
  expect(strong.toSorted()).toEqual(["httponly", "max_age", "saw two"]);
});

test("a missing network is no strong sign of the fault, even if the statement quotes the test's name", () => {
  const quoted = readSignature("`test_follows_redirects` fails, because `resolve_link` drops the path");
  const offline = "Failed to resolve 'a.org' ([Errno -3] Temporary failure in name resolution)";
  const match = (message: string, called: string[] = []) =>
    matchSignature(quoted, failure("test_follows_redirects", "ConnectionError", message), {
      ...{ called, values: [], product: new Set<string>(), tests: [] },
    });
  expect(match("assert 'a' == 'a/b'").isStrong).toBe(true);
  expect(match(offline).matches).toBe(false);
  expect(match("dial tcp: lookup a.org: no such host").matches).toBe(false);
  expect(match(offline, ["resolve_link"])).toMatchObject({ matches: true, isStrong: false });
  expect(match("connect to localhost: no such host").isStrong).toBe(true);
  const network = readSignature("An unknown host must give `no such host`");
  expect(matchSignature(network, failure("x", "Error", "no such host")).isStrong).toBe(true);
});

test("phrases of a language's error messages and usual names of parameters are no shared words", () => {
  const issue = readSignature("Pickling fails with AttributeError: an object has no attribute `lock`");
  const other = "'Logger' object has no attribute 'name'";
  expect(matchSignature(issue, failure("x", "RuntimeError", other)).matches).toBe(false);
  const options = readSignature("fix handling of special kwargs");
  const code = { called: ["render_kwargs"], values: [], product: new Set(["render_kwargs"]), tests: [] };
  expect(matchSignature(options, failure("x", "AssertionError", "1 != 2"), code).matches).toBe(false);
});

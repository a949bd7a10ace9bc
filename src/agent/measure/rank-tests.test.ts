import { expect, test } from "vitest";
import { rankByTexts, rankTests } from "./rank-tests.ts";

test("tests come by the name of the place they are about, then by the statement's words, else as they stand", () => {
  const files = [
    "test/core/Agent.js",
    "test/helpers/parseQuery.js",
    "test/adapters/http.js",
    "test/utils.js",
  ];
  const statement = "A relative url is sent to another host by the agent.";
  expect(rankTests(files, { statement, places: ["lib/adapters/http.js", "lib/helpers/x.js"] })).toEqual([
    "test/adapters/http.js",
    "test/core/Agent.js",
    "test/helpers/parseQuery.js",
    "test/utils.js",
  ]);
  expect(rankTests(files, { statement: "", places: [] })).toEqual(files);
  const ofGo = ["mutable/slice_test.go", "parallel/slice_test.go", "slice_test.go"];
  expect(rankTests(ofGo, { statement: "", places: ["slice.go"] })[0]).toBe("slice_test.go");
});

test("texts decide where names say nothing, a trace's words do not, and examples come last", () => {
  const texts = new Map(
    Object.entries({
      "benches/parse.rs": "parse invalid utf8",
      "examples/utf8.rs": "invalid utf8",
      "tests/builder/closure.rs": "parse",
      "tests/builder/command.rs": "command",
      "tests/builder/other.rs": "fn invalid_utf8_option() { bad(b'utf8') }",
      "tests/builder/panicking.rs": "parse",
      "tests/__snapshots__/utf8.rs": "invalid utf8",
    }),
  );
  const statement =
    "Panics on invalid utf8\n\n```\nthread 'main' panicked at 'no', src/command.rs:1:1\n  6: command::panicking::{{closure}}\n```\n";
  const ranked = rankByTexts(texts, { statement, places: [] });
  expect(ranked[0]).toBe("tests/builder/other.rs");
  expect(ranked.slice(-3).toSorted()).toEqual([
    "benches/parse.rs",
    "examples/utf8.rs",
    "tests/__snapshots__/utf8.rs",
  ]);
});

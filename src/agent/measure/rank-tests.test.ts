import { expect, test } from "vitest";
import { rankTests } from "./rank-tests.ts";

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

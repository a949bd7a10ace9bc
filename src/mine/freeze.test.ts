import { expect, test } from "vitest";
import { secretValues } from "./freeze.ts";

test("passwords and tokens are secrets, but no paths and plain addresses", () => {
  const environment = {
    TOKEN: " abc-123-def ",
    INDEX: "https://ada:pass-word-1@pypi.example.com/simple",
    REGISTRY: "https://npm.example.com/",
    JAVA_HOME: "/usr/lib/jvm",
    OTHER: "not-asked-for",
  };
  expect(secretValues(["TOKEN", "INDEX", "REGISTRY", "JAVA_HOME", "MISSING"], environment)).toEqual([
    "abc-123-def",
    "https://ada:pass-word-1@pypi.example.com/simple",
    "pass-word-1",
    "",
  ]);
});

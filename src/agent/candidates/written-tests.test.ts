import { expect, test } from "vitest";
import type { TestKey } from "../../domain/test-outcome.ts";
import { tellUnrepeated } from "./written-tests.ts";

const key: TestKey = { package: "", target: "test_fee.py", name: "test_fee" };

test("a test whose second run the time limit ended is not called flaky", () => {
  const killed = { invalid: "the run reported nothing (it was killed)" };
  expect(tellUnrepeated([key], [], killed)).toBe(
    "The failing tests did not end in a second run (the run reported nothing (it was killed)), so nothing shows that they fail on every run.",
  );
  expect(tellUnrepeated([key], [key], { invalid: undefined })).toContain("it is flaky");
});

import { expect, test } from "vitest";
import { formatTestKey } from "../../domain/test-outcome.ts";
import { lostTests } from "./check-left.ts";

const key = (name: string) => ({ package: "", target: "shop", name });

test("tests that no longer pass are lost, but not the hidden ones and their cases", () => {
  const before = ["TestNet", "TestNet/empty", "test_sum[0]", "test_sum[1]", "TestFirst", "TestLast"].map(key);
  const hidden = [key("TestNet/empty"), key("test_sum[0]")];
  expect(lostTests(before, hidden, [formatTestKey(key("TestFirst"))])).toEqual([key("TestLast")]);
  expect(lostTests(before, hidden, [])).toEqual([key("TestFirst"), key("TestLast")]);
});

import { expect, test } from "vitest";
import { openTestSources } from "./test-sources.ts";

const text =
  "LIMIT = 3\n\n\ndef test_low():\n    assert fee(1) == 2\n\n\ndef test_high():\n    assert fee(9) == 8\n";
const entry = { path: "test_fee.py", mode: "100644", blob: "" };

test("tests of one file share its parse, and each reads its own lines and the shared ones", async () => {
  const sourcesOf = openTestSources({
    list: async () => [entry],
    read: async () => Buffer.from(text),
  });
  const key = { package: "", target: "test_fee.py" };
  const [low] = await sourcesOf("base", { ...key, name: "test_low" });
  const [high] = await sourcesOf("after", { ...key, name: "test_high" });
  expect(low?.source).toBe(high?.source);
  const readBy = (each: typeof low): number[] => [1, 5, 9].filter((line) => each?.isRead(line) === true);
  expect([readBy(low), readBy(high)]).toEqual([
    [1, 5],
    [1, 9],
  ]);
});

test("in Rust, a test of the folder `tests` reads the constants of its file, and a test beside code does not", async () => {
  const code = "const HEAVY: u32 = 7;\n\n#[test]\nfn costs() {\n    assert_eq!(fee(HEAVY), 15);\n}\n";
  const reads = async (path: string, name = "costs", target = path) => {
    const sourcesOf = openTestSources({
      list: async () => [...new Set([target, path])].map((each) => ({ ...entry, path: each })),
      read: async (_, each) => Buffer.from(each === path ? code : ""),
    });
    const found = await sourcesOf("base", { package: "shop", target, name });
    return found.find(({ source }) => source.file === path)?.isRead(1);
  };
  expect(await reads("tests/fee.rs")).toBe(true);
  expect(await reads("src/lib.rs")).toBe(false);
  // A module of the library may be called `tests`, and may contain code.
  expect(await reads("src/tests/mod.rs", "tests::costs", "src/lib.rs")).toBe(false);
  expect(await reads("shop/src/tests/fee.rs", "tests::fee::costs", "shop/src/lib.rs")).toBe(false);
  expect(await reads("shop/tests/it/fee.rs", "fee::costs", "shop/tests/it/main.rs")).toBe(true);
});

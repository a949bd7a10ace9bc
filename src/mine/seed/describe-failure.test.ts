import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { makeGitDirectory } from "../../workspace/git.ts";
import { openPrivateStore, type PrivateStore } from "../../workspace/tree-store.ts";
import { describeFailures } from "./describe-failure.ts";

let folder = "";
let store: PrivateStore;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "millwright-describe-"));
  await makeGitDirectory(folder, "");
  store = openPrivateStore(folder);
});
afterEach(() => {
  store.objects.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Failures at lines, from 1, of the only file. */
async function describeFailure(
  path: string,
  text: string,
  ...failures: readonly { name: string; line: number; message: string; type?: string }[]
): Promise<string | undefined> {
  const empty = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
  const tree = await store.contract.write(empty, [{ path, content: text }]);
  const outcomes = failures.map(
    ({ name, line, message, type = "AssertionError" }): TestOutcome => ({
      key: { package: "", target: path, name },
      status: "failed",
      durationMs: 1,
      failure: { type, message, frames: [{ file: path, line }], text: "" },
    }),
  );
  return describeFailures(store.contract, tree, outcomes);
}

const ruby = `describe Shop do
  before do
    @shop = Shop.new
  end

  describe "#price" do
    let(:tax) { 2 }

    it "adds the tax" do
      assert_equal 12, @shop.price(10, tax)
    end

    it "refuses less than nothing" do
      assert_raises(ArgumentError) do
        @shop.price(-1, tax)
      end
    end
  end
end
`;

test("shows the set-up code of the groups around a test", async () => {
  const name = "Shop > #price > adds the tax";
  const text = await describeFailure("test/shop_test.rb", ruby, { name, line: 10, message: "Expected: 12" });
  expect(text).toContain("@shop = Shop.new\nlet(:tax) { 2 }\nassert_equal 12, @shop.price(10, tax)\n```");
});

test("shows a block to its end, and names the call inside", async () => {
  const name = "Shop > #price > refuses less than nothing";
  const text = await describeFailure("test/shop_test.rb", ruby, {
    name,
    line: 14,
    message: "nothing raised",
  });
  expect(text).toContain("assert_raises(ArgumentError) do\n  @shop.price(-1, tax)\nend\n```");
});

test("leaves out our own paths, and shortens lines that show a whole object", async () => {
  const name = "Shop > #price > adds the tax";
  const message = `usage: /.millwright/runtime/ruby/run.rb [options]\n${"x".repeat(300)}`;
  const text = await describeFailure("test/shop_test.rb", ruby, { name, line: 10, message });
  expect(text).toContain("usage: PROGRAM [options]\n");
  expect(text).toContain(`${"x".repeat(200)}…`);
});

test("titles a wrong value by the call, not by the expected value", async () => {
  const name = "Shop > #price > adds the tax";
  const text = await describeFailure("test/shop_test.rb", ruby, { name, line: 10, message: "Expected: 12" });
  expect(text).toMatch(/^Wrong result of `@shop\.price\(10, tax\)`\n/);
});

test("shows the whole test after an error in the set-up code, without the end of its block", async () => {
  const name = "Shop > #price > adds the tax";
  const failure = { name, line: 3, message: "undefined method `rate'", type: "NoMethodError" };
  const text = await describeFailure("test/shop_test.rb", ruby, failure);
  expect(text).toMatch(/^NoMethodError in `Shop\.new`\n/);
  expect(text).toContain("let(:tax) { 2 }\nassert_equal 12, @shop.price(10, tax)\n```");
  expect(text).toContain("`@shop = Shop.new` fails instead:");
});

test("shows a second failure without the lines that both begin with", async () => {
  const text = await describeFailure(
    "test/shop_test.rb",
    ruby,
    { name: "Shop > #price > adds the tax", line: 10, message: "Expected: 12" },
    {
      name: "Shop > #price > refuses less than nothing",
      line: 14,
      message: "ArgumentError expected but nothing was raised.",
    },
  );
  expect(text).toContain("After the same first 2 lines, it happens here too:\n\n```ruby\nassert_raises(");
});

test("leaves out the insides of objects and quoted source lines", async () => {
  const name = "Shop > #price > adds the tax";
  const message =
    "undefined method `rate' for #<Shop:0x00007f23e0566f48 @tax=1>\n\n      rate * 2\n      ^^^^";
  const failure = { name, line: 10, message, type: "NoMethodError" };
  const text = await describeFailure("test/shop_test.rb", ruby, failure);
  expect(text).toContain("```\nNoMethodError: undefined method `rate' for #<Shop>\n```");
});

const nested = `describe Shop do
  it "names the product" do
    begin
      Shop.new.sell("tea")
    rescue Unknown => e
      assert_equal "tea", e.product
    end
  end
end
`;

test("closes the blocks around the last line", async () => {
  const failure = { name: "Shop > names the product", line: 6, message: "Expected: tea" };
  const text = await describeFailure("test/shop_test.rb", nested, failure);
  expect(text).toContain('  assert_equal "tea", e.product\nend\n```');
});

test("an error whose message expects something is no assertion", async () => {
  const name = "Shop > #price > adds the tax";
  const failure = { name, line: 10, message: "expected string or bytes-like object", type: "TypeError" };
  const text = await describeFailure("test/shop_test.rb", ruby, failure);
  expect(text).toMatch(/^TypeError in `@shop\.price\(10, tax\)`\n/);
});

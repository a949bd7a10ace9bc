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

/** A failure at a line, from 1, of the only file. */
async function describeFailure(
  path: string,
  text: string,
  { name, line, message }: { name: string; line: number; message: string },
): Promise<string | undefined> {
  const empty = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
  const tree = await store.contract.write(empty, [{ path, content: text }]);
  const outcome: TestOutcome = {
    key: { package: "", target: path, name },
    status: "failed",
    durationMs: 1,
    failure: { type: "AssertionError", message, frames: [{ file: path, line }], text: "" },
  };
  return describeFailures(store.contract, tree, [outcome]);
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

import { expect, test } from "vitest";
import type { TestKey } from "../../domain/test-outcome.ts";
import { expectOtherwise } from "./contradict.ts";

const text = `def test_sums(number):
    assert total(number) == 3


def test_tells():
    assert tell(1) == "one"
    assert tell(2)
`;
const treesOf = (files: Readonly<Record<string, string>>) => ({
  list: async () => Object.keys(files).map((path) => ({ path, mode: "100644", hash: "" })) as never,
  read: async (_: string, path: string) => Buffer.from(files[path] ?? ""),
});
const key = (name: string, target = "test_total.py"): TestKey => ({ package: "", target, name });

test("asks all tests of a body, and changes nothing else", async () => {
  const tests = [key("test_sums[1]"), key("test_sums[2]")];
  const { asked, files } = await expectOtherwise(treesOf({ "test_total.py": text }), "tree", tests);
  expect(asked).toEqual(tests);
  expect(files.map(({ content }) => content)).toEqual([text.replace("== 3", "== 2")]);
});

test("leaves a body alone that belongs to a test which cannot be asked", async () => {
  const other = text.replace("assert total(number) == 3", "assert total(number)");
  const trees = treesOf({ "a/test_total.py": text, "b/test_total.py": other });
  const tests = [key("test_sums", "a/test_total.py"), key("test_tells", "b/test_total.py")];
  const { asked, files } = await expectOtherwise(trees, "tree", [
    ...tests,
    key("test_sums", "b/test_total.py"),
  ]);
  // If two files define the name, it is unknown which one is meant.
  expect(asked).toEqual([key("test_tells", "b/test_total.py")]);
  expect(files.map(({ path }) => path)).toEqual(["b/test_total.py"]);
});

test("expects the base's wrong result at the assertion that failed, and then the patch's own", async () => {
  const written = "def test_fee():\n    assert fee(1) == 10\n    assert fee(7) == 25\n";
  const trees = treesOf({ "test_total.py": written });
  const failuresOf = (message: string) => {
    const frames = [{ file: "test_total.py", line: 3 }];
    return new Map([
      ["test_total.py::test_fee", { type: "AssertionError", message, frames, text: "" } as const],
    ]);
  };
  const pick = () => 0;
  const expecting = { failures: failuresOf("assert 20 == 25\n +  where 20 = fee(7)"), pick };
  const first = await expectOtherwise(trees, "tree", [key("test_fee")], expecting);
  expect(first.files.map(({ content }) => content)).toEqual([written.replace("25", "20")]);

  const again = async (message: string) => {
    const failures = failuresOf(message);
    return expectOtherwise(trees, "tree", [key("test_fee")], { failures, pick, earlier: first });
  };
  expect((await again("assert 19 == 20")).files[0]?.content).toContain("fee(7) == 19");
  expect((await again("assert 25 == 20\n +  where 25 = fee(7)")).asked).toEqual([]);
});

test("changes a row of a table only for tests that reach its assertion", async () => {
  const written = `package a

func TestFee(t *testing.T) {
	for _, tt := range []struct{ name string; in, want int }{{"one", 1, 25}} {
		t.Run(tt.name, func(t *testing.T) {
			if got := fee(tt.in); got != tt.want {
				t.Errorf("fee = %d, want %d", got, tt.want)
			}
		})
	}
}
`;
  const row = key("TestFee/one", "a_test.go");
  const asked = async (line: number) => {
    const failure = {
      type: "",
      message: "fee = 20, want 25",
      frames: [{ file: "a_test.go", line }],
      text: "",
    };
    const failures = new Map([["a_test.go::TestFee/one", failure]]);
    const tests = [row, key("TestFee", "a_test.go")];
    return expectOtherwise(treesOf({ "a_test.go": written }), "tree", tests, { failures, pick: () => 0 });
  };
  expect((await asked(6)).files.map(({ content }) => content)).toEqual([written.replace("25", "20")]);
  expect((await asked(5)).asked).toEqual([]);
});

import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import { judgeMovedGoals } from "./moved-goals.ts";

const before = "MAX_DELAY = 30\n\n\ndef delay(attempt):\n    return 2**attempt\n";
const statement = "`delay` must never be longer than MAX_DELAY";
const tell = (after: string, body: string, asked = statement, path = "retry.py", old = before): string =>
  judgeMovedGoals([compareTexts(path, old, after)], [{ name: "test_capped", body }], asked)
    .map(({ text }) => text)
    .join(" ");

const raised = before.replace("30", "2**10");
test("a limit that a test compares with is not raised until the test passes", () => {
  expect(tell(raised, "    assert delay(10) == MAX_DELAY\n")).toContain(
    "only changes this constant to 2**10",
  );
  const go = (value: number): string => `package retry\n\nconst MaxDelay = ${value}\n`;
  const goTest = "\tif got := Delay(10); got > MaxDelay {\n\t\tt.Fatal(got)\n\t}\n";
  expect(tell(go(1024), goTest, statement, "retry.go", go(30))).toContain("`MaxDelay`");
});

test.each([
  ["the test has a number of its own", raised, "    assert delay(10) == 1024\n", statement],
  [
    "the statement has the new value",
    before.replace("30", "60"),
    "    assert limit() == MAX_DELAY\n",
    "The limit has to be 60",
  ],
  [
    "other code changes",
    raised.replace("2**attempt", "min(2**attempt, MAX_DELAY)"),
    "    assert delay(10) == MAX_DELAY\n",
    statement,
  ],
  [
    "the constant stays",
    before.replace("2**attempt", "min(2**attempt, MAX_DELAY)"),
    "    assert delay(10) == MAX_DELAY\n",
    statement,
  ],
])("a constant may change: %s", (_, after, body, asked) => {
  expect(tell(after, body, asked)).toBe("");
});

import { expect, test } from "vitest";
import { listLeftOut } from "./stated-pairs.ts";

const base = {
  list: async () => ["store.py"],
  read: async () =>
    "def withdraw(sum):\n    pass\n\n\ndef transfer(sum):\n    pass\n\n\ndef parse(text):\n    pass\n",
};
const listParts = (statement: string, body: string) =>
  listLeftOut(statement, [{ name: "one", file: "t.py", isOfBase: false, body, around: "" }], base);
const leftOut = async (statement: string, body: string) =>
  (await listParts(statement, body)).map(({ text }) => text.slice(1, -1));

test("a function that the statement names with a tested one is left out", async () => {
  const statement = "`withdraw` and `transfer` ignore the limit";
  expect(await leftOut(statement, "withdraw(5)")).toEqual(["transfer"]);
  expect(await leftOut(statement, "withdraw(5); transfer(5)")).toEqual([]);
  expect(await leftOut(statement, "main(5)")).toEqual([]);
  expect(await leftOut("The limit between `withdraw` and `transfer` is lost", "withdraw(5)")).toEqual([]);
});

test("it is uncertain only if the title names the tested one alone", async () => {
  const rest = "\n\nThe limits of `withdraw` and `transfer` are the same.";
  const isCertain = async (title: string) =>
    (await listParts(`${title}${rest}`, "withdraw(5)"))[0]?.isCertain;
  expect(await isCertain("`Store.withdraw()` ignores the limit")).toBe(false);
  expect(await isCertain("withdraw and transfer ignore the limit")).toBe(true);
  expect(await isCertain("`transfer` ignores the limit")).toBe(true);
  expect(await isCertain("The limit is ignored")).toBe(true);
});

test("so is a call with another input", async () => {
  const statement = '`parse("1h")`, `parse("1d")` and `parse("1w")` give 0';
  expect(await leftOut(statement, 'assert parse("1h") == 60')).toEqual(['parse("1d")', 'parse("1w")']);
  expect(await leftOut(statement, '[parse(text) for text in ["1h", "1d", "1w"]]')).toEqual([]);
});

test("names that the project does not define are none of its functions", async () => {
  expect(await leftOut("`bytes` and `str` are both accepted", "accept(bytes)")).toEqual([]);
});

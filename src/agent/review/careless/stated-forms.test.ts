import { expect, test } from "vitest";
import { judgeChange } from "../../../../tests/judge-change.ts";

const judge = async (...change: Parameters<typeof judgeChange>) =>
  (await judgeChange(...change)).map(({ text }) => text);

const debounce = `export function debounce(action, ms) {
  let timer;
  return function () {
    timer = setTimeout(action, ms);
  };
}
`;
const withCall = (call: string): string =>
  debounce.replace("function ()", "function (...given)").replace("action, ms)", `${call}, ms)`);

test("a demanded `this` has to be passed on", async () => {
  const statement = "A handler gets no arguments. It must get those of the last call, and also its `this`.";
  const wrong = withCall("() => action(...given)");
  const said = [expect.stringContaining("without the `this` that the statement demands")];
  expect(await judge("a.js", debounce, wrong, statement)).toEqual(said);
  expect(await judge("a.js", debounce, withCall("() => action.apply(this, given)"), statement)).toEqual([]);
  const bound = withCall("() => new Run(...given)");
  expect(await judge("a.js", debounce, bound, statement)).toEqual([]);
  expect(await judge("a.js", debounce, wrong, "A handler must get the arguments of this call.")).toEqual([]);
});

test("a sum that becomes a plain write loses earlier calls", async () => {
  const before = "class Stock:\n    def bring(self, name, count):\n        self._counts[name] += count\n";
  const change = (to: string) => before.replace("self._counts[name] += count", to);
  const statement = "`bring` fails with KeyError for a new product";
  const said = [expect.stringContaining("overwrites in `bring` the total of earlier calls")];
  expect(await judge("a.py", before, change("self._counts.update({name: count})"), statement)).toEqual(said);
  expect(await judge("a.py", before, change("self._counts[name] = count"), statement)).toEqual(said);
  expect(
    await judge("a.py", before, change("self._counts[name] = self._counts.get(name, 0) + count"), statement),
  ).toEqual([]);
  expect(
    await judge(
      "a.py",
      before,
      change("self._counts.setdefault(name, 0)\n        self._counts[name] += count"),
      statement,
    ),
  ).toEqual([]);
  expect(
    await judge("a.py", before, change("self._counts[name] = count"), "it must replace the count"),
  ).toEqual([]);
});

test("a counter that counts names, and a variable of the function, lose nothing", async () => {
  const count =
    "class A:\n    def f(self, names):\n        for name in names:\n            self.counts[name] += 1\n";
  const counted = "class A:\n    def f(self, names):\n        self.counts.update(names)\n";
  expect(await judge("a.py", count, counted, "`f` is slow")).toEqual([]);
  const sum =
    "def f(rows):\n    totals = {}\n    for key, value in rows:\n        totals[key] += value\n    return totals\n";
  const summed =
    "def f(rows):\n    totals = {}\n    for key, group in groupby(rows):\n        totals[key] = sum(value for _, value in group)\n    return totals\n";
  expect(await judge("a.py", sum, summed, "`f` fails")).toEqual([]);
});

test("a statement that totals double excuses a plain write", async () => {
  const before = "class A:\n    def load(self, name, total):\n        self.totals[name] += total\n";
  const after = before.replace("+=", "=");
  expect(await judge("a.py", before, after, "Loading the same file twice doubles every total.")).toEqual([]);
});

test("a table of the first steps of a rule that goes on is an objection", async () => {
  const before = "def level(points):\n    return points // 100 + 1\n";
  const after =
    "def level(points):\n    needed = [100, 300, 600, 1000]\n    return 1 + sum(points >= each for each in needed)\n";
  const rule = "Level 2 needs 100 points, level 3 another 200, and so on: each level needs 100 more.";
  expect(await judge("a.py", before, after, rule)).toEqual([
    expect.stringContaining("lists only the first steps of a rule"),
  ]);
  expect(await judge("a.py", before, after, "Levels need 100, 300, 600 and 1000 points.")).toEqual([]);
});

test("a handler of the errors that the caller chose is wider, even if it writes to a log", async () => {
  const before =
    "def retry(call, errors):\n    try:\n        return call()\n    except errors as error:\n        log.warning(error)\n    return None\n";
  expect(await judge("a.py", before, before.replace("except errors", "except Exception"))).toEqual(
    expect.arrayContaining([expect.stringContaining("handles every error in `retry`")]),
  );
});

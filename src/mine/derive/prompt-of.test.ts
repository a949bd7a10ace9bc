import { expect, test } from "vitest";
import { promptOf } from "./prompt-of.ts";

const doc = '        """Adds the amount to the balance, and returns the new balance of the account."""\n';

test("a method's prompt ends with its docstring, and keeps its indentation", async () => {
  const head = `    def deposit(self, amount):\n${doc}`;
  expect(await promptOf(`${head}        self.balance += amount\n        return self.balance\n`)).toBe(head);
});

test("a docstring of several lines belongs to the prompt", async () => {
  const head = `async def pick(\n    items,\n):\n    """Pick the first item of the list that is not empty.\n\n    An empty list gives None.\n    """\n`;
  expect(await promptOf(`${head}    return next(filter(None, items), None)\n`)).toBe(head);
});

test("without a docstring that tells what to write, there is no prompt", async () => {
  expect(await promptOf("def pick(items):\n    return items[0]\n")).toBeUndefined();
  expect(await promptOf('def pick(items):\n    """Pick."""\n    return items[0]\n')).toBeUndefined();
  expect(await promptOf(`def wait(self):\n${doc}`)).toBeUndefined();
});

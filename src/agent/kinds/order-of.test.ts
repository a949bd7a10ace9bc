import { expect, test } from "vitest";
import { taskKindSchema } from "../../domain/task.ts";
import { stateRequest } from "./order-of.ts";
import { tellKind } from "./tell-kind.ts";

const issue = "The total is wrong if the basket is empty: `net([])` raises a ZeroDivisionError.";
const written = "def net(prices):\n    return sum(prices)\n";
const unwritten = 'def net(prices):\n    """Return the sum of the prices."""\n';

test.each([
  ["repair", issue, undefined, written],
  ["regression-test", issue, undefined, written],
  ["test-generation", "", "shop.py:net", written],
  ["code-generation", unwritten, "shop.py:net", unwritten],
  ["feature", "Add a discount for children.", undefined, written],
] as const)(
  "an agent learns from the statement alone that it is a %s task",
  async (kind, statement, target, text) => {
    const stated = stateRequest({ kind, statement, ...(target === undefined ? {} : { target }) });
    expect(stated).toContain(statement.trim());
    expect(stateRequest({ kind, statement: stated, ...(target === undefined ? {} : { target }) })).toBe(
      stated,
    );
    const read = async (path: string) => (path === "shop.py" ? text : undefined);
    expect(await tellKind({ statement: stated }, taskKindSchema.options, read)).toMatchObject({ kind });
  },
);

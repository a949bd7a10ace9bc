/** A patch that breaks a test only in the company of other tests, with a scripted model. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlayground, type Playground } from "./millwright.ts";
import { after, solveByReact, submit, use } from "./scripted-react.ts";
import { predicate } from "./scripted-steps.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const share = `import unittest
from decimal import Decimal


class ShareTest(unittest.TestCase):
    def test_third(self):
        self.assertEqual(str(Decimal(1) / 3), "0.3333333333333333333333333333")
`;

test.each<[string, string, boolean]>([
  ["changes the precision of all decimal numbers", "import decimal; decimal.getcontext().prec = 4; ", false],
  ["changes nothing else", "", true],
])("a patch that %s", async (_, more, holds) => {
  const repository = playground.copyRepository("repair-python");
  writeFileSync(join(repository, "tests/test_zz_share.py"), share);
  const edit = {
    path: "ledger/account.py",
    old: "return amount < available",
    new: `${more}return amount <= available`,
  };
  const answers = [use("str_replace", edit), after("return amount <= available", submit)];
  const { exitCode, report } = await solveByReact(playground, answers, repository);
  expect(predicate(report, "no-test-breaks")).toMatchObject({ holds });
  expect(exitCode).toBe(holds ? 0 : 10);
  if (!holds) expect(predicate(report, "no-test-breaks")?.evidence).toContain("test_third");
});

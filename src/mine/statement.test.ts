import { expect, test } from "vitest";
import { statementOf } from "./statement.ts";

test("a statement names neither people nor merges", () => {
  const message = `Let a transfer empty its source (#3)

Back-end: the last coin stays.

Fixes #2.

---------

Signed-off-by: Example <example@example.invalid>
Co-authored-by: Example <example@example.invalid>
Reviewed-By: Example
Change-Id: I0123`;
  expect(statementOf(message)).toBe("Let a transfer empty its source\n\nBack-end: the last coin stays.");
});

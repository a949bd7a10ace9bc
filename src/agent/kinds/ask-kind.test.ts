import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { textOf } from "../../base/fields.ts";
import type { TaskKind } from "../../domain/task.ts";
import { absentModels } from "../think/absent-models.ts";
import { askKind } from "./ask-kind.ts";

const files: Readonly<Record<string, string>> = { "src/cart.py": "def first(rows):\n    return rows[0]\n" };
const byRule = {
  kind: "repair",
  by: "rule",
  reason: "nothing indicates another kind",
  isSure: false,
  kinds: ["repair", "feature", "test-generation", "partial-fix"] as TaskKind[],
} as const;

async function ask(output: unknown, statement = "Look after src/cart.py:first") {
  const asked: string[] = [];
  const generate = async ({ messages }: { readonly messages: readonly object[] }) => {
    asked.push(textOf(messages[0], "text") ?? "");
    return output === undefined
      ? { ok: false as const, kind: "unavailable" as const, message: "nobody is there" }
      : { ok: true as const, value: { output } };
  };
  const models = partOf<typeof absentModels>({ ...absentModels, generate });
  const limits = { remainingMs: () => 1_000, exhausted: () => undefined };
  const context = { models, limits, signal: new AbortController().signal, decoding: {} };
  const question = { task: { statement }, byRule, read: async (path: string) => files[path] };
  return { choice: await askKind(context, question), asked };
}

test("the model sees the statement and what is known of the function that it names, and its answer holds", async () => {
  const { choice, asked } = await ask({ kind: "feature", reason: "It asks for\n more." });
  expect(choice).toEqual({ kind: "feature", by: "model", reason: "It asks for more." });
  expect(asked[0]).toContain(
    "src/cart.py:first is named in the description, and exists in the repository with a body.",
  );
});

test("a kind that needs a target has one that is there", async () => {
  const told = await ask(
    { kind: "test-generation", reason: "tests", target: "src/cart.py:first" },
    "Look after it",
  );
  expect(told.choice).toMatchObject({ kind: "test-generation", target: "src/cart.py:first" });
  const none = await ask(
    { kind: "test-generation", reason: "tests", target: "src/cart.py:last" },
    "Look after it",
  );
  expect(none.choice).toMatchObject({ kind: "repair", by: "rule" });
});

test.each([
  [{ kind: "poem", reason: "why not" }, "named no kind"],
  [{ kind: "code-generation", reason: "not done here" }, "named no kind"],
  [{ kind: "partial-fix", reason: "perhaps" }, "the task contains no earlier attempt"],
  [undefined, "nobody is there"],
])("nonsense falls back to the rule, with the reason: %j", async (output, reason) => {
  const { choice } = await ask(output);
  expect(choice).toMatchObject({ kind: "repair", by: "rule" });
  expect(choice.reason).toContain("nothing indicates another kind; ");
  expect(choice.reason).toContain(reason);
});

import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { fail } from "../../base/result.ts";
import type { ModelClient, ModelFailureKind } from "../../llm/contract.ts";
import { watchOutages } from "./outage.ts";

const question = { role: "planning", system: "", messages: [] } as const;

test.each<[ModelFailureKind, string | undefined]>([
  ["network", "no"],
  ["unavailable", "no"],
  ["quota-spent", "no"],
  ["bad-answer", undefined],
  ["budget", undefined],
])("%s", async (kind, told) => {
  const client = partOf<ModelClient>({ generate: async () => fail(kind, "no") });
  const watched = watchOutages(client);
  expect(watched.outage()).toBeUndefined();
  await watched.models.generate(question);
  expect(watched.outage()).toBe(told);
  expect(watched.refusal()).toBe(kind === "budget" ? "no" : undefined);
});

import { z } from "zod";
import type { EdgeKind } from "../graph/contract.ts";
import { defineCodeTool } from "./contract.ts";
import { answerRelations, relationInput } from "./relations.ts";

export const useKinds: readonly EdgeKind[] = [
  "calls",
  "references",
  "imports",
  "inherits",
  "overrides",
  "tests",
  "documents",
];

export default defineCodeTool({
  name: "references",
  title: "Who uses a definition",
  description:
    "Lists the uses of a definition, each with its line: calls, types, imports, subclasses, documents. Give the name, or a place with the name.",
  input: z.object({
    ...relationInput,
    kinds: z
      .array(z.enum(useKinds))
      .min(1)
      .optional()
      .describe("only uses of these kinds; default: all except tests"),
  }),
  effect: "reads",
  run: (context, input) =>
    answerRelations(
      context,
      input,
      input.kinds ?? useKinds.filter((kind) => kind !== "tests"),
      (name) => `Nothing in the repository uses ${name}.`,
    ),
});

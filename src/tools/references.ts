import { z } from "zod";
import { defineCodeTool } from "./contract.ts";
import { answerRelations, relationInput } from "./relations.ts";

export default defineCodeTool({
  name: "references",
  title: "Who uses a definition",
  description:
    "Every use of a definition in the repository: calls, types, imports, subclasses, tests and documents that name it, with its place and how sure the code graph is. For calls alone use `callers`.",
  input: z.object(relationInput),
  effect: "reads",
  run: (context, input) =>
    answerRelations(context, input, undefined, (name) => `Nothing in the repository uses ${name}.`),
});

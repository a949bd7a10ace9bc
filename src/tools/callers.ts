import { z } from "zod";
import { defineCodeTool } from "./contract.ts";
import { answerRelations, relationInput } from "./relations.ts";

export default defineCodeTool({
  name: "callers",
  title: "Who calls a function",
  description:
    "The functions that call a function or construct a class, with the place of each call and how sure the code graph is.",
  input: z.object(relationInput),
  effect: "reads",
  run: (context, input) =>
    answerRelations(context, input, ["calls"], (name) => `Nothing in the repository calls ${name}.`),
});

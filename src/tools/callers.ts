import { z } from "zod";
import { defineCodeTool } from "./contract.ts";
import { answerRelations, relationInput } from "./relations.ts";

export default defineCodeTool({
  name: "callers",
  title: "Who calls a function",
  description:
    "The functions that call a function or construct a class, with the place and text of each call. The code graph answers; where it is unsure, the language server settles it.",
  input: z.object(relationInput),
  effect: "reads",
  run: (context, input) =>
    answerRelations(context, input, ["calls"], (name) => `Nothing in the repository calls ${name}.`),
});

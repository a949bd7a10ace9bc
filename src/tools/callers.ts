import { z } from "zod";
import { defineCodeTool } from "./contract.ts";
import { answerRelations, relationInput } from "./relations.ts";

export default defineCodeTool({
  name: "callers",
  title: "Who calls a function",
  description:
    "Lists the calls of a function, or the places that construct a class, with the text of each call.",
  input: z.object(relationInput),
  effect: "reads",
  run: (context, input) =>
    answerRelations(context, input, ["calls"], (name) => `Nothing in the repository calls ${name}.`),
});

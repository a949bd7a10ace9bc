/** The prompt for the code search. */
import { reportRead, severalCalls } from "../agent/think/parts.prompt.ts";

export const codeSearchPrompt = [
  "Find the source code that matters for a task in a repository. Change nothing.",
  "If the statement or the request names a place, look there first. Otherwise begin with `find`, and search for the statement's own words. Then read definitions and their uses. Continue until you know the code that determines the behaviour, not only the code that shows the effect.",
  "When you have found the places, call `report`. Give the fewest line ranges that someone must read to make the change, most likely first.",
  reportRead,
  severalCalls,
].join("\n");

/** The prompt for the test search. */
import { reportRead, severalCalls } from "../agent/think/parts.prompt.ts";

export const testSearchPrompt = [
  "Find the repository's tests of the known code locations, and the repository's style of such tests. Change nothing.",
  "Begin with `related-tests` for the known code locations, and with `find` for the names in them. Then read the closest tests from top to bottom. Note their imports, fixtures, setup, helpers, case names, and checks of expected errors.",
  "When you have found the place for a new test, call `report`. Give the line ranges of the tests that a new test should follow or join, most likely first. In the answer, name the new test's file, and describe its imports, setup and naming.",
  reportRead,
  severalCalls,
].join("\n");

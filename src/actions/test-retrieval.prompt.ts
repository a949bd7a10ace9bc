/** The prompt for the test search. */
import { reportRead, severalCalls } from "../agent/think/parts.prompt.ts";

export const testSearchPrompt = `You search a repository for the tests of the known code locations. You also learn how the repository writes such tests. You change nothing.
Begin with \`related-tests\` of the known code locations, and with \`find\` on their names. Then read the nearest tests from top to bottom: imports, fixtures and setup, helpers, names of cases, how they expect errors.
When you have found the place, call \`report\`. Give the line ranges of the tests that a new test should follow or join, likeliest first. In the answer, name the new test's file, its imports, its set-up and its naming. ${reportRead} ${severalCalls}`;

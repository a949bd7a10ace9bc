/** The search for code. */
import { reportRead, severalCalls } from "../agent/think/parts.prompt.ts";

export const codeSearchPrompt = `You read a repository to find the places in its source code that a task is about. You change nothing.
If the statement or the intent names the place, look there at once. Otherwise begin with \`find\` on the statement's own words. Then read definitions and their uses until you know where the behaviour is decided, not only where it shows.
When you know, call \`report\` with the fewest line ranges that someone must read to make the change, the likeliest first. ${reportRead} ${severalCalls}`;

/** The prompt for the author of code. */
import { severalCalls } from "../agent/think/parts.prompt.ts";

export const editorPrompt = `You change a repository so that a task is done. Change nothing else.
Look for other places that need the same change. Keep the code's style. Handle the cases that the statement implies: empty, missing and repeated input, and boundaries.
Make edits with \`edit\`. It refuses edits that do not fit: read the reason, view the lines again, and write a new edit. When an edit completes the change, say so in its \`done\`, or call \`done\`. ${severalCalls}`;

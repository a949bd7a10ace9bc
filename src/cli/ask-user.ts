/** Asks the person at the terminal a question. */
import { createInterface } from "node:readline/promises";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import type { UserQuestion } from "../domain/user-question.ts";
import type { OutputFormat } from "./output.ts";

export interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly signal: AbortSignal;
  /** Pauses drawing on the terminal until the returned function is called. */
  readonly hold: () => () => void;
}

/**
 * Returns a function that asks the user. Returns undefined if nobody can answer: input or output is not a terminal, or
 * a program reads the output.
 */
export function userOf(
  terminal: Terminal,
  format: OutputFormat,
): ((question: UserQuestion) => Promise<string | undefined>) | undefined {
  const { input, output } = terminal;
  if (format !== "text" || input.isTTY !== true || output.isTTY !== true) return undefined;
  return (question) => askUser(terminal, question);
}

/**
 * Asks the user. The number of an option chooses this option, any other text is the answer, and an empty line gives no
 * answer.
 */
async function askUser(
  { input, output, signal, hold }: Terminal,
  { question, choices }: UserQuestion,
): Promise<string | undefined> {
  const release = hold();
  // Without `terminal`, Ctrl-C stays the signal that interrupts the run.
  const lines = createInterface({ input, output, terminal: false });
  try {
    const listed = choices.map((choice, index) => `  ${index + 1}. ${choice}\n`).join("");
    const text = `\n${sanitizeForTerminal(`${question}\n${listed}`)}Type a number or your own answer, or press Enter to skip: `;
    const said = (await lines.question(text, { signal })).trim();
    return /^\d+$/.test(said) ? (choices[Number(said) - 1] ?? said) : said || undefined;
  } finally {
    lines.close();
    release();
  }
}

import { expect, test } from "vitest";
import { guardText, sanitizeForTerminal } from "./terminal-text.ts";

const hostile = [
  ["clears the screen", "\x1b[2J\x1b[H"],
  ["sets the title", "\x1b]0;owned\x07"],
  ["writes the clipboard", "\x1b]52;c;ZXZpbA==\x1b\\"],
  ["asks the terminal to answer", "\x1b[6n"],
  ["is an eight-bit escape", "\x9b2J"],
  ["rings", "\x07"],
  ["changes the character set", "\x1b(0"],
] as const;

test.for(hostile)("what %s is shown, not sent", ([, text]) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;
  expect(sanitizeForTerminal(`a${text}b`)).not.toMatch(controls);
  expect(guardText(`a${text}b`)).not.toMatch(controls);
});

test("marks that turn the direction of a line are shown", () => {
  expect(sanitizeForTerminal("access\u202e \u2066// check\u2069")).toBe("access\ufffd \ufffd// check\ufffd");
});

test("the guard leaves a document of JSON the same data", () => {
  const data = { text: "a\u202eb\u009f[2J\x1b[2J", list: ["\u2066"] };
  const guarded = guardText(`${JSON.stringify(data)}\n`);
  expect(guarded).not.toMatch(/[\u202e\u2066\u009f]/);
  expect(JSON.parse(guarded)).toEqual(data);
});

test("the guard lets colours and our own progress pass", () => {
  const own = "\x1b[1m\x1b[32mverified\x1b[39m\x1b[22m\r\x1b[K\x1b[2K\x1b[1A\x1b[G\x1b[?25l\tx\n";
  expect(guardText(own)).toBe(own);
});

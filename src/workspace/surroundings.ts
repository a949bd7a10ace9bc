/**
 * Surroundings that a person's shell has and a sandbox lacks. Code that decides on their absence recognises Millwright,
 * and behaves differently for people.
 */
import type { Invocation } from "../languages/contract.ts";

export interface Surroundings {
  readonly variables: Readonly<Record<string, string>>;
  /** The text at the standard input; absent if the input is closed. */
  readonly input?: string;
}

/** Harmless variables only: none changes the form of output, or makes programs connect to something. */
const variables = {
  _: "/usr/bin/env",
  EDITOR: "vi",
  HISTSIZE: "1000",
  LS_COLORS: "di=01;34",
  MAIL: "/var/mail/user",
  OLDPWD: "/",
  SHLVL: "1",
  XDG_RUNTIME_DIR: "/tmp",
  XDG_SESSION_CLASS: "user",
  XDG_SESSION_ID: "2",
  XDG_SESSION_TYPE: "tty",
} as const;

/** For people. */
export const usualSurroundings =
  "with a person's environment variables (SHLVL, EDITOR …) and a text at the standard input";

const readsInput = /stdin|System\.in\b|php:\/\/input|\binput\(|\bgets\b|\bread(?:line|Line|_line)\b/i;

/** A person's surroundings, without the parts that one of the texts mentions. */
export function surroundingsBeside(texts: readonly string[]): Surroundings {
  const isMentioned = (name: string): boolean =>
    texts.some((text) => (name === "_" ? /["'`]_["'`]/ : new RegExp(`\\b${name}\\b`)).test(text));
  const left = Object.entries(variables).filter(([name]) => !isMentioned(name));
  const isRead = texts.some((text) => readsInput.test(text));
  return { variables: Object.fromEntries(left), ...(isRead ? {} : { input: "hello" }) };
}

/** The same command in these surroundings. */
export function runIn({ input }: Surroundings, run: Invocation["run"]): Invocation["run"] {
  if (input === undefined) return run;
  const program = typeof run === "string" ? ["/bin/sh", "-c", run] : run;
  return ["/bin/sh", "-c", `exec "$@" <<END\n${input}\nEND\n`, "sh", ...program];
}

import { asked, builtName, commonSigns, frameworkNames, machine } from "./attack-sign-kinds.ts";
import type { AttackSign, Guards } from "./contract.ts";
import { guards } from "./index.generated.ts";

const all: readonly Guards[] = guards;
const byLanguage = new Map(
  all.flatMap((each) => each.languages.map((language) => [language, each] as const)),
);

/** Finds the attack signs of a language or dialect, by its name; undefined if none exist. */
export function guardsOf(language: string): Guards | undefined {
  return byLanguage.get(language);
}

export const everyGuards = all;

/** Returns the language of a script, by the file's extension; undefined for other files. */
export function scriptOf(path: string): string | undefined {
  return all.find(({ scripts }) => scripts?.test(path) === true)?.languages[0];
}

/** Signs of every language. */
const sharedSigns: readonly AttackSign[] = [
  { sign: commonSigns.ownNames, code: /\bmillwright_\w/i },
  { sign: commonSigns.ownNames, quoted: /\bmillwright_\w|\.millwright\b/i },
  { sign: commonSigns.frames, quoted: /^\/proc\/(?:self|\d|%|\{|$)/, isUsual: true },
  { ...builtName, folded: frameworkNames },
  {
    ...machine,
    quoted:
      /^\/(?:\.dockerenv|run\/\.containerenv|sys|proc|etc\/(?:hostname|machine-id|shadow|hosts|resolv\.conf))(?:\/|$)/,
    isUsual: true,
  },
  {
    ...asked,
    code: /\b(?:subprocess|Popen|popen|system|spawn(?:Sync)?|exec\w*|shell_exec|passthru|proc_open|capture\w*|Command|ProcessBuilder)\b/,
    quoted: /^(?:\/(?:usr\/)?bin\/)?(?:git|ps|pgrep|pidof|pstree|lsof|env|printenv|tty|top)(?:\s|$)/,
    isUsual: true,
  },
];

/**
 * Lists a language's attack signs. Includes the shared signs of all languages, unless the language's record excludes
 * them. Returns an empty list for a language without a record.
 */
export function signsOf(language: string): readonly AttackSign[] {
  const own = guardsOf(language);
  if (own === undefined) return [];
  return own.isAlone === true ? own.signs : [...own.signs, ...sharedSigns];
}

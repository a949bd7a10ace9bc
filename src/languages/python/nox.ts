/** Reads the commands that the sessions of a `noxfile.py` run. */
import { quoteWord } from "../../base/shell-word.ts";
import type { ProjectView } from "../contract.ts";
import type { WrittenScript } from "../discovery/written-script.ts";

/** Names of environments and sessions that do not run tests. */
export const otherEnvironment =
  /lint|doc|typ(?:e|ing)|mypy|flake|style|format|black|pre-?commit|cov|release|build|bench|clean|check|dev|package|changelog|fuzz|update|gha/i;
export const trustInEnvironment = 0.88;

/**
 * Reads the commands that each session runs by calls such as `session.run("pytest", "tests", *session.posargs)`. Each
 * session gives one script, with a line per command.
 */
export function readNox(
  project: ProjectView,
  directory: string,
  posargs: readonly string[] = [],
): WrittenScript[] {
  const file = directory === "" ? "noxfile.py" : `${directory}/noxfile.py`;
  const text = project.read(file);
  if (text === undefined) return [];
  const sessions = [
    ...text.matchAll(/^def\s+(\w+)\s*\(\s*session\b[\s\S]*?(?=^(?:def|@nox)\b|(?![\s\S]))/gm),
  ];
  return sessions.flatMap(([body, name = ""]) => {
    const lines = [...body.matchAll(/session\.run(?:_always)?\(((?:[^()]|\([^()]*\))*)\)/g)].map(
      ([, inside = ""]) => readWords(inside, posargs),
    );
    const text = lines.filter((line) => line !== "").join("\n");
    return text === ""
      ? []
      : [
          {
            directory,
            text,
            env: {},
            foundBy: `${file} session ${name}`,
            trust: otherEnvironment.test(name) ? 0.7 : trustInEnvironment,
          },
        ];
  });
}

/** The leading string arguments of a call; keyword arguments end them. */
function readWords(inside: string, posargs: readonly string[]): string {
  const plain = inside.replace(/,\s*\w+\s*=(?!=)[\s\S]*$/, "");
  const words = [...plain.matchAll(/(\*?)\s*(f?)(?:"([^"\n]*)"|'([^'\n]*)')|\*\w/g)].flatMap(
    ([, , formatted, double, single]) => {
      const word = double ?? single;
      return word === undefined || (formatted === "f" && word.includes("{")) ? [] : [word];
    },
  );
  return words.length === 0 ? "" : [...words, ...posargs].map(quoteWord).join(" ");
}

/** What a `feature` is to be called: "Add `total(weights)`" asks for a definition of that name, and tests of another show nothing. Pure. */
import { addedLines, type ChangedFile, linesOf } from "./change.ts";

const asking =
  /\b(?:add|implement|introduce|create|provide|define|write|offer|expose)\b[^.;`\n]{0,40}`([\p{L}_$][\p{L}\p{N}_$.:]*)\(/giu;
/** "`Account.close` pays out the balance" */
const subject =
  /(?:^|[.!?]\s+|\n\s*)`([\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::)[\p{L}_$][\p{L}\p{N}_$]*)+)(?:\([^`\n]*\))?`/gu;

const ofFile =
  /\.(?:json|ya?ml|toml|mdx?|rst|txt|cfg|ini|xml|csv|html?|css|sh|py|[cm]?[jt]sx?|go|rs|java|c|h|cc|cpp|hpp|cs|kt|lua|rb|php|sql|lock|log)$/i;

/** Last parts of names that the statement asks for. */
export function listAskedNames(statement: string): string[] {
  const found = [...statement.matchAll(asking), ...statement.matchAll(subject)].filter(
    ([, name = ""]) => !ofFile.test(name),
  );
  return [...new Set(found.map(([, name = ""]) => name.split(/\.|::/).at(-1) ?? ""))].filter(
    (name) => name !== "",
  );
}

/** Those that no added line of code has. */
export function listMissingNames(files: readonly ChangedFile[], statement: string): string[] {
  const added = files
    .filter(({ isTest }) => !isTest)
    .flatMap((file) => {
      const lines = linesOf(file.after);
      return addedLines(file).map((number) => lines[number - 1] ?? "");
    })
    .join("\n");
  const words = new Set(added.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
  return listAskedNames(statement).filter((name) => !words.has(name));
}

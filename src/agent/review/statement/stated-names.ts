/**
 * Finds the names that a `feature` must define: "Add `total(weights)`" asks for that name, and tests of another name
 * prove nothing. Pure.
 */
import { languages } from "../../../languages/languages.generated.ts";
import { addedLines, type ChangedFile, linesOf } from "../../code/change.ts";

const asking =
  /\b(?:add|implement|introduce|create|provide|define|write|offer|expose)\b[^.;`\n]{0,40}`([\p{L}_$][\p{L}\p{N}_$.:]*)\(/giu;
/** Matches the subject of a sentence: "`Account.close` pays out the balance". */
const subject =
  /(?:^|[.!?]\s+|\n\s*)`([\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::)[\p{L}_$][\p{L}\p{N}_$]*)+)(?:\([^`\n]*\))?`/gu;

const ofFile = new RegExp(
  `\\.(?:json|ya?ml|toml|mdx?|rst|txt|cfg|ini|xml|csv|html?|css|sh|sql|lock|log)$|(?:${languages
    .flatMap(({ extensions }) => extensions)
    .join("|")
    .replaceAll(".", "\\.")})$`,
  "i",
);

/** Returns the names that the statement asks for, without qualifiers: `close` for `Account.close`. */
export function listAskedNames(statement: string): string[] {
  const found = [...statement.matchAll(asking), ...statement.matchAll(subject)].filter(
    ([, name = ""]) => !ofFile.test(name),
  );
  return [...new Set(found.map(([, name = ""]) => name.split(/\.|::/).at(-1) ?? ""))].filter(
    (name) => name !== "",
  );
}

/** Returns the requested names that no added line of code contains. */
export function listMissingNames(files: readonly ChangedFile[], statement: string): string[] {
  const words = wordsOf(addedCode(files));
  return listAskedNames(statement).filter((name) => !words.has(name));
}

function addedCode(files: readonly ChangedFile[]): string {
  return files
    .filter(({ isTest }) => !isTest)
    .flatMap((file) => {
      const lines = linesOf(file.after);
      return addedLines(file).map((number) => lines[number - 1] ?? "");
    })
    .join("\n");
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
}

const placed = new RegExp(
  `${asking.source}[^\`\\n]*\`\\s+(?:to|in|into|inside)\\s+\`?([\\w@/-][\\w@./-]*\\.\\w+)\`?`,
  "giu",
);

/**
 * Lists names that the patch defines outside the file that the statement requests, as in "Add `total(weights)` to
 * shipping.py".
 */
export function listMisplacedNames(
  files: readonly ChangedFile[],
  statement: string,
): { readonly name: string; readonly file: string }[] {
  const words = wordsOf(addedCode(files));
  return [...statement.matchAll(placed)].flatMap(([, asked = "", file = ""]) => {
    const name = asked.split(/\.|::/).at(-1) ?? "";
    if (!ofFile.test(file) || !words.has(name)) return [];
    const own = files.filter(({ path }) => path === file || path.endsWith(`/${file}`));
    return own.some(({ after }) => wordsOf(after ?? "").has(name)) ? [] : [{ name, file }];
  });
}

const error =
  /(?<![\p{L}\p{N}_$])(?:[\p{L}_$][\p{L}\p{N}_$]*(?:\.|::))*([\p{Lu}][\p{L}\p{N}_]*(?:Error|Exception))(?![\p{L}\p{N}_$])/gu;
/** Words about names that exist and should go, or that something else has. */
const old =
  /\b(?:instead of|rather than|currently|now|today|no longer|not|never|without|fail\w*|crash\w*)\b[^.;\n]{0,30}$|\b(?:where|while|because|since|as)\b[^.;,\n]{0,25}\b(?:raises?|throws?)\s+(?:an?\s+)?`?$|\b(?:previously|formerly|so far|used to|until now|raised|threw)\b[^.,;\n]{0,30}$|\b(?:was|were|got)\s+(?:\w+\s+){0,2}(?:with|as|by|into)\s+(?:an?\s+)?`?$/i;
/** Files of languages that throw errors. In other languages an error is a value, and needs no name. */
const throwing = /\.(?:py|[cm]?[jt]sx?|java|kt|cs|rb|php)$/;

/**
 * Lists the errors that the statement asks for and that neither the patch nor its tests name. No test checks these
 * errors. Omits an error that the statement describes as the current or wrong one. Empty if the patch changes no file
 * in a language that throws errors.
 */
export function listUnaskedErrors(
  files: readonly ChangedFile[],
  tests: readonly string[],
  statement: string,
): string[] {
  if (!files.some(({ path, isTest }) => !isTest && throwing.test(path))) return [];
  const words = wordsOf([addedCode(files), ...tests].join("\n"));
  const wanted = [...statement.matchAll(error)].flatMap(({ 1: name = "", index }) =>
    old.test(statement.slice(Math.max(0, index - 40), index)) ? [] : [name],
  );
  return [...new Set(wanted)].filter((name) => !words.has(name));
}

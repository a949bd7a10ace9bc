/** Finds errors of Go and Rust that a patch drops. Works on the text. Pure. */
import { literally } from "../../../base/literal-pattern.ts";
import { listSentences } from "../statement/stated-requirements.ts";
import { type FileCode, type FunctionCode, joinCode } from "../texts/code-lines.ts";
import { addedIn, type Careless, type Changed, formerOf } from "./careless-form.ts";
import { demandsErrors } from "./wider-handlers.ts";

/** Errors that only the base passes on. Examples are Go's `port, _ :=`, and a Rust function that can no longer fail. */
function findDroppedErrors(change: Changed): Careless[] {
  const { code, before, subjects } = change;
  if (!/^(?:go|rust)$/.test(code.language)) return [];
  const losesSome = aboutLoss.test(subjects);
  if (losesSome && subjects.split(/[.:;!?]\s|\n/).some(losesFaults)) return [];
  // The sentence before may say what has to be ignored.
  const isDoubt = losesSome && listSentences(subjects).some((each) => aboutFaults.test(each));
  return code.functions.flatMap((own): Careless[] => {
    const old = formerOf(before, own);
    if (old === undefined) return [];
    // "Blanks have to be ignored" excuses no lost error that the documentation or the statement demands.
    if (losesSome && !demandsErrors(subjects) && !promisesError.test(own.documentation)) return [];
    const [was, is] = [bodyOf(old), bodyOf(own)];
    const added = addedIn(change, own);
    if (code.language === "rust") {
      const at = added.find(({ code: line }) =>
        /\.(?:unwrap_or\w*|ok|flatten|flat_map)\(|\bResult::ok\b/.test(line),
      );
      const isFallible =
        /->\s*(?:[\w:]*::)?Result\b/.test(own.signature) && (/\?|\bErr\b/.test(was) || !/\bOk\(/.test(was));
      const cannotFail =
        /\bOk\(/.test(is) &&
        !/\?|\bErr\b/.test(is) &&
        (/^\s*Ok\(/.test(is) || !/\.(?:map|map_err|and_then|ok_or\w*|collect)\b/.test(is));
      return at !== undefined && isFallible && cannotFail
        ? [
            {
              line: at.line,
              text: `hides every error of \`${own.name}\`, so this function can no longer fail`,
              isDoubt,
            },
          ]
        : [];
    }
    return added.flatMap(({ code: line, line: at }) => {
      const [, call = ""] = /,\s*_\s*:?=\s*([\w.]+)\(/.exec(line) ?? [];
      const handed = new RegExp(String.raw`,\s*err\s*:?=\s*${literally(call)}\(`);
      const isLost = handed.test(was) && !handed.test(is);
      return call !== "" && (isLost || (demandsErrors(subjects) && givesError(code, own, call)))
        ? [
            {
              line: at,
              text: `drops the error of \`${call}\`${isLost ? ", which the function handled before" : ""}`,
            },
          ]
        : [];
    });
  });
}

/** True if this Go function returns an error, and calls a function of its file or its parameters that also does. */
function givesError(code: FileCode, own: FunctionCode, call: string): boolean {
  const isError = (signature: string): boolean => /\berror\s*\)?\s*\{?\s*$/.test(signature);
  const parameter = new RegExp(
    String.raw`\b${literally(call)}\b(?:\s*,\s*\w+)*\s+func\([^()]*\)\s*(?:\([^()]*\berror\)|error\b)`,
  );
  const name = call.replace(/^.*\./, "");
  const isKnown = code.functions.some((each) => each.name === name && isError(each.signature));
  return isError(own.signature) && (isKnown || parameter.test(own.signature));
}

const promisesError = /\berrors?\b|\bfails?\b|\bErr\b/i;

const bodyOf = ({ lines }: FunctionCode): string => joinCode(lines.length === 1 ? lines : lines.slice(1));

const aboutFaults =
  /\blossy|\bsurrogate|\binvalid|\bmalformed|\bbroken|\bcorrupt|\btransliterat|\bascii[- ]only|\berrors?\b|\bfail|\bunpars|\bbad\b|\bno(?:t an?)? (?:number|integer)/i;
export const aboutLoss =
  /\bignor|\blossy|\bdrop|\bskip|\bstrip|\bremov|\bsurrogate|\binvalid|\bmalformed|\bbroken|\bcorrupt|\btransliterat|\bascii[- ]only/i;

/** True for "Parts that are no number are skipped", false for "It is an error: blanks have to be ignored". */
const losesFaults = (clause: string): boolean => aboutLoss.test(clause) && aboutFaults.test(clause);

export const droppedErrors: readonly ((change: Changed) => Careless[])[] = [findDroppedErrors];

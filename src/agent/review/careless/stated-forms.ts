/** Finds code that leaves out what the statement demands, or what the base did, in a form that short tests miss. Pure. */
import { literally } from "../../../base/literal-pattern.ts";
import { listRequirements, listSentences } from "../statement/stated-requirements.ts";
import { addedLinesOf, type Careless, type Changed, isScript } from "./careless-form.ts";

const ofThis = /(?:`this`|\bits (?:own )?`?this`?(?= when| if| as|[.,;]|$))/;
const keepsThis = /\bthis\b|\.(?:call|apply|bind)\(|\bReflect\.apply\b/;

/** The statement demands `this`, but the patch only passes the arguments: `action(...given)`. */
function findDroppedThis({ code, added, subjects }: Changed): Careless[] {
  if (!isScript(code) || !listRequirements(subjects).some((sentence) => ofThis.test(sentence))) return [];
  const lines = addedLinesOf({ code, added });
  const call = lines.find((each) =>
    /(?<![\w$.]|\bnew )(?!super\b|import\b)[\w$]+\(\.\.\.[\w$]+\)/.test(each.code),
  );
  const at = call?.line ?? 0;
  const around = code.functions.filter(({ startLine, endLine }) => startLine <= at && at <= endLine);
  const near = [...lines.map((each) => each.code), ...around.flatMap((own) => own.lines)];
  return call === undefined || near.some((line) => keepsThis.test(line))
    ? []
    : [{ line: call.line, text: "passes the arguments on without the `this` that the statement demands" }];
}

const aboutReplacing =
  /\b(?:replac|overwrit|overrid|reset|instead of|set to|latest|last value|no longer add|doubl|twice|accumulat|grow|equal|stale|again|repeated)/i;

/** `counts[name] += count` becomes `counts.update({name: count})`: a second call loses the first count. */
function findOverwrittenSums({ subjects, compared }: Changed): Careless[] {
  if (aboutReplacing.test(subjects)) return [];
  return compared.flatMap(({ own, is, was, added }): Careless[] => {
    const [, name = ""] = /(?<![\w.$@])([\w.$@]{1,60})\[[^\]\n]{1,80}\]\s*\+=/.exec(was) ?? [];
    if (name === "") return [];
    const plain = literally(name);
    const reads = new RegExp(
      String.raw`(?<![\w.$@])${plain}(?:\.(?:get|setdefault|fetch|pop)\b|\[[^\]\n]{1,80}\]\s*(?!\s*=(?!=)))`,
    );
    const writes = new RegExp(
      String.raw`(?<![\w.$@])${plain}(?:\[[^\]\n]{1,80}\]\s*=(?!=)|\.(?:set|put|store|merge!)\(|\.update\(\s*(?:\{|\w+=))`,
    );
    // A variable of the function itself has nothing of earlier calls.
    const isOwn = new RegExp(String.raw`(?<![\w.$@])${plain}\s*(?::[^=\n]{1,80})?:?=(?!=)`).test(is);
    if (isOwn) return [];
    const at = added.find(({ code: line }) => writes.test(line));
    return at === undefined || reads.test(is) || /\+/.test(is)
      ? []
      : [
          {
            line: at.line,
            text: `overwrites in \`${own.name}\` the total of earlier calls instead of adding to it`,
          },
        ];
  });
}

const goesOn = /\band so (?:on|forth)\b/i;
const ofRule = /\b(?:each|every|any|another)\b/i;
const table = /(?:\[|\{|\()\s*(\d[\d_]*(?:\.\d+)?(?:\s*,\s*\d[\d_]*(?:\.\d+)?){2,})\s*,?\s*(?:\]|\}|\))/;

/** "300 points for level 3, and so on: each level needs more" becomes a table of the first levels. */
function findEndedRules({ code, added, before, subjects }: Changed): Careless[] {
  const isRule = listSentences(subjects).some(
    (sentence) => goesOn.test(sentence) && ofRule.test(sentence) && (sentence.match(/\d+/g)?.length ?? 0) > 2,
  );
  if (!isRule) return [];
  const lines = addedLinesOf({ code, added });
  // A formula or a loop beside the table may continue it.
  const goesFurther = lines.some(
    ({ code: line }) =>
      (/\*|<</.test(line) || (/\b(?:while|range|for)\b./.test(line) && !line.endsWith("]"))) &&
      !table.test(line),
  );
  return lines.flatMap(({ code: text, line }): Careless[] => {
    const [, list = ""] = table.exec(text) ?? [];
    const numbers = list.split(",").map((each) => Number(each.trim().replaceAll("_", "")));
    const isAscending = numbers.every((each, at) => at === 0 || each > (numbers[at - 1] ?? 0));
    const isNew = (): boolean => before?.lines.every((each) => each.code.trim() !== text.trim()) !== false;
    return list !== "" && isAscending && isNew()
      ? [
          {
            line,
            text: "lists only the first steps of a rule, but the statement says that the rule continues",
            isDoubt: goesFurther,
          },
        ]
      : [];
  });
}

export const statedForms: readonly ((change: Changed) => Careless[])[] = [
  findDroppedThis,
  findOverwrittenSums,
  findEndedRules,
];

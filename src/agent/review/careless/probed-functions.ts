/** Lists the functions of the changed files whose calls should have no side effect. Works on the text. */
import { literally } from "../../../base/literal-pattern.ts";
import type { ChangedFile } from "../../code/change.ts";
import { statedSubjects } from "../statement/stated-subjects.ts";
import { type FunctionCode, joinCode, readChangedCode } from "../texts/code-lines.ts";
import { aboutChange, changesByName, emptiesByName } from "./careless-code.ts";
import { formerOf, ofLanguage } from "./careless-form.ts";

export interface ProbedFunction {
  readonly name: string;
  /** True if calls may depend on earlier calls: by name, statement, or state that the base's file has already. */
  readonly mayKeepState: boolean;
  /** True if the function may change its arguments: by name, documentation, statement, or its code on the base. */
  readonly mayChangeInput: boolean;
}

const statefulByName =
  /^_*(?:re)?(?:next|add|append|register|create|push|pop|insert|save|store|put|set|inc|new|gen|make_id|uid|log|track|record|take|acquire|release|connect|open|close|init|reset|update|delete|remove|visit|enqueue|dequeue|toggle|switch|start|stop|subscribe|on|emit|load|read|write|roll|draw|pick|random|shuffle|sample|retry|throttle|debounce|once|tick|step|advance|now|count_call)(?![a-z])/i;
const aboutState =
  /\b(?:cach\w*|memo\w*|counters?|next|increment\w*|ids?|identifiers?|once|again|(?:second|first|later) (?:call|time)s?|sequence\w*|state\w*|sessions?|regist\w*|random\w*|shuffl\w*|clock|throttl\w*|debounc\w*|retr(?:y|ies|ied)|iterators?|generators?|streams?|consum\w*|globals?|singleton|laz(?:y|ily)|subsequent\w*|previous\w*|(?:each|every|repeated|between|all) calls?|calls)\b/i;
/** State of a module on the base that its functions can change. */
const moduleState: Readonly<Record<string, RegExp>> = {
  python:
    /^\s+(?:global|nonlocal)\s|^_*[a-z]\w*\s*(?::[^=\n]*)?=\s*(?:\[|\{|(?:set|list|dict|defaultdict|Counter|deque|iter|count|cycle)\(|itertools\.|threading\.)/m,
  script: /^(?:export\s+)?(?:let|var)\s|^const\s+[\w$]+\s*(?::[^=\n]*)?=\s*new\s+(?:Map|Set|WeakMap)\b/m,
  ruby: /\$[a-z]\w*\s*(?:\|\|)?=|@@\w/,
  go: /^var\s|\bsync\.(?:Once|Pool|Map)\b/m,
  rust: /\bstatic\s+mut\b|\blazy_static!|\bOnce(?:Lock|Cell)\b|\bthread_local!|\bAtomic[A-Z]|\bstatic\s+\w+\s*:\s*(?:Mutex|RwLock|LazyLock)/,
  php: /^\s*static\s+\$|\bglobal\s+\$|\bstatic\s+\$/m,
  java: /\bstatic\s+(?!final\b)(?:[\w<>,[\]]+\s+)+\w+\s*(?:=|;)|\bstatic\s+final\s+(?:\w*Map|\w*List|\w*Set|Atomic\w+)\b/,
};

export async function listProbedFunctions(
  files: readonly ChangedFile[],
  statement: string,
): Promise<ProbedFunction[]> {
  const subjects = statedSubjects(statement);
  const changed = await readChangedCode(files);
  return changed.flatMap(({ code, before }) => {
    const was = before === undefined ? "" : joinCode(before.lines.map((line) => line.code));
    const hasState = ofLanguage(moduleState, code)?.test(was) === true || aboutState.test(subjects);
    const isKnown = ofLanguage(moduleState, code) !== undefined;
    return code.functions.filter(isPlain).flatMap((own): ProbedFunction[] => {
      const old = formerOf(before, own);
      if (old === undefined) return [];
      const { name } = own;
      const mayChangeInput =
        [changesByName, emptiesByName].some((form) => form.test(name)) ||
        aboutChange.test(`${subjects}\n${own.documentation}`) ||
        changesInput(old);
      return [{ name, mayKeepState: hasState || statefulByName.test(name), mayChangeInput }];
    });

    function isPlain({ type, signature, name }: FunctionCode): boolean {
      return (type === "" || /\bstatic\b/.test(signature)) && !/^test/i.test(name) && isKnown;
    }
  });
}

/** True if the function's code already changes one of its parameters. */
function changesInput({ parameters, lines }: FunctionCode): boolean {
  const body = joinCode(lines.slice(1));
  return parameters.some((name) => {
    const plain = literally(name);
    return new RegExp(
      String.raw`(?<![\w.$])\$?${plain}(?:[\w.]{0,60}\.(?:sort|append|extend|insert|add|update|pop|remove|clear|setdefault|push|splice|shift|unshift|reverse|delete|set|merge!|map!|concat)\b|(?:\[[^\]\n]{1,80}\]|\.\w+){1,4}\s*[-+*/|&]?=(?![=>])|\s*<<)|\bObject\.assign\(\s*${plain}\b`,
    ).test(body);
  });
}

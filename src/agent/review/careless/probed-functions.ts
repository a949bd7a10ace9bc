/** Lists the functions of the changed files to probe for side effects. Works on the text. */
import { literally } from "../../../base/literal-pattern.ts";
import type { ChangedFile } from "../../code/change.ts";
import { statedSubjects } from "../statement/stated-subjects.ts";
import { type FunctionCode, joinCode, readChangedCode } from "../texts/code-lines.ts";
import { aboutChange, changesByName, emptiesByName } from "./careless-code.ts";
import { formerOf, ofLanguage } from "./careless-form.ts";

export interface ProbedFunction {
  readonly name: string;
  /** True for a method of an object. */
  readonly isMethod: boolean;
  /** The method's type; "" for a function. */
  readonly type: string;
  readonly hasParameters: boolean;
  /** True if a call's result may depend on earlier calls: by the name, the statement, or state in the base's file. */
  readonly mayKeepState: boolean;
  /** True if the function may change its arguments: by name, documentation, statement, or its code on the base. */
  readonly mayChangeInput: boolean;
}

const statefulByName =
  /^_*(?:re)?(?:next|add|append|register|create|push|pop|insert|save|store|put|set|inc|new|gen|make_id|uid|log|track|record|take|acquire|release|connect|open|close|init|reset|update|delete|remove|visit|enqueue|dequeue|toggle|switch|start|stop|subscribe|on|emit|load|read|write|roll|draw|pick|random|shuffle|sample|retry|throttle|debounce|once|tick|step|advance|now|count_call)(?![a-z])/i;
const aboutState =
  /\b(?:cach\w*|memo\w*|counters?|next|increment\w*|ids?|identifiers?|(?<!each )once|again|(?:second|first|later) (?:call|time)s?|sequence\w*|state\w*|sessions?|regist\w*|random\w*|shuffl\w*|clock|throttl\w*|debounc\w*|retr(?:y|ies|ied)|iterators?|generators?|streams?|consum\w*|globals?|singleton|laz(?:y|ily)|subsequent\w*|previous\w*|(?:each|every|repeated|between|all) calls?|calls)\b/i;
/** Methods whose purpose is to change their object, and statements about such changes. */
const changesObject =
  /^_*(?:poll|drain|consume|flush|dispatch|fetch|receive|accept|claim|reserve|use|spend|apply|execute|run|handle|process|undo|redo|move|jump|fill|do|send|clear|merge|call|parse|try|touch|mark|end|finish|skip|seek|rewind|commit|dump|extract|split_off|replace|swap|sort|reverse|change|rename|set_?\w*|inc\w*|dec\w*|validate|is_?valid|full_?clean|normali[sz]e|refresh|reload|build|compile|prepare|set_?up|tear_?down|clean|strip|trim|sync|seal|freeze|lock|unlock|bind|attach|detach|install|enable|disable|activate|configure|exit|quit|abort|cancel|destroy|dispose|free|shut_?down|join|wait|work|perform|ensure|check|resolve|expand|finali[sz]e)(?![a-z])/i;
const aboutObject =
  /\b(?:remov\w*|empt(?:y|ies|ied)\b|drain\w*|(?:de|en)queue\w*|pops?|advanc\w*|positions?|cursors?|evict\w*|recent\w*|used|expir\w*|histor\w*|undo|tak(?:e|es|ing) (?:out|off|away)|left over|buffers?|pending|twice|repeated\w*|chang(?:e|es|ing) (?:the|its|their)|in place|modif\w*|mutat\w*)\b/i;
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
  return changed.flatMap(({ code, before, added }) => {
    const was = before === undefined ? "" : joinCode(before.lines.map((line) => line.code));
    const hasState = ofLanguage(moduleState, code)?.test(was) === true || aboutState.test(subjects);
    const isKnown = ofLanguage(moduleState, code) !== undefined;
    return code.functions.filter(isProbed).flatMap((own): ProbedFunction[] => {
      const old = formerOf(before, own);
      if (old === undefined) return [];
      const { name } = own;
      if (!isPlain(own)) return isAdded(own) ? [toMethod(own, subjects)] : [];
      const mayChangeInput =
        [changesByName, emptiesByName].some((form) => form.test(name)) ||
        aboutChange.test(`${subjects}\n${own.documentation}`) ||
        changesInput(old);
      const plain = { name, isMethod: false, type: "", hasParameters: own.parameters.length > 0 };
      return [{ ...plain, mayKeepState: hasState || statefulByName.test(name), mayChangeInput }];
    });

    function isProbed({ name }: FunctionCode): boolean {
      return isKnown && !/^test/i.test(name);
    }

    function isAdded({ startLine, endLine }: FunctionCode): boolean {
      return [...added].some((line) => startLine <= line && line <= endLine);
    }
  });
}

const isPlain = ({ type, signature }: FunctionCode): boolean => type === "" || /\bstatic\b/.test(signature);

/**
 * A method of a changed object has state, so only the method's name, its documentation and the statement tell whether
 * calls change the object.
 */
function toMethod({ name, type, parameters, documentation }: FunctionCode, subjects: string): ProbedFunction {
  const told = `${subjects}\n${documentation}`;
  const mayKeepState =
    statefulByName.test(name) || changesObject.test(name) || aboutState.test(told) || aboutObject.test(told);
  const hasParameters = parameters.length > 0;
  return { name, isMethod: true, type, hasParameters, mayKeepState, mayChangeInput: true };
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

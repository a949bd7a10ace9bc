/**
 * Finds results that a patch keeps for later calls although they may change. Examples are a stored result of an object
 * that changes later, and a result of several inputs with a key of only one. Works on the text; pure except for the
 * parser and for reading the base's tests.
 */
import { literally } from "../../../base/literal-pattern.ts";
import { isTestFile } from "../../../languages/source-files.ts";
import type { ChangedFile } from "../../code/change.ts";
import type { Finding } from "../contract.ts";
import type { BaseFiles } from "../texts/base-files.ts";
import { type ChangedCode, type FileCode, type FunctionCode, joinCode } from "../texts/code-lines.ts";

/** Matches statements that ask to keep the first result, even if it becomes stale. */
const aboutSnapshots = /\bsnapshot|\bfrozen|\bimmutable|\bstale|\bfirst result\b/i;

/**
 * Objects to cached results that become stale when their object changes, or whose cache key lacks inputs. `subjects`:
 * the part of the statement that contains the request.
 */
export async function judgeKeptResults(
  changed: readonly ChangedCode[],
  files: readonly ChangedFile[],
  base: BaseFiles,
  subjects: string,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const change of changed) {
    if (change.before === undefined) continue;
    const narrow = findNarrowKey(change);
    if (narrow !== undefined) findings.push(tell(change.file, narrow));
    if (aboutSnapshots.test(subjects)) continue;
    for (const stale of listStale(change))
      if (!(await isTestedAfterChange(stale, files, base)))
        findings.push(tell(change.file, tellStale(stale)));
  }
  return findings;
}

function tell({ path }: ChangedFile, { line, text }: { line: number; text: string }): Finding {
  return { weight: "objection", text: `${path}:${line} ${text}.` };
}

interface Stale {
  readonly method: FunctionCode;
  readonly line: number;
  /** The field on which the result depends. */
  readonly state: string;
  readonly changers: readonly string[];
}

const tellStale = ({ method, line, state, changers }: Stale): { line: number; text: string } => ({
  line,
  text: `keeps the result of \`${method.name}\`, but \`${changers[0]}\` changes \`${state}\` without clearing the kept result; no test calls \`${method.name}\` before and after \`${changers[0]}\``,
});

/** The text before a field's name when an object's methods write the field, as a pattern by language. */
const access: Readonly<Record<string, (method: FunctionCode) => string>> = {
  python: () => String.raw`(?<![\w.])(?:self|cls)\.`,
  ruby: () => "(?<!@)@",
  php: () => String.raw`\$this->`,
  rust: () => String.raw`(?<![\w.])self\.`,
  java: () => String.raw`(?<![\w.])(?:this\.)?`,
  go: ({ signature }) => String.raw`(?<![\w.])${/^func\s*\((\w+)/.exec(signature)?.[1] ?? "_"}\.`,
};
const usualAccess = (): string => String.raw`(?<![\w$.])this\.#?`;

const writing = String.raw`\s*(?:\[[^\]\n]*\]\s*)*(?:[-+*/|&^%]|\|\||\?\?|<<|\*\*|//)?=(?![=>~])`;
const calledToChange =
  "append|appendleft|extend|insert|add|addAll|push|push_str|push_back|unshift|pop|popleft|shift|splice|remove|removeAll|removeIf|discard|delete|clear|update|set|put|putAll|sort|reverse|retain|truncate|drain|concat|store|replace|take|setdefault|get_or_insert_with|get_or_init|computeIfAbsent";
const changing = String.raw`(?:${writing}|\s*(?:<<|\+\+|--)|(?:\.|->)(?:${calledToChange})!?\s*\(|(?:\.|->)\w+!)`;
const emptyingBefore = String.raw`(?:\bdel\s+|\bdelete\s+|\bdelete\(|\bunset\(\s*|\bappend\(\s*|&mut\s+)`;
const begins =
  /^(?:__init__|__new__|__setstate__|__post_init__|initialize|__construct|constructor|new|New\w*|set_?up)$/i;
const decorators = /^\s*@(?:\w+\.)*(?:lru_cache|cache|cached_property|memoi[sz]ed?|cachedmethod|reify)\b/;

function listStale({ file: { before = "" }, code, added }: ChangedCode): Stale[] {
  const prefixOf = access[code.language] ?? usualAccess;
  const found: Stale[] = [];
  for (const method of code.functions) {
    if (begins.test(method.name)) continue;
    const isAdded = (_: string, index: number): boolean => added.has(method.startLine + index);
    const first = method.lines.findIndex(isAdded);
    if (first === -1) continue;
    const at = method.lines.findIndex((line, index) => isAdded(line, index) && decorators.test(line));
    if (method.type === "" && at === -1) continue;
    const prefix =
      method.type === "" ? `\\b(?:${method.parameters.map(literally).join("|")})\\.` : prefixOf(method);
    const isApart = at === -1 && isKeptApart(method.lines, isAdded);
    const field = at === -1 && !isApart ? findKept(code, method, { prefix, before, isAdded }) : undefined;
    if (at === -1 && !isApart && field === undefined) continue;
    const others = code.functions.filter(
      (each) =>
        each !== method &&
        (each.type === method.type || method.type === "") &&
        each.kind !== "constructor" &&
        !begins.test(each.name),
    );
    const isDiscarded =
      field !== undefined
        ? others.some((each) => writes(each, prefixOf(each), field))
        : isApart
          ? others.some(({ lines }) => lines.some((line) => discardsApart.test(line)))
          : isCleared(code, method.name);
    if (isDiscarded) continue;
    for (const state of readFields(code, method, others, prefix)) {
      const changers = others.filter(
        (each) =>
          each.type !== "" && writes(each, prefixOf(each), state) && !isLazy(each, prefixOf(each), state),
      );
      if (state === field || changers.length === 0) continue;
      const line = method.startLine + Math.max(first, at);
      found.push({ method, line, state, changers: changers.map(({ name }) => name) });
      break;
    }
  }
  return found;
}

/** True for `totals.set(this, …)` with a map outside the object, and for a property that replaces the method. */
function isKeptApart(lines: readonly string[], isAdded: (line: string, index: number) => boolean): boolean {
  const stored = lines
    .filter(isAdded)
    .map((line) =>
      /\bObject\.defineProperty\(\s*this\b()|(\w+)(?:\[self\]\s*=(?!=)|\.set\(\s*this\s*,)/.exec(line),
    )
    .find((each) => each !== null);
  const map = stored?.[2];
  if (stored === undefined || map === undefined) return stored !== undefined;
  const asked = new RegExp(
    String.raw`\bself\s+(?:not\s+)?in\s+${map}\b|\b${map}\.(?:has|get)\(\s*(?:this|self)\b`,
  );
  return lines.some((line) => asked.test(line));
}

const discardsApart =
  /\b(?:del|delete|pop|remove)\b.*\b(?:this|self)\b|\bdefineProperty\(\s*this\b|\bdelete\s+this\./;

/** True if Python code clears the cache of a decorator. */
function isCleared({ lines }: FileCode, name: string): boolean {
  const clears = new RegExp(
    String.raw`\bcache_clear\b|\b__dict__\b|\bdel\s+self\.${literally(name)}\b|\bdelattr\b`,
  );
  return lines.some(({ code }) => clears.test(code));
}

interface Placed {
  readonly prefix: string;
  readonly before: string;
  readonly isAdded: (line: string, index: number) => boolean;
}

/** Finds a field that the patch adds, and that the method writes only after a check for its presence. */
function findKept(
  code: FileCode,
  method: FunctionCode,
  { prefix, before, isAdded }: Placed,
): string | undefined {
  const own = new RegExp(String.raw`${prefix}(\w+)`, "g");
  const text = joinCode(method.lines.filter(isAdded));
  const names = new Set([...text.matchAll(own)].map(([, name = ""]) => name));
  return [...names].find((name) => {
    if (code.language === "java" && !isField(code, name)) return false;
    const had =
      code.language === "java"
        ? String.raw`\b${literally(name)}\b(?!\s*\()`
        : `${prefix}${literally(name)}(?!\\w)`;
    if (new RegExp(had).test(before)) return false;
    if (!isStored(method, prefix, name) || isMadeAnew(code, method, prefix, name)) return false;
    const strings = code.lines.slice(method.startLine - 1, method.endLine).flatMap((line) => line.strings);
    return isAsked(method, prefix, name) || isGivenBack(method, prefix, name, strings);
  });
}

const isField = ({ definitions }: FileCode, wanted: string): boolean =>
  definitions.some(({ kind, name }) => kind === "field" && name === wanted);

function isAsked({ lines }: FunctionCode, prefix: string, name: string): boolean {
  const field = String.raw`${prefix}${literally(name)}(?!\w)`;
  const kept = new RegExp(
    String.raw`${field}\s*(?:\[[^\]\n]*\]\s*)?(?:\?\?=|\|\|=)|${field}\.(?:get_or_insert_with|get_or_init|computeIfAbsent|setdefault)\b`,
  );
  const own = new RegExp(field);
  const anyField = new RegExp(String.raw`${prefix}(\w+)(?!\w|\s*\()`, "g");
  return lines.some((line) => {
    if (kept.test(line)) return true;
    const isAfterWord = isInOrder(line, /\b(?:if|unless|elif|match|return)\b|\?/, own);
    if (!isAfterWord && !isInOrder(line, own, /\?/)) return false;
    if (!/\b(?:if|unless|elif|match|in|nil)\b|\?/.test(line)) return false;
    // A condition on the state too asks whether the result is still right.
    return prefix.includes("this\\.)?") || [...line.matchAll(anyField)].every(([, other]) => other === name);
  });
}

/** True if the second pattern matches after the first one. Needs linear time, unlike `.*` between them. */
function isInOrder(line: string, first: RegExp, second: RegExp): boolean {
  const at = line.search(first);
  return at !== -1 && second.test(line.slice(at));
}

/** True if the method only makes the field's value at the first call: `if self._a is None: self._a = …`. */
function isLazy(method: FunctionCode, prefix: string, name: string): boolean {
  const given = method.parameters.filter((each) => !/^(?:self|cls|this)$/.test(each));
  const field = `${prefix}${literally(name)}(?!\\w)`;
  const isWrite = writePattern(prefix, name);
  const isAbsent = new RegExp(
    String.raw`(?:\bnot\s+|!\s*|\bunless\s+)${field}|${field}\s*(?:(?:is|===?)\s*(?:None|null|nil|undefined)\b|\.(?:is_none|nil\?|is_empty|empty)\b|\?\?=|\|\|=)|\bis_null\(\s*${field}`,
  );
  const isMadeOnce = method.lines.filter((line) => isWrite.test(line)).length === 1;
  const asksAbsence = method.lines.some((line) => isAbsent.test(line));
  return given.length === 0 && isMadeOnce && asksAbsence && isStored(method, prefix, name);
}

/** True if the method stores a whole value in the field. A counter does not count as a result. */
function isStored({ lines }: FunctionCode, prefix: string, name: string): boolean {
  const field = `${prefix}${literally(name)}(?!\\w)`;
  const stores = new RegExp(
    String.raw`${field}\s*(?:\[[^\]\n]*\]\s*)*(?:\?\?|\|\||:)?=(?![=>~])|${field}\.(?:set|put|replace|insert|store|Store|add|get_or_\w+|setdefault|computeIfAbsent)\(`,
  );
  return lines.some((line) => stores.test(line));
}

/** Code that may read a field by its name in a string. */
const reflects =
  /\b(?:(?:get|has)attr|vars|__dict__|__getattribute__|get_object_vars|property_exists|Reflect|(?:instance_variable|getDeclared|getField)\w*)\b|\b(?:this|self)\s*\[|\$this->[{$]/;

/**
 * True if each call stores the field before it reads it, outside conditions. In between, it must call no function that
 * reads the field. Then no call uses an earlier call's result.
 */
function isMadeAnew(
  { functions }: FileCode,
  { lines: [, ...lines] }: FunctionCode,
  prefix: string,
  name: string,
): boolean {
  const field = new RegExp(`${prefix}${literally(name)}(?!\\w)`);
  const at = lines.findIndex((line) => field.test(line));
  const [, indent, value = ""] =
    new RegExp(String.raw`^(\s*)${prefix}${literally(name)}\s*=(?![=>~])(.*)$`).exec(lines[at] ?? "") ?? [];
  const outer = lines.find((line) => line.trim() !== "")?.match(/^\s*/)?.[0];
  if (indent === undefined || indent !== outer) return false;
  const made = [value, ...continuation(lines.slice(at + 1), value, indent)].join("\n");
  const before = [...lines.slice(0, at), made].join("\n");
  const reads = new RegExp(String.raw`(?:\.|->|@)${literally(name)}\b(?!\s*\()`);
  if (field.test(made) || reads.test(before) || reflects.test(before)) return false;
  const asks = new RegExp(String.raw`\b${literally(name)}\b(?!\s*\()`);
  return listCalled(functions, before).every((each) =>
    each.lines.every((line) => !asks.test(line) && !reflects.test(line)),
  );
}

/** Returns the statement's further lines: those in its brackets, and those with more indentation. */
function continuation(lines: readonly string[], first: string, indent: string): string[] {
  const found: string[] = [];
  let open = countOpen(first);
  for (const line of lines) {
    const isDeeper = line.trim() === "" || (line.startsWith(indent) && /^\s/.test(line.slice(indent.length)));
    if (open <= 0 && !isDeeper) break;
    found.push(line);
    open += countOpen(line);
  }
  return found;
}

function countOpen(line: string): number {
  return (line.match(/[([{]/g) ?? []).length - (line.match(/[)\]}]/g) ?? []).length;
}

/** Lists the functions that a text calls, directly or through these functions. */
function listCalled(functions: readonly FunctionCode[], text: string): FunctionCode[] {
  const found = new Set<FunctionCode>();
  const ask = (code: string): void => {
    const names = new Set([...code.matchAll(/(\w+)\s*\(/g)].map(([, each = ""]) => each));
    for (const each of functions) {
      if (!names.has(each.name) || found.has(each)) continue;
      found.add(each);
      ask(each.lines.join("\n"));
    }
  };
  ask(text);
  return [...found];
}

/**
 * `total = getattr(self, "_total", None)`, `self._total = self._total or …`: the method reads the field first, and then
 * returns it.
 */
function isGivenBack(
  { lines }: FunctionCode,
  prefix: string,
  name: string,
  strings: readonly string[],
): boolean {
  const field = `${prefix}${literally(name)}(?!\\w)`;
  const others = new RegExp(String.raw`${prefix}(?!${literally(name)}(?!\w))\w+(?!\w|\s*\()`);
  // A condition on the state asks whether the result is still right.
  if (lines.some((line) => isInOrder(line, /\b(?:if|unless|elif)\b/, others))) return false;
  const text = joinCode(lines);
  const mentions = (text.match(new RegExp(field, "g")) ?? []).length;
  const stored = (text.match(new RegExp(String.raw`${field}\s*(?:\[[^\]\n]*\]\s*)*:?=(?!=)`, "g")) ?? [])
    .length;
  const read = mentions - stored + strings.filter((each) => each === name).length;
  const isReturned = new RegExp(String.raw`\breturn\s+${field}\s*;?\s*$`, "m").test(text);
  if (isReturned) return read >= 2;
  const holders = [
    ...text.matchAll(/^\s*(?:(?:const|let|var|final|int|auto)\s+)*(\w+)\s*(?::[^=\n]*)?:?=(?!=)\s*(.+)$/gm),
  ];
  return holders.some(([, holder = "", made = ""]) => {
    const isOf = new RegExp(String.raw`^${field}(?!\s*=(?!=))`).test(made) || /^getattr\(self/.test(made);
    return isOf && read >= 1 && new RegExp(String.raw`\breturn\s+${literally(holder)}\b`).test(text);
  });
}

function writes({ lines }: FunctionCode, prefix: string, name: string): boolean {
  const isWrite = writePattern(prefix, name);
  return lines.some((line) => isWrite.test(line));
}

/** Matches a line that writes the field. */
function writePattern(prefix: string, name: string): RegExp {
  const field = `${prefix}${literally(name)}(?!\\w)`;
  return new RegExp(`${field}${changing}|${emptyingBefore}${field}`);
}

/** Lists the fields that the method reads, also through the methods of its object that it calls. */
function readFields(
  code: FileCode,
  method: FunctionCode,
  others: readonly FunctionCode[],
  prefix: string,
): string[] {
  const read = (lines: readonly string[], own: string): string[] =>
    lines.flatMap((line) =>
      [...line.matchAll(new RegExp(String.raw`${own}(\w+)`, "g"))].map(([, name = ""]) => name),
    );
  const direct = read(method.lines, prefix);
  const called = others.filter(({ name }) => direct.includes(name));
  const all = [
    ...direct,
    ...called.flatMap((each) => read(each.lines, (access[code.language] ?? usualAccess)(each))),
  ];
  const methods = new Set(code.functions.map(({ name }) => name));
  return [...new Set(all)].filter(
    (name) =>
      (isField(code, name) || (code.language !== "java" && !methods.has(name))) && name !== method.name,
  );
}

/** Maximum distance between two calls of one test, in characters. */
const longestTest = 1_500;
const mostTests = 2_000;

/** True if a test calls the method, changes the object, and calls the method again. */
async function isTestedAfterChange(
  { method, changers }: Stale,
  files: readonly ChangedFile[],
  base: BaseFiles,
): Promise<boolean> {
  const any = changers.map(literally).join("|");
  const own = literally(method.name);
  const gap = String.raw`[\s\S]{0,${longestTest}}?`;
  const order = new RegExp(String.raw`(?:\.|->)${own}\b${gap}(?:\.|->)(?:${any})\b${gap}(?:\.|->)${own}\b`);
  for (const { after, isTest } of files) if (isTest && after !== undefined && order.test(after)) return true;
  const tests = (await base.list()).filter((path) => isTestFile(path));
  for (const path of tests.slice(0, mostTests)) if (order.test((await base.read(path)) ?? "")) return true;
  return false;
}

const stores = [
  /([\w$.@#>-]+)\s*\[\s*(\$?\w+)\s*\]\s*(?:\|\||\?\?)?=(?![=>~])\s*(.+)/,
  /([\w$.@#>-]+)\.(?:set|put|setdefault|computeIfAbsent|putIfAbsent|insert|store|Store)\(\s*(\$?\w+)\s*,\s*(.+)/,
];

/** Finds a new map from one input to a result that also depends on another input. */
function findNarrowKey({
  file: { before = "" },
  code,
  added,
}: ChangedCode): { line: number; text: string } | undefined {
  for (const { parameters, lines, startLine } of code.functions) {
    if (parameters.length < 2) continue;
    const [, ...body] = lines;
    const text = joinCode(body.length === 0 ? lines : body);
    for (const [index, line] of lines.entries()) {
      if (!added.has(startLine + index)) continue;
      const store = stores.map((each) => each.exec(line)).find((each) => each !== null);
      const [, map = "", written = "", value = ""] = store ?? [];
      const named = written.replace(/^\$/, "");
      const [, key = named] =
        new RegExp(
          String.raw`^\s*(?:(?:const|let|var|final|String)\s+)*\$?${literally(named)}\s*:?=\s*\$?(\w+)\s*;?\s*$`,
          "m",
        ).exec(text) ?? [];
      const own = map.replace(/^.*(?:\.|->)#?/, "").replace(/^[$@]+/, "");
      if (store === undefined || !parameters.includes(key) || parameters.includes(own) || own === "")
        continue;
      if (new RegExp(String.raw`\b${literally(own)}\b`).test(before)) continue;
      const name = literally(map);
      const isLocal = new RegExp(
        String.raw`(?:\b(?:const|let|var|final|mut)\s+|^\s*)${name}\s*(?::[^=\n]*)?:?=(?!=)`,
        "m",
      ).test(text);
      const isOther = new RegExp(String.raw`^\s*\$?${literally(key)}\s*:?=(?!=)`, "m").test(text);
      if (isLocal || isOther || !isLookedUp(text, map, written, line)) continue;
      const depends = findDependence(text, value, parameters, key);
      if (depends !== undefined)
        return {
          line: startLine + index,
          text: `keeps results by \`${key}\` alone, but they also depend on \`${depends}\``,
        };
    }
  }
  return undefined;
}

function isLookedUp(text: string, map: string, key: string, store: string): boolean {
  if (/\|\|=|\?\?=|setdefault|IfAbsent/.test(store)) return true;
  const [own, input] = [literally(map), literally(key)];
  const seen = new RegExp(
    String.raw`${input}\s+(?:not\s+)?in\s+${own}|${own}\.(?:has|get|containsKey|contains_key|key\?|include\?|Load|load|contains)\(\s*&?${input}\s*[,)]|${own}\[\s*${input}\s*\](?!\s*=[^=])`,
  );
  return seen.test(text);
}

/** Returns a parameter on which the stored value depends, directly or through the stored variable. Omits callbacks. */
function findDependence(
  text: string,
  value: string,
  parameters: readonly string[],
  key: string,
): string | undefined {
  const variable = /^(\$?\w+)\s*[);]*\s*$/.exec(value)?.[1];
  const made =
    variable === undefined || parameters.includes(variable)
      ? value
      : [...text.matchAll(new RegExp(String.raw`\b${literally(variable)}\b[^=\n]*:?=(?!=)(.+)`, "g"))]
          .map(([, made = ""]) => made)
          .join("\n");
  return parameters.find(
    (name) =>
      name !== key &&
      new RegExp(
        String.raw`(?<![\w$.])\$?${literally(name)}(?![\w$]|\s*\(|\s*\.\s*\w+\s*\(|\s*[=:](?!=))`,
      ).test(made),
  );
}

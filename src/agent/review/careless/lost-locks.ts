/**
 * Finds code that no longer runs under a lock. A function no longer takes the lock, or a write is outside it. Works on
 * the text. Pure.
 */
import { literally } from "../../../base/literal-pattern.ts";
import { once } from "../../../base/once.ts";
import { argumentsAt } from "../../state/assertion-text.ts";
import { type FileCode, type FunctionCode, joinCode } from "../texts/code-lines.ts";
import {
  type Careless,
  type Changed,
  type Compared,
  formerOf,
  indentOf,
  ofLanguage,
} from "./careless-form.ts";

/** Code that takes a lock, by language; in Python, by the lock's name. The group is the lock's name. */
const locks: Readonly<Record<string, RegExp>> = {
  python:
    /\bwith\s+(?:\w{1,80}\.)*(\w{0,60}(?:lock|mutex)\w*)|\b(\w{0,60}(?:lock|mutex)\w{0,60})\.acquire\(/gi,
  go: /(?:\b(\w+)(?:\(\))?)?\.\s*R?Lock\(\)/g,
  java: /\bsynchronized\b(?:\s*\(\s*(?:this\.)?(\w+))?|(?:\b(\w+)(?:\(\))?\s{0,40})?\.\s*lock\(\)/g,
  rust: /(?:\b(\w+)(?:\(\))?\s{0,40})?\.\s*lock\(\)/g,
  ruby: /(?:\b(\w+)\s{0,40})?\.\s*synchronize\b/g,
};

/**
 * `_guard = threading.RLock()`: a lock by its type, whatever its name. A semaphore for several holders is not a lock.
 */
const madeLocks: Readonly<Record<string, RegExp>> = {
  python:
    /(?<!\w)([A-Za-z_]\w*)\s{0,8}(?::[^=\n]{0,80})?=\s*(?:[\w.]{1,80}\.)?(?:(?:R?Lock|Condition)\(|(?:Bounded)?Semaphore\(\s*(?:value\s*=\s*)?(?:1\s*)?\))/g,
  rust: /\b([a-z_]\w*)\s{0,8}:\s*(?:[\w:]{1,80}<\s*)?(?:[\w:]{1,80}::)?(?:RwLock|Mutex)</g,
  script:
    /(?<![\w$])([A-Za-z_$#][\w$]*)\s{0,8}(?::[^=\n]{0,80})?=\s*(?:new\s+(?:\w+\.)?(?:\w*(?:Mutex|Lock)\b|\w*Semaphore\(\s*1\s*\))|(?:pLimit|p_limit)\(\s*1\s*\))/g,
};
const taken: Readonly<Record<string, string>> = {
  python: String.raw`\bwith\s+(?:\w+\.)*NAME\b(?!\s*\()|(?<!\w)NAME\.acquire\(`,
  rust: String.raw`(?<!\w)NAME\s*\.\s*(?:lock|write|read)\(\)`,
  script: String.raw`(?<![\w$])NAME(?:\.(?:acquire|run|runExclusive|lock|use|with\w*)\(|\()`,
};

/** Returns a function that lists the names of the locks that a text takes. */
const lockReader = once((code: FileCode): ((text: string) => string[]) => {
  const { language, lines } = code;
  const [made, form, named] = [ofLanguage(madeLocks, code), ofLanguage(taken, code), locks[language]];
  const text = lines.map((line) => line.code).join("\n");
  const names = made === undefined ? [] : [...text.matchAll(made)].map(([, name = ""]) => name);
  const own = [...new Set(names)].map((name) => ({
    name,
    form: new RegExp((form ?? "").replaceAll("NAME", literally(name))),
  }));
  return (part) => {
    const spelled = language === "python" ? `${part}\n${spellItems(part)}` : part;
    const byForm = named === undefined ? [] : [...spelled.matchAll(named)];
    return [
      ...own.flatMap((each) => (each.form.test(spelled) ? [each.name] : [])),
      ...byForm.map(([, first, second]) => (first ?? second ?? "").replace(/^this$/, "")),
    ];
  };
});

/** Splits `with self.span(), self._lock:` and `with (\n  self._lock,\n):` into one `with` for each item. */
const spellItems = (text: string): string =>
  [...text.matchAll(/\bwith\b/g)]
    .flatMap(({ index }) => {
      const header = headerAt(text, index + 4);
      const [[inner = "", ...others] = []] = argumentsAt(`(${header})`, [0]);
      const [items = []] =
        others.length === 0 && inner.startsWith("(") ? argumentsAt(inner, [0]) : [[inner, ...others]];
      return items.map((item) => `with ${item.replace(/^\\\s*/, "")}`);
    })
    .join("\n");

/** Returns the text up to the first colon or line end outside brackets. */
function headerAt(text: string, start: number): string {
  const most = Math.min(text.length, start + longestHeader);
  let depth = 0;
  let at = start;
  for (; at < most; at += 1) {
    const sign = text[at] ?? "";
    if (depth === 0 && (sign === ":" || (sign === "\n" && text[at - 1] !== "\\"))) break;
    if (/[([{]/.test(sign)) depth += 1;
    if (/[)\]}]/.test(sign)) depth -= 1;
  }
  return text.slice(start, at).trim();
}

const longestHeader = 1_000;

const aboutWaiting =
  /\bdead-?lock|\bhang|\bhung\b|\bblocks\b|\bblocked\b|\bblocking\b|\bwait|\bnever (?:returns|ends|finishes)\b|\bfreez|\bfroze|\bstuck\b|\bcontention\b|\block-free\b/i;
const atomic =
  /\bOrdering::|\batomic|\bAtomic[A-Z]|\.(?:Load|Store|LoadOrStore|CompareAndSwap)\(|\bcompareAndSet\(|\bConcurrent[A-Z]\w*/;

/** Finds functions that no longer take a lock, if other functions of the file still take it. */
function findLostLocks(change: Changed): Careless[] {
  const { code, compared, subjects } = change;
  const read = lockReader(code);
  const takers = code.functions.flatMap((own) => {
    const names = read(joinCode(own.lines));
    return names.length === 0 ? [] : [{ own, names, text: joinCode(own.lines.slice(1)) }];
  });
  if (takers.length === 0) return [];
  return compared.flatMap(({ own, is, was }): Careless[] => {
    const lost = is === was ? [] : read(was);
    if (lost.length === 0 || read(is).length > 0) return [];
    const isByAnother = takers.some(({ own: { name } }) => isCalled(is, name) && !isCalled(was, name));
    if (isByAnother || isHeldByAll(code, own, read)) return [];
    return [
      {
        line: own.startLine,
        text: `no longer takes the lock in \`${own.name}\`, although other functions of the file take a lock`,
        isDoubt:
          aboutWaiting.test(subjects) ||
          (atomic.test(is) && !atomic.test(was)) ||
          takers.some(({ text }) => isCalled(text, own.name)) ||
          !takers.some(({ names }) => names.some((name) => lost.includes(name))),
      },
    ];
  });
}

const isCalled = (text: string, name: string): boolean =>
  new RegExp(String.raw`(?<![\w$])${literally(name)}\(`).test(text);

/** True if the file mentions a private Python function only where it holds a lock. */
function isHeldByAll(code: FileCode, own: FunctionCode, read: (text: string) => string[]): boolean {
  if (code.language !== "python" || !own.name.startsWith("_")) return false;
  const form = new RegExp(String.raw`(?<!\w)${literally(own.name)}(?!\w)`);
  const lines = code.lines.flatMap(({ code: line }, index) => (form.test(line) ? [index + 1] : []));
  const users = lines.filter((line) => line < own.startLine || line > own.endLine);
  const held = code.functions.flatMap((each) =>
    [...splitByLock(each.lines, read).inside].map((index) => each.startLine + index),
  );
  return users.length > 0 && users.every((line) => held.includes(line));
}

const write =
  /(?:\b(?:self|this)\.|@)(#?\w+)(?:\[[^\n]*?\]|\.\w+)*\s*(?:(?:[-+*/|&]|\/\/)?=(?!=)|\+\+|--|\.(?:append|push|add|pop|shift|remove|delete|set|update|clear|extend|insert|discard|setdefault)\()/;

/**
 * Splits a Python function's lines into those inside a `with` of a lock and the others. The header's lines count as
 * inside.
 */
function splitByLock(
  lines: readonly string[],
  read: (text: string) => string[],
): { inside: Set<number>; outside: Set<number> } {
  const [inside, outside] = [new Set<number>(), new Set<number>()];
  let depth = -1;
  let headerEnd = -1;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    if (depth >= 0 && index > headerEnd && indentOf(line) <= depth) depth = -1;
    if (depth < 0 && /^\s*(?:async\s+)?with\b/.test(line)) {
      const rest = lines.slice(index, index + mostHeaderLines).join("\n");
      const header = headerAt(rest, rest.indexOf("with") + 4);
      if (read(`with ${header}:`).length > 0) {
        depth = indentOf(line);
        headerEnd = index + header.split("\n").length - 1;
      }
    }
    (depth >= 0 ? inside : outside).add(index);
  }
  return { inside, outside };
}

const mostHeaderLines = 30;

/**
 * `if name not in self._counts: self._counts[name] = 1` before `with self._guard:`, although on the base all writes are
 * inside the `with`.
 */
function findWritesBeside(change: Changed): Careless[] {
  if (change.code.language !== "python") return [];
  const read = lockReader(change.code);
  return change.compared.flatMap((each): Careless[] => {
    const { own, added } = each;
    const old = formerLines(change, each);
    if (each.is === each.was || read(each.was).length === 0 || read(each.is).length === 0) return [];
    if (/\.(?:acquire|locked)\(/.test(each.is)) return [];
    const [was, is] = [splitByLock(old, read), splitByLock(own.lines, read)];
    const written = (indices: ReadonlySet<number>): string[] =>
      [...indices].flatMap((index) => write.exec(old[index] ?? "")?.[1] ?? []);
    const guarded = new Set(written(was.inside));
    for (const name of written(was.outside)) guarded.delete(name);
    const at = added.find(
      ({ code, line }) => is.outside.has(line - own.startLine) && guarded.has(write.exec(code)?.[1] ?? ""),
    );
    return at === undefined
      ? []
      : [{ line: at.line, text: `no longer holds the lock for every write in \`${own.name}\`` }];
  });
}

const formerLines = ({ before }: Changed, { own }: Compared): readonly string[] =>
  formerOf(before, own)?.lines ?? [];

export const lostLocks: readonly ((change: Changed) => Careless[])[] = [findLostLocks, findWritesBeside];

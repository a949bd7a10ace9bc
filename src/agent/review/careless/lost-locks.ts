/** Finds code that no longer runs under a lock: a function that takes none, or a write beside it. On the text. Pure. */
import { literally } from "../../../base/literal-pattern.ts";
import { type FileCode, joinCode } from "../texts/code-lines.ts";
import { type Careless, type Changed, type Compared, formerOf } from "./careless-form.ts";

const isScript = (language: string): boolean => /^(?:javascript|typescript|tsx|jsx)$/.test(language);

const locks: Readonly<Record<string, RegExp>> = {
  python: /\bwith\s+[\w.]*(?:lock|mutex)\w*\b|\b[\w.]*(?:lock|mutex)\w*\.acquire\(/i,
  go: /\.\s*R?Lock\(\)/,
  java: /\bsynchronized\b|\.\s*lock\(\)/,
  rust: /\.\s*lock\(\)/,
  ruby: /\.\s*synchronize\b/,
};

/** `_guard = threading.RLock()`: a lock by its type, whatever its name. */
const madeLocks: Readonly<Record<string, RegExp>> = {
  python: /([A-Za-z_]\w*)\s*(?::[^=\n]*)?=\s*(?:[\w.]+\.)?(?:R?Lock|Condition|(?:Bounded)?Semaphore)\(/g,
  rust: /\b([a-z_]\w*)\s*:\s*(?:[\w:]+<\s*)?(?:[\w:]+::)?(?:RwLock|Mutex)</g,
  script:
    /([A-Za-z_$#][\w$]*)\s*(?::[^=\n]*)?=\s*(?:new\s+(?:\w+\.)?(?:\w*(?:Mutex|Semaphore|Lock))\b|(?:pLimit|p_limit)\(\s*1\s*\))/g,
};
const taken: Readonly<Record<string, string>> = {
  python: String.raw`\bwith\s+(?:[\w.]+\.)?NAME\b(?!\s*\()|(?<!\w)NAME\.acquire\(`,
  rust: String.raw`(?<!\w)NAME\s*\.\s*(?:lock|write|read)\(\)`,
  script: String.raw`(?<![\w$])NAME(?:\.(?:acquire|run|runExclusive|lock|use|with\w*)\(|\()`,
};

/** The form in which the file's code takes a lock; undefined if it has no lock. */
function lockForm({ language, lines }: FileCode): RegExp | undefined {
  const key = isScript(language) ? "script" : language;
  const [made, form, named] = [madeLocks[key], taken[key], locks[language]];
  const text = lines.map(({ code }) => code).join("\n");
  const names = made === undefined ? [] : [...text.matchAll(made)].map(([, name = ""]) => name);
  const parts = [...new Set(names)].map((name) => (form ?? "").replaceAll("NAME", literally(name)));
  const all = [...parts, ...(named === undefined ? [] : [named.source])];
  return all.length === 0 ? undefined : new RegExp(all.join("|"), named?.flags);
}

/** Other functions of the file still take the lock. */
function findLostLocks(change: Changed): Careless[] {
  const lock = lockForm(change.code);
  if (lock === undefined) return [];
  const takers = change.code.functions.filter(({ lines }) => lock.test(joinCode(lines)));
  if (takers.length === 0) return [];
  return change.compared.flatMap(({ own, is, was }) => {
    const isCalled = (text: string, name: string): boolean =>
      new RegExp(String.raw`(?<![\w$])${literally(name)}\(`).test(text);
    const byAnother = takers.some(({ name }) => isCalled(is, name) && !isCalled(was, name));
    return lock.test(was) && !lock.test(is) && !byAnother
      ? [
          {
            line: own.startLine,
            text: `no longer takes the lock in \`${own.name}\`, although other functions of the file take it`,
          },
        ]
      : [];
  });
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

const write =
  /(?:\b(?:self|this)\.|@)(#?\w+)(?:\[[^\n]*?\]|\.\w+)*\s*(?:(?:[-+*/|&]|\/\/)?=(?!=)|\+\+|--|\.(?:append|push|add|pop|shift|remove|delete|set|update|clear|extend|insert|discard|setdefault)\()/;

/** Splits a Python function's lines by whether a `with` of the lock holds them. */
function splitByLock(lines: readonly string[], lock: RegExp): { inside: Set<number>; outside: Set<number> } {
  const [inside, outside] = [new Set<number>(), new Set<number>()];
  let depth = -1;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    if (depth >= 0 && indentOf(line) <= depth) depth = -1;
    (depth >= 0 ? inside : outside).add(index);
    if (depth < 0 && /^\s*(?:async\s+)?with\b/.test(line) && lock.test(line)) depth = indentOf(line);
  }
  return { inside, outside };
}

/** `if name not in self._counts: self._counts[name] = 1` before `with self._guard:`, which held all its writes. */
function findWritesBeside(change: Changed): Careless[] {
  const lock = lockForm(change.code);
  if (lock === undefined || change.code.language !== "python") return [];
  return change.compared.flatMap((each): Careless[] => {
    const { own, added } = each;
    const old = formerLines(change, each);
    if (!old.some((line) => lock.test(line)) || !own.lines.some((line) => lock.test(line))) return [];
    if (/\.(?:acquire|locked)\(/.test(each.is)) return [];
    const [was, is] = [splitByLock(old, lock), splitByLock(own.lines, lock)];
    const written = (indices: ReadonlySet<number>): string[] =>
      [...indices].flatMap((index) => write.exec(old[index] ?? "")?.[1] ?? []);
    const guarded = new Set(written(was.inside));
    for (const name of written(was.outside)) guarded.delete(name);
    const at = added.find(
      ({ code, line }) => is.outside.has(line - own.startLine) && guarded.has(write.exec(code)?.[1] ?? ""),
    );
    return at === undefined
      ? []
      : [{ line: at.line, text: `writes beside the lock in \`${own.name}\`, which held all its writes` }];
  });
}

const formerLines = ({ before }: Changed, { own }: Compared): readonly string[] =>
  formerOf(before, own)?.lines ?? [];

export const lostLocks: readonly ((change: Changed) => Careless[])[] = [findLostLocks, findWritesBeside];

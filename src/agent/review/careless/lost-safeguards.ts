/**
 * Finds removed safeguards that no test misses. Examples are locks, clean-ups, limits of attempts, placeholders in
 * queries, copies of inner state, and certificate checks. Works on the text; pure except for the parser.
 */
import { literally } from "../../../base/literal-pattern.ts";
import { once } from "../../../base/once.ts";
import { walk } from "../../../syntax/node.ts";
import { roleOf, type Source } from "../../../syntax/reading.ts";
import { linesOf } from "../../code/change.ts";
import { joinCode } from "../texts/code-lines.ts";
import type { Careless, Changed } from "./careless-form.ts";
import { lostLocks } from "./lost-locks.ts";

const unchecked =
  /\bverify\s*=\s*False\b|\bcheck_hostname\s*=\s*False\b|\bCERT_NONE\b|\b_create_unverified_context\b|\brejectUnauthorized\s*:\s*false\b|\bInsecureSkipVerify\s*:\s*true\b|\bdanger_accept_invalid_(?:certs|hostnames)\(\s*true|\bVERIFY_NONE\b|\bCURLOPT_SSL_VERIFY(?:PEER|HOST)\s*(?:=>|,)\s*(?:false|0)\b|\bNODE_TLS_REJECT_UNAUTHORIZED\b|\bNoopHostnameVerifier\b/;
const asksForNoCheck =
  /\binsecure|\bunverified|\bno[- ]verif|\bverify\s*=|\b(?:without|skip\w*|disabl\w*|turn\w* off|ignor\w*)\b[^.\n]{0,40}\b(?:verif|certificate|TLS|SSL|check)/i;

function findUncheckedPeers({ code, added, subjects }: Changed): Careless[] {
  if (asksForNoCheck.test(subjects)) return [];
  const at = code.lines.findIndex((line, index) => added.has(index + 1) && unchecked.test(line.code));
  return at === -1
    ? []
    : [{ line: at + 1, text: "does not verify the identity of the server that it connects to" }];
}

const finals = /\bfinally\b|\btry\s*\(|\bensure\b|^\s*with\s+\w|\bdefer\b|\busing\b/m;

/** Finds clean-ups that the function now skips if an error occurs before them. */
function findLostCleanUp(change: Changed): Careless[] {
  return change.compared.flatMap(({ own, is, was }) => {
    if (!finals.test(was) || finals.test(is)) return [];
    const [, final = ""] = /\b(?:finally|ensure)\b([\s\S]*)$/.exec(was) ?? [];
    const calls = [...final.matchAll(/[\w.@$]+\(/g)].map(([call]) => call);
    const closes = /\btry\s*\(|^\s*with\s+\w/m.test(was) && /\.\s*close\(/.test(is);
    return closes || calls.some((call) => is.includes(call))
      ? [{ line: own.startLine, text: `skips the clean-up in \`${own.name}\` if an error occurs` }]
      : [];
  });
}

const patterns: Readonly<Record<string, string>> = {
  python: String.raw`\bre\.(?:sub|subn|search|match|fullmatch|findall|finditer|split|compile)\(\s*(NAME)\s*[,)]`,
  javascript: String.raw`\bnew\s+RegExp\(\s*(NAME)\s*[,)]`,
  java: String.raw`\.(?:replaceAll|replaceFirst)\(\s*(NAME)\s*,|\.split\(\s*(NAME)\s*\)|\bPattern\.compile\(\s*(NAME)\s*[,)]`,
  ruby: String.raw`\bRegexp\.new\(\s*(NAME)\s*[,)]`,
  go: String.raw`\bregexp\.(?:Must)?Compile\(\s*(NAME)\s*\)`,
};
const anyPattern =
  /\bre\.\w|\bRegExp\b|\bRegexp\b|\bregexp\b|\bPattern\b|\breplaceAll\(|\breplaceFirst\(|\.split\(/;

/** Finds plain texts that become patterns, in which `.` and `(` have a special meaning. */
function findPatterns(change: Changed): Careless[] {
  const { language } = change.code;
  const form = patterns[language === "typescript" || language === "tsx" ? "javascript" : language];
  if (form === undefined || /\bpattern|\bregex|\bregular|\bglob\b|\bwildcard/i.test(change.subjects))
    return [];
  return change.compared.flatMap(({ own, was, added }) =>
    own.parameters
      .filter((name) => !/pattern|regex|expr|re$/i.test(name) && !anyPattern.test(was))
      .flatMap((name) => {
        const used = new RegExp(form.replaceAll("NAME", literally(name)));
        const at = added.find(({ code }) => used.test(code));
        return at === undefined
          ? []
          : [{ line: at.line, text: `interprets \`${name}\` as a pattern, but took it literally before` }];
      }),
  );
}

const query =
  /\b(?:SELECT|INSERT|UPDATE|DELETE)\b|\bselect\b.+\bfrom\b|\binsert\s+into\b|\bupdate\b.+\bset\b|\bdelete\s+from\b/;
const filled = /\{\s*\w|\$\{|["'`]\s*(?:\+|%|\.)\s*[\w$(]|\.format\(/;

/** The file's lines with their strings, but without comments. */
const withoutComments = once((source: Source): string[] => {
  const { text, root } = source.tree;
  const comments = [...walk(root)].filter((node) => roleOf(source, node) === "comment");
  const ends = [0, ...comments.map(({ end }) => end)];
  const kept = ends.map((end, index) => text.slice(end, comments[index]?.start));
  const blank = comments.map(({ start, end }) => text.slice(start, end).replaceAll(/[^\n]/g, " "));
  return linesOf(kept.map((part, index) => part + (blank[index] ?? "")).join(""));
});

/** `f"… WHERE name = '{name}'"` replaces `… WHERE name = ?`. */
function findQueries({ code, before, added }: Changed): Careless[] {
  if (before === undefined) return [];
  const had = withoutComments(before.source).some(
    (line) => query.test(line) && /\?|%s|\$\d|[\s(=]:\w/.test(line),
  );
  if (!had) return [];
  const at = withoutComments(code.source).findIndex(
    (line, index) => added.has(index + 1) && query.test(line) && filled.test(line),
  );
  return at === -1 ? [] : [{ line: at + 1, text: "puts a value into the text of a query" }];
}

/** `return list(self._names)` becomes `return self._names`: callers can change it. */
function findOwnState(change: Changed): Careless[] {
  const { code, subjects } = change;
  if (/\bsame (?:list|object|map|array)|\bidentity\b|\bby reference\b/i.test(subjects)) return [];
  const text = joinCode(code.lines.map((each) => each.code));
  return change.compared.flatMap(({ was, added }) =>
    added.flatMap(({ code: line, line: at }) => {
      const [, name = "", field = ""] =
        /^\s*(?:[\w\s<>[\]]*\{)?\s*return\s+((?:self\.|this\.#?)?(_?[A-Za-z]\w*))\s*;?\s*\}?$/.exec(line) ??
        [];
      if (name === "") return [];
      const isInner =
        /^self\._|^this\.[#_]/.test(name) ||
        (code.language === "java" &&
          new RegExp(String.raw`\bprivate\b[^;=(]*(?:List|Map|Set|Collection|\[\])[^;=(]*\b${field}\b`).test(
            text,
          ));
      const copied = new RegExp(
        String.raw`\breturn\s+(?:[\w.]*(?:list|sorted|tuple|dict|set|copy|deepcopy|copyOf|from)\(|new\s+\w+(?:<[^>]*>)?\(|\[\s*\.\.\.|Collections\.unmodifiable\w+\()\s*${literally(name)}\b|\breturn\s+${literally(name)}\.(?:slice|copy|clone|dup)\b`,
      );
      return isInner && copied.test(was)
        ? [
            {
              line: at,
              text: `hands out \`${name}\` itself instead of a copy, so callers can change it`,
            },
          ]
        : [];
    }),
  );
}

const unbounded = /\bwhile\s*\(?\s*(?:True|true|1)\s*\)?|\bfor\s*\(\s*;\s*;\s*\)|^\s*loop\b/;

/** Finds loops that only success ends. */
function findEndlessTries(change: Changed): Careless[] {
  if (/\bforever|\bfor ever\b|\bendless|\binfinite|\buntil\b|\bdaemon|\bindefinite/i.test(change.subjects))
    return [];
  return change.compared.flatMap(({ own, was, added }) => {
    const loop = added.find(({ code }) => unbounded.test(code));
    if (loop === undefined || unbounded.test(was)) return [];
    const body = joinCode(own.lines.slice(loop.line - own.startLine));
    const handles =
      /\b(?:except|catch|rescue)\b[\s\S]*?(?:\bcontinue\b|\bpass\b|\bnext\b|\bretry\b|\{\s*\})/.test(body);
    const ends = /\b(?:raise|throw|break)\b|\+\+|--|[-+]=|\bNone\b|\bnull\b/.test(body);
    return handles && !ends
      ? [{ line: loop.line, text: `retries for ever in \`${own.name}\` if the error persists` }]
      : [];
  });
}

/** Finds types that get an equality without a hash. Equal objects need equal hashes. */
function findLostHashes({ code, before, added }: Changed): Careless[] {
  const [equal, hash] =
    code.language === "java"
      ? [/\bboolean\s+equals\s*\(\s*(?:final\s+)?Object\b/, /\bint\s+hashCode\s*\(/]
      : [/\bdef\s+eql\?/, /\bdef\s+hash\b/];
  if (code.language !== "java" && code.language !== "ruby") return [];
  const count = (lines: readonly { code: string }[] | undefined, form: RegExp): number =>
    lines?.filter((line) => form.test(line.code)).length ?? 0;
  const at = code.lines.findIndex((line, index) => added.has(index + 1) && equal.test(line.code));
  const isMissing = count(code.lines, equal) > count(code.lines, hash);
  const wasMissing = count(before?.lines, equal) > count(before?.lines, hash);
  return at === -1 || !isMissing || wasMissing
    ? []
    : [{ line: at + 1, text: "makes objects equal whose hashes differ" }];
}

const asserting: Readonly<Record<string, RegExp>> = {
  python: /^\s*assert\b/,
  java: /^\s*assert\b/,
  rust: /^\s*debug_assert\w*!/,
};

/** Finds refusals of input by an assertion only. Release builds and options can remove assertions. */
function findAssertedRefusals(change: Changed): Careless[] {
  const form = asserting[change.code.language];
  if (
    form === undefined ||
    !/\brefus|\breject|\brais|\bthrow|\bpanic|\binvalid|\bmust not accept/i.test(change.subjects)
  )
    return [];
  const all = change.compared.flatMap(({ added }) => added.filter(({ code }) => code.trim() !== ""));
  const [first] = all;
  return first !== undefined && all.every(({ code }) => form.test(code))
    ? [{ line: first.line, text: "refuses input by an assertion only, which a release build can leave out" }]
    : [];
}

/** `text.parse::<u64>()… as u16` accepts numbers that `parse::<u16>()` refuses. */
function findCutNumbers(change: Changed): Careless[] {
  if (change.code.language !== "rust") return [];
  return change.compared.flatMap(({ was, added }) => {
    const at = added.find(({ code }) =>
      /\bparse::<[iu](?:16|32|64|128|size)>\(\).*\bas\s+[iu](?:8|16|32)\b/.test(code),
    );
    return at === undefined || /\bas\s+[iu](?:8|16|32)\b/.test(was)
      ? []
      : [{ line: at.line, text: "truncates numbers that are too large, which it refused before" }];
  });
}

/** `return (… for …)` replaces `return [… for …]`: a second reader gets nothing. */
function findReadOnce(change: Changed): Careless[] {
  if (change.code.language !== "python") return [];
  if (/\bgenerat|\blaz(?:y|ily)|\biterat|\bmemory|\bstream/i.test(change.subjects)) return [];
  return change.compared.flatMap(({ was, added }) => {
    const at = added.find(({ code }) =>
      /^\s*return\s+(?:\([^()]*(?:\([^()]*\)[^()]*)*\bfor\b.*\)|(?:map|filter|zip)\(.*\))\s*$/.test(code),
    );
    return at !== undefined && /^\s*return\s+(?:\[|list\(|sorted\()/m.test(was) && !/\byield\b/.test(was)
      ? [{ line: at.line, text: "returns values that can be read only once, instead of a list as before" }]
      : [];
  });
}

export const lostSafeguards: readonly ((change: Changed) => Careless[])[] = [
  findUncheckedPeers,
  ...lostLocks,
  findLostCleanUp,
  findPatterns,
  findQueries,
  findOwnState,
  findEndlessTries,
  findLostHashes,
  findAssertedRefusals,
  findCutNumbers,
  findReadOnce,
];

/**
 * Finds code that works for the tests' calls and inputs, but not for a second call or another input. Examples are
 * shared defaults, changed inputs, compared identities and lost errors. Each form is wrong in nearly every program.
 * Works on the text; pure except for the parser.
 */
import { literally } from "../../../base/literal-pattern.ts";
import { walk } from "../../../syntax/node.ts";
import { binaryOf, roleOf } from "../../../syntax/reading.ts";
import { functionAbove } from "../../../syntax/statements.ts";
import { linesOf } from "../../code/change.ts";
import type { Finding } from "../contract.ts";
import {
  type ChangedCode,
  type FileCode,
  type FunctionCode,
  joinCode,
  writtenParameters,
} from "../texts/code-lines.ts";
import {
  addedIn,
  type Careless,
  type Changed,
  formerOf,
  isScript,
  ownerOf,
  toChanged,
} from "./careless-form.ts";
import { demandedOrder } from "./demanded-order.ts";
import { aboutLoss, droppedErrors } from "./dropped-errors.ts";
import { knownSlips } from "./known-slips.ts";
import { librarySlips } from "./library-slips.ts";
import { lostInputs } from "./lost-inputs.ts";
import { lostSafeguards } from "./lost-safeguards.ts";
import { findLostThis } from "./lost-this.ts";
import { findRoundTrips } from "./round-trips.ts";
import { statedForms } from "./stated-forms.ts";
import { listHandlers } from "./suppressions.ts";
import { weakChecks } from "./weak-checks.ts";
import { hiddenErrors } from "./wider-handlers.ts";

/**
 * Objects to careless code that the patch adds. Careless code that the file already had does not count, even on a
 * changed line.
 */
export function judgeCarelessForms(changed: readonly ChangedCode[], subjects: string): Finding[] {
  const findings = changed.flatMap((change) => {
    const compared = toChanged(change, subjects);
    const { before } = change;
    return [
      ...forms,
      ...lostInputs,
      ...lostSafeguards,
      ...weakChecks,
      ...hiddenErrors,
      ...droppedErrors,
      ...knownSlips,
      ...librarySlips,
      ...demandedOrder,
      ...statedForms,
    ].flatMap((find): Finding[] => {
      const found = find(compared);
      if (found.length === 0) return [];
      const all = new Set(before?.lines.map((_, index) => index + 1));
      const had =
        before === undefined
          ? []
          : find(toChanged({ ...change, code: before, before: undefined, added: all }, subjects));
      return found
        .filter(({ text }) => had.every((each) => each.text !== text))
        .map(({ line, text, isDoubt }) => ({
          weight: isDoubt === true ? "doubt" : "objection",
          text: `${change.file.path}:${line} ${text}.`,
        }));
    });
  });
  const texts = new Set<string>();
  return findings.filter(({ text }) => !texts.has(text) && texts.add(text));
}

const forms: readonly ((change: Changed) => Careless[])[] = [
  findSharedDefaults,
  findSharedFields,
  findChangedDefaults,
  findKeptInputs,
  findChangedInputs,
  findRoundTrips,
  findIdentities,
  findLostErrors,
  findPromisedErrors,
  findUnawaited,
  findLostThis,
  findFirstOnly,
];

const lists = String.raw`(?:\[\s*\]|\{\s*\}|(?:set|list|dict|defaultdict|deque|Counter|OrderedDict)\([^()]*\))`;
const grows = String.raw`(?:\.(?:append|appendleft|extend|insert|add|update|pop|popleft|remove|discard|setdefault|clear|sort|reverse)\(|\[[^\]\n]*\]\s*(?:[-+*/|&]|//)?=(?!=)|\s*[-+|]=)`;

/** `def collect(line, found=[])` that changes or returns `found`: the next call begins with it. */
function findSharedDefaults(change: Changed): Careless[] {
  if (change.code.language !== "python") return [];
  return change.code.functions.flatMap((own) => {
    if (!change.added.has(own.startLine) && addedIn(change, own).length === 0) return [];
    const old = formerOf(change.before, own);
    const body = joinCode(own.lines.slice(1));
    return writtenParameters(own.signature, own.name).flatMap((part) => {
      const [, name = ""] = new RegExp(String.raw`^(\w+)\s*(?::[^=]*)?=\s*${lists}$`).exec(part) ?? [];
      if (name === "" || old?.signature.includes(part) === true) return [];
      const used = new RegExp(String.raw`(?<![\w.])${name}${grows}|\breturn\s+${name}\s*$`, "m");
      const isCopied = new RegExp(String.raw`^\s*${name}\s*=(?!=)`, "m").test(body);
      return used.test(body) && !isCopied
        ? [
            {
              line: own.startLine,
              text: `gives all calls of \`${own.name}\` the same \`${name}\`, although the function changes or returns it`,
            },
          ]
        : [];
    });
  });
}

/** `items = []` in a class whose methods change `self.items`: all objects share it. */
function findSharedFields({ code, added }: Changed): Careless[] {
  if (code.language !== "python") return [];
  return code.definitions.flatMap(({ kind, name, container, startLine }) => {
    const type = code.definitions[container];
    const line = code.lines[startLine - 1]?.code ?? "";
    if (kind !== "field" || type?.kind !== "class" || !added.has(startLine)) return [];
    if (!new RegExp(String.raw`^\s+${literally(name)}\s*(?::[^=\n]*)?=\s*${lists}\s*$`).test(line)) return [];
    if (/\bClassVar\b/.test(line)) return [];
    const inside = code.lines.slice(type.startLine - 1, type.endLine);
    const own = joinCode(inside.map((each) => each.code));
    const isChanged = new RegExp(String.raw`\bself\.${literally(name)}${grows}`).test(own);
    const isReplaced = new RegExp(String.raw`\bself\.${literally(name)}\s*(?::[^=\n]*)?=(?!=)`).test(own);
    return isChanged && !isReplaced
      ? [
          {
            line: startLine,
            text: `gives all objects of \`${type.name}\` the same \`${name}\`, which they change`,
          },
        ]
      : [];
  });
}

/** `Object.assign(defaults, options)`: a table of values outside all functions changes with each call. */
function findChangedDefaults(change: Changed): Careless[] {
  const { code, before } = change;
  const tables = code.lines.flatMap(({ code: line }, index) => {
    const [, name] =
      /^(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*(?::[^=]*)?=\s*(?:Object\.freeze\()?\{(?!\s*\})/.exec(
        line,
      ) ??
      /^([A-Za-z_]\w*)\s*(?::[^=]*)?=\s*(?:\{(?!\s*\})|dict\((?!\)))/.exec(line) ??
      [];
    // An empty table is filled by its functions.
    return name === undefined || (/\{\s*$/.test(line) && /^\s*\}/.test(code.lines[index + 1]?.code ?? ""))
      ? []
      : [name];
  });
  const found: Careless[] = [];
  for (const own of code.functions)
    for (const { code: line, line: at } of addedIn(change, own))
      for (const name of tables) {
        const table = literally(name);
        const changes = new RegExp(
          String.raw`\bObject\.assign\(\s*${table}\s*,|(?<![\w.])${table}\.update\(`,
        );
        if (!changes.test(line) || before?.lines.some((each) => changes.test(each.code)) === true) continue;
        const isOwn = new RegExp(String.raw`^\s*(?:(?:const|let|var)\s+)?${table}\s*=`, "m").test(
          joinCode(own.lines.slice(1)),
        );
        if (isOwn || own.parameters.includes(name) || isSetter(own)) continue;
        found.push({ line: at, text: `changes \`${name}\` for all later calls` });
      }
  return found;
}

const setter =
  /^_*(?:re)?(?:set|init(?:iali[sz]e)?|config(?:ure)?|register|use|enable|disable|define|add|load|setup|install|update|override|extend|patch)(?![a-z])/i;

const isSetter = ({ name, lines }: FunctionCode): boolean =>
  setter.test(name) || !/\breturn\s+[^\s;]|=>/.test(joinCode(lines));

/** `global sign; sign = decimal`: the input of one call decides later ones. */
function findKeptInputs(change: Changed): Careless[] {
  const { code } = change;
  const isPython = code.language === "python";
  if (!isPython && !isScript(code)) return [];
  return code.functions.flatMap((own): Careless[] => {
    if (own.type !== "" || isSetter(own)) return [];
    const text = joinCode(own.lines);
    return addedIn(change, own).flatMap(({ code: line, line: at }) => {
      const [, name = "", value = ""] =
        /^\s*([A-Za-z_$][\w$]*)\s*=\s*([A-Za-z_$][\w$]*)\s*;?\s*$/.exec(line) ?? [];
      if (name === "" || !own.parameters.includes(value) || own.parameters.includes(name)) return [];
      const isOutside = isPython
        ? new RegExp(String.raw`^\s*global\s+.*\b${name}\b`, "m").test(text)
        : code.lines.some((each) =>
            new RegExp(String.raw`^(?:export\s+)?let\s+${literally(name)}\b`).test(each.code),
          ) && !new RegExp(String.raw`\b(?:let|var|const)\s+${literally(name)}\b`).test(text);
      const isRestored =
        (text.match(new RegExp(String.raw`^\s*${literally(name)}\s*=(?!=)`, "gm")) ?? []).length > 1;
      return isOutside && !isRestored
        ? [{ line: at, text: `keeps the input \`${value}\` in \`${name}\` for all later calls` }]
        : [];
    });
  });
}

/** Patterns for changes in place, by language. `NAME` stands for a parameter. */
const inPlace: Readonly<Record<string, string>> = {
  python: String.raw`(?<![\w.])NAME\.(?:sort|reverse|pop|popitem|clear|remove)\(|\bdel\s+NAME\[|\bshuffle\(NAME\)|(?<![\w.])NAME\[:\]\s*=(?!=)`,
  go: String.raw`\b(?:sort\.(?:Ints|Strings|Float64s|Slice|SliceStable)|slices\.(?:Sort|SortFunc|SortStableFunc|Reverse))\(NAME\b|\bdelete\(NAME,`,
  java: String.raw`\b(?:Collections\.(?:sort|reverse|shuffle)|Arrays\.(?:sort|parallelSort))\(\s*NAME\b|(?<![\w.])NAME\.(?:sort|remove|removeIf|removeAll|retainAll|clear)\(`,
  ruby: String.raw`(?<![\w.@])NAME\.(?:sort!|sort_by!|reverse!|map!|select!|reject!|uniq!|compact!|shift|pop|delete|delete_if|clear)(?![\w!?])`,
};
/** Ruby's `<<` changes texts and lists. Lists do not count, because functions often fill a list for the caller. */
const appends = String.raw`^\s*NAME\s*<<(?!\s*\d)|^\s*NAME\[[^\]\n]{1,40}\]\s*=(?![=~>])`;
/** A message. It may contain `#{NAME}` for numbers, lists and streams, so it does not show that `NAME` is a text. */
const ofMessage = /^\s*(?:raise|fail|puts|print|p|warn|abort|[\w@.]*\.(?:debug|info|warn|error|puts))\b/;
/** Signs of a text: `NAME.upcase`, `"Hello, #{NAME}"`, `NAME + ""`. */
const ofText = String.raw`(?<![\w.@])NAME(?:(?:\[[\d.-]{1,8}\])?\.(?:upcase|downcase|capitalize|swapcase|[lr]?strip|chomp|g?sub|tr|chars|start_with\?|end_with\?|[lr]just|center|to_sym|squeeze|encode)(?![\w!])|\s*\+\s*["'])|#\{NAME\}`;
const inPlaceScript = String.raw`(?<![\w$.])NAME\.(?:sort|reverse|splice|shift|pop)\(|\bdelete\s+NAME[.[]`;
export const aboutChange =
  /\bin[- ]place\b|\bmutat|\bmodif(?:y|ies|ied)\b[^.]{0,40}\b(?:input|argument|list|array|given|passed)|\bconsum|\bdestructive/i;
export const changesByName =
  /^_*(?:sort|reverse|shuffle|pop|remove|delete|clear|drain|take|consume|prune|discard|apply|reset|del_?|unset)/i;
/** Functions with such names often empty their argument for their caller. */
export const emptiesByName = /^_*(?:strip|clean|trim|extract|merge)/i;
const sorts = /sort|reverse|shuffle/i;

/** `values.sort()` in a function that returns a result and did not change its inputs on the base. */
function findChangedInputs(change: Changed): Careless[] {
  const { code, before, subjects } = change;
  const form = isScript(code) ? inPlaceScript : inPlace[code.language];
  if (form === undefined || aboutChange.test(subjects)) return [];
  return code.functions.flatMap((own): Careless[] => {
    if (addedIn(change, own).length === 0) return [];
    const old = formerOf(before, own);
    const text = joinCode(own.lines.slice(1));
    if (old === undefined || changesByName.test(own.name) || aboutChange.test(own.documentation)) return [];
    const isRuby = code.language === "ruby";
    // Ruby returns its last value.
    const isPlain = isRuby || (own.lines.length === 1 && /=>\s*[^\s{]/.test(own.lines[0] ?? ""));
    if (!isPlain && !/\breturn\s+[^\s;]/.test(text)) return [];
    return own.parameters.flatMap((name) => {
      if (new RegExp(String.raw`(?:\*|\.\.\.|&)\s*${literally(name)}\b`).test(own.signature)) return [];
      // `ordered = values` is the same list.
      const [, alias = name] =
        new RegExp(
          String.raw`^\s*(?:(?:const|let|var|final\s+[\w<>]+|List<\w+>)\s+)?(\w+)\s*:?=\s*${literally(name)}\s*;?\s*$`,
          "m",
        ).exec(text) ?? [];
      const isText =
        isRuby &&
        new RegExp(ofText.replaceAll("NAME", literally(name))).test(
          joinCode(own.lines.filter((line) => !ofMessage.test(line))),
        );
      const changes = new RegExp(
        (isText ? `${form}|${appends}` : form).replaceAll(
          "NAME",
          `(?:${literally(name)}|${literally(alias)})`,
        ),
      );
      const also = new RegExp(String.raw`(?<![\w.])${literally(name)}${grows}`);
      if (old.lines.some((line) => changes.test(line) || also.test(line))) return [];
      const isCopied = new RegExp(
        String.raw`(?<![\w.])${literally(name)}\s*(?::[^=\n]*)?(?:\|\||\?\?${isRuby ? "|\\+" : ""})?:?=(?![=>])`,
        "m",
      ).test(text);
      const seen = isCopied ? undefined : addedIn(change, own).find(({ code: line }) => changes.test(line));
      return seen === undefined
        ? []
        : [
            {
              line: seen.line,
              text: `changes \`${name}\`, an input of \`${own.name}\`, which its caller still has`,
              isDoubt: emptiesByName.test(own.name) && !sorts.test(changes.exec(seen.code)?.[0] ?? ""),
            },
          ];
    });
  });
}

/** `role == "admin"` in Java and `role is "admin"` in Python compare objects, not texts. */
function findIdentities({ added, code }: Changed): Careless[] {
  const signs: Readonly<Record<string, RegExp>> = { java: /^[!=]=$/, python: /^is(?: not)?$/ };
  const sign = isScript(code) ? /^[!=]==?$/ : signs[code.language];
  if (sign === undefined) return [];
  const { source } = code;
  return [...walk(source.tree.root)].flatMap((node): Careless[] => {
    if (!added.has(node.startLine)) return [];
    const isChain = code.language === "python" && node.kind === "comparison_operator";
    const binary = binaryOf(source, node);
    const operands = isChain || binary !== undefined ? node.children.filter(({ named }) => named) : [];
    const operator = node.children.map(({ kind }) => kind).find((kind) => sign.test(kind));
    if (operator === undefined || operands.length !== 2) return [];
    const isValue = operands.some((each) => {
      const role = roleOf(source, each);
      if (isScript(code))
        return /^(?:array|object)$/.test(each.kind) || source.tree.text.slice(each.start, each.end) === "NaN";
      if (code.language === "java") return each.kind === "string_literal";
      return role === "string" || role === "number";
    });
    const text = source.tree.text.slice(node.start, node.end).replaceAll(/\s+/g, " ").slice(0, 80);
    return isValue
      ? [{ line: node.startLine, text: `compares the identity of objects, not their values: \`${text}\`` }]
      : [];
  });
}

const lastly = /^(?:finally_clause|ensure)$/;

/** `return` in `finally` discards every error. `errors="ignore"` drops characters that cannot be encoded. */
function findLostErrors(change: Changed): Careless[] {
  const { added, code, subjects } = change;
  const { source } = code;
  const ends = [...walk(source.tree.root)].flatMap((node): Careless[] => {
    if (roleOf(source, node) !== "return" || !added.has(node.startLine)) return [];
    const owner = functionAbove(source, node);
    let above = node.parent;
    while (above !== undefined && above !== owner && !lastly.test(above.kind)) above = above.parent;
    return above === undefined || above === owner
      ? []
      : [
          {
            line: node.startLine,
            text: "returns from a block that also runs after an error: the caller then never sees the error",
          },
        ];
  });
  if (code.language !== "python" || aboutLoss.test(subjects)) return ends;
  const dropped = code.lines.flatMap(({ code: line, strings }, index): Careless[] =>
    added.has(index + 1) &&
    /\b(?:encode|decode|open|str|bytes|TextIOWrapper)\(|\berrors\s*=/.test(line) &&
    strings.includes("ignore") &&
    !losesOnlyAccents(change, index + 1)
      ? [{ line: index + 1, text: "drops characters that cannot be encoded or decoded" }]
      : [],
  );
  return [...ends, ...dropped];
}

const aboutAccents = /\baccent|\bdiacrit|\bascii\b|\bslug/i;

/** True if the line's function decomposes letters, and ASCII is the result on the base or the statement's request. */
function losesOnlyAccents({ code, before, subjects }: Changed, line: number): boolean {
  const owner = ownerOf(code, line);
  const [first, last] = owner === undefined ? [line, line] : [owner.startLine, owner.endLine];
  const has = (file: FileCode | undefined, from: number, to: number, form: RegExp): boolean =>
    file?.lines.slice(from - 1, to).some(({ strings }) => strings.some((text) => form.test(text))) === true;
  if (!has(code, first, last, /^NFK?D$/)) return false;
  const former = owner === undefined ? undefined : formerOf(before, owner);
  return (
    aboutAccents.test(subjects) ||
    (former !== undefined && has(before, former.startLine, former.endLine, /^(?:us-)?ascii$/i))
  );
}

const error = /\b[A-Z]\w*(?:Error|Exception)\b/g;

/**
 * Finds handlers that catch an error which the function's documentation promises and the statement does not mention.
 */
function findPromisedErrors(change: Changed): Careless[] {
  const { added, code, subjects } = change;
  const { source } = code;
  const handlers = [
    ...listHandlers(source, added),
    ...code.lines.flatMap(({ code: line }, index) =>
      added.has(index + 1) && /^\s*except\b|\bsuppress\(/.test(line)
        ? [{ line: index + 1, text: `\`${line.trim()}\`` }]
        : [],
    ),
  ];
  const found = handlers.flatMap(({ line, text }): Careless[] => {
    const owner = ownerOf(code, line);
    const promised = [...(owner?.documentation ?? "").matchAll(error)].map(([name]) => name);
    const lost = promised.find((name) => !subjects.includes(name) && takes(text, name));
    const rest = code.lines.slice(line, (owner?.endLine ?? line) + 1);
    const isRaised = rest.some((each) => /\b(?:raise|throw)\b/.test(each.code));
    return lost === undefined || owner === undefined || isRaised
      ? []
      : [
          {
            line,
            text: `catches the \`${lost}\` that the documentation of \`${owner.name}\` promises to its callers`,
          },
        ];
  });
  return found.slice(0, 1);
}

/** True if a handler, written between backticks, catches this error: by name, as any error, or without a type. */
function takes(text: string, name: string): boolean {
  const [, header = ""] = /`([^`]*)`/.exec(text) ?? [];
  const types = [...header.matchAll(/\b[A-Z]\w*/g)].map(([type]) => type);
  return (
    types.length === 0 ||
    types.includes(name) ||
    types.some((type) => /^(?:Base)?Exception$|^Throwable$|^RuntimeException$/.test(type))
  );
}

/** `forEach(async …)` in an `async` function: the function ends before this work. */
function findUnawaited(change: Changed): Careless[] {
  return change.code.functions.flatMap((own) =>
    /\basync\b/.test(own.lines[0] ?? "")
      ? addedIn(change, own).flatMap(({ code, line }) =>
          /\.forEach\(\s*async\b/.test(code)
            ? [{ line, text: `starts work for which \`${own.name}\` does not wait` }]
            : [],
        )
      : [],
  );
}

/** JavaScript's `replace("-", "")` replaces only the first occurrence, and `sort()` compares numbers as texts. */
function findFirstOnly({ code, added, before, subjects }: Changed): Careless[] {
  if (!isScript(code)) return [];
  const shown = linesOf(code.source.tree.text);
  return misread.flatMap(({ form, excluded, about, says }): Careless[] => {
    if (!about.test(subjects) || before?.lines.some(({ code: line }) => form.test(line)) === true) return [];
    const at = code.lines.findIndex(
      ({ code: line }, index) =>
        added.has(index + 1) && form.test(line) && !excluded.test(shown[index] ?? ""),
    );
    return at === -1 ? [] : [{ line: at + 1, text: says }];
  });
}

const misread = [
  {
    form: /\.replace\(\s*,?/,
    excluded: /\.replace\((?!\s*["'`])/,
    about: /\b(?:all|every|each|multiple|several)\b/i,
    says: "replaces only the first occurrence",
  },
  {
    form: /\.sort\(\s*\)/,
    excluded: /(?!)/,
    about: /\bnumbers?\b|\bnumeric/i,
    says: "sorts numbers as texts: 10 comes before 9",
  },
];

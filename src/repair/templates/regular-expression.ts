import { defineTemplate, type Edit, replaceNode, type Site, textAt } from "../template.ts";

export default defineTemplate({
  name: "regular-expression",
  description:
    "Changes a regular expression: a quantifier, an anchor, a character class, an escape, a flag (`/-+(=|$)/` becomes `/^-+(=|$)/`).",
  source: "MutRex's operators (Arcaini, Gargantini, Riccobene, STVR 2019), each as a repair",
  prior: 0.5,
  at: ["string"],
  *apply(site): Generator<Edit> {
    const pattern = readPattern(site);
    if (pattern === undefined) return;
    const { head, body, tail } = pattern;
    const changes = changesOf(body, pattern.doubles).sort((a, b) => b.weight - a.weight);
    for (const { text, weight } of changes)
      yield replaceNode(site.node, head + text + tail, weight * pattern.share);
    if (head.startsWith("/")) {
      for (const flag of "giums")
        if (!tail.includes(flag)) yield replaceNode(site.node, `${head}${body}${tail}${flag}`, 0.4);
    } else yield* delimitedFlags(site, pattern);
  },
});

/** Flags after a delimiter inside of the text, as PHP has them: `"/a/i"`. */
function* delimitedFlags({ node }: Site, { head, body, tail }: Pattern): Generator<Edit> {
  const [, flags] = /^([/#~]).*\1([a-zA-Z]*)$/s.exec(body)?.slice(1) ?? [];
  if (flags === undefined) return;
  for (const flag of "ismu")
    if (!flags.includes(flag)) yield replaceNode(node, `${head}${body}${flag}${tail}`, 0.4);
}

interface Pattern {
  /** `r"`, `/`. */
  readonly head: string;
  readonly body: string;
  /** `"`, `/g`. */
  readonly tail: string;
  /** True if a backslash is written twice, as in Java's strings. */
  readonly doubles: boolean;
  /** 1 for a regular expression, less for a text that may be a part of one. */
  readonly share: number;
}

const literal = /^(\/)((?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+)(\/[a-z]*)$/s;
const quoted = /^((?:[a-zA-Z]{0,2})#?(["'`]))(.*)(\2#?)$/s;
/** Text that rarely occurs outside of regular expressions: `\d`, `(?:`, `[a-z]`, `)*`. */
const isPattern = /\\[dDwWsSbB]|\(\?[:=!<P]|\[\^?[^\]]*\w-\w[^\]]*\]|[\])][*+?]|^\^|\$$/;
/** `/^a+$/i` as a text, as PHP writes it. */
const isDelimited = /^([/#~]).+\1[a-zA-Z]*$/s;
const mayBePart = /[*+]$|[\])}s][*+?]|\\[.()[\]]/;
/** Calls into the regular expressions of any language. */
const usesPatterns = /\bre\.\w+\(|\bregexp?\.\w+\(|\bRegex(?:p|Builder)?\b|\bRegExp\b|\bPattern\.|\bpreg_/;

function readPattern(site: Site): Pattern | undefined {
  const written = textAt(site);
  const [, slash, inner, flags] = literal.exec(written) ?? [];
  if (slash !== undefined && inner !== undefined && flags !== undefined)
    return { head: slash, body: inner, tail: flags, doubles: false, share: 1 };
  const [, head, quote, body, tail] = quoted.exec(written) ?? [];
  if (head === undefined || body === undefined || tail === undefined || body === "") return undefined;
  if (!usesPatterns.test(site.source.tree.text)) return undefined;
  const share = isPattern.test(body) || isDelimited.test(body) ? 1 : mayBePart.test(body) ? 0.6 : 0;
  const isRaw = quote === "`" || /r/i.test(head);
  return share === 0
    ? undefined
    : { head, body, tail, doubles: !isRaw && !/(?<!\\)\\(?!\\)/.test(body), share };
}

interface Change {
  readonly text: string;
  readonly weight: number;
}

/** An escape with one or two backslashes, a class, or one character. */
const piece = /\\\\.|\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]|[\s\S]/g;

function changesOf(body: string, doubles: boolean): Change[] {
  const pieces = [...body.matchAll(piece)].map(([text]) => text);
  const slash = doubles ? "\\\\" : "\\";
  const replaced = (at: number, text: string, weight: number): Change => ({
    text: [...pieces.slice(0, at), text, ...pieces.slice(at + 1)].join(""),
    weight,
  });
  return [
    ...anchors(body, pieces),
    ...wholeChanges(pieces, slash),
    ...pieces.flatMap((own, at): Change[] => {
      const before = pieces[at - 1] ?? "";
      if (/^[*+]$/.test(own) && !/^[*+?]$/.test(before))
        return quantifiers(own).map((to) => replaced(at, ...to));
      if (own === "?" && !/^[*+?(]?$/.test(before)) return [replaced(at, "", 0.4), replaced(at, "*", 0.3)];
      if (/^\[.+\]$/.test(own)) return classes(own, slash).map((to) => replaced(at, ...to));
      if (own === ".") return [replaced(at, `${slash}.`, 0.4)];
      if (own === `${slash}.`) return [replaced(at, ".", 0.2)];
      return [];
    }),
    ...pieces.flatMap((own, at): Change[] => {
      const isAtom = own === ")" || /^\[.+\]$/.test(own) || /^\\{1,2}[dDwWsS.]$/.test(own);
      const isPlain = isAtom && !/^[*+?{]$/.test(pieces[at + 1] ?? "");
      return isPlain ? ["?", "*", "+"].map((sign) => replaced(at, own + sign, 0.35)) : [];
    }),
  ];
}

/** Escapes every dot that stands alone; allows a minus before the first digits. */
function wholeChanges(pieces: readonly string[], slash: string): Change[] {
  const isLone = (own: string, at: number): boolean => own === "." && !/^[*+?{]$/.test(pieces[at + 1] ?? "");
  const dots = pieces.filter(isLone).length;
  const digits = pieces.findIndex((own) => /^(?:\\{1,2}d|\[0-9\])$/.test(own));
  const signed = [...pieces.slice(0, digits), "-?", ...pieces.slice(digits)].join("");
  return [
    ...(dots > 1
      ? [{ text: pieces.map((own, at) => (isLone(own, at) ? `${slash}.` : own)).join(""), weight: 0.5 }]
      : []),
    ...(digits >= 0 && !/-\??$/.test(pieces[digits - 1] ?? "") ? [{ text: signed, weight: 0.3 }] : []),
  ];
}

function quantifiers(own: string): [string, number][] {
  return [
    [own === "*" ? "+" : "*", 1],
    [`${own}?`, 0.4],
    ["?", 0.3],
    ["", 0.3],
  ];
}

function anchors(body: string, pieces: readonly string[]): Change[] {
  const [first, last] = [pieces[0], pieces.at(-1)];
  return [
    first === "^" ? { text: body.slice(1), weight: 0.5 } : { text: `^${body}`, weight: 0.8 },
    last === "$" ? { text: body.slice(0, -1), weight: 0.5 } : { text: `${body}$`, weight: 0.7 },
  ];
}

/**
 * Variations of a character class, with their weights: more members, likely ones first; one member fewer; the opposite.
 */
function classes(own: string, slash: string): [string, number][] {
  const [, open = "[", inner = ""] = /^(\[\^?)([\s\S]*)\]$/.exec(own) ?? [];
  const wider: [string, number][] = [
    [inner.includes("a-z") && !inner.includes("A-Z") ? "A-Z" : "", 0.6],
    [inner.includes("A-Z") && !inner.includes("a-z") ? "a-z" : "", 0.6],
    [/a-z|\\w/i.test(inner) && !/0-9|\\d|\\w/.test(inner) ? "0-9" : "", 0.5],
    [slash + slash, 0.4],
    ...["_", ".", `${slash}s`, "+"].map((member): [string, number] => [member, 0.35]),
  ];
  const added = wider
    .filter(([member]) => member !== "" && !inner.includes(member))
    .map(([member, weight]): [string, number] => [`${open}${inner}${member}]`, weight]);
  // A minus at the end stands for itself.
  const dashed: [string, number][] = /-$|^-/.test(inner) ? [] : [[`${open}${inner}-]`, 0.35]];
  const members = inner.match(/\\\\.|\\.|.-.|[\s\S]/g) ?? [];
  const fewer = members.map((_, at): [string, number] => [
    `${open}${members.filter((__, other) => other !== at).join("")}]`,
    0.25,
  ]);
  const opposite: [string, number] = [open === "[" ? `[^${inner}]` : `[${inner}]`, 0.2];
  return [...added, ...dashed, ...(members.length > 1 ? fewer.slice(0, 4) : []), opposite];
}

/**
 * Finds a text's mentions of code by rules: paths, places in stack traces and permalinks, and names, recognised by
 * their spelling.
 */
import { outlines } from "../../syntax/outlines/index.generated.ts";
import { namePartWeights } from "./fusion-weights.ts";
import type { PartKind, StatementPart } from "./statement-parts.ts";

export interface PathMention {
  readonly path: string;
  readonly line: number | undefined;
  readonly source: "path" | "frame" | "link";
  readonly weight: number;
}

export interface NameMention {
  readonly name: string;
  /** The text before the name: `Arg` in `Arg::exclusive`. */
  readonly qualifier: string | undefined;
  readonly weight: number;
  /** True if a model expects the name in the code, but the text does not contain it. */
  readonly isInferred?: boolean;
  /** The kind of the named thing, if known. */
  readonly kind?: "type" | "function" | "value" | undefined;
}

export interface Mentions {
  readonly paths: readonly PathMention[];
  readonly names: readonly NameMention[];
}

const link = /https?:\/\/[^\s)>\]"']+/g;
/** File extensions of code, the longest first, without the dot. */
const endings = outlines
  .flatMap(({ extensions }) => extensions.map((extension) => extension.slice(1).replaceAll("+", "\\+")))
  .sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
const isScript = /^[cm]?[jt]sx?$/;
const frames: readonly RegExp[] = [
  /File "(?<path>[^"\n]+)", line (?<line>\d+)(?:, in (?<name>[\w<>]+))?/g,
  /\bat (?:async )?(?:(?<name>[\w$.<>[\] ]+?) )?\(?(?<path>(?:file:\/\/)?[\w@./\\-]+\.[cm]?[jt]sx?):(?<line>\d+):\d+\)?/g,
  /\bat (?<name>[\w$.]+)\((?<path>\w+\.(?:java|kt)):(?<line>\d+)\)/g,
  new RegExp(
    `(?<path>[\\w@./\\\\-]+\\.(?:${endings.filter((one) => !isScript.test(one)).join("|")}))[:(](?<line>\\d+)(?::\\d+)?`,
    "g",
  ),
];
const plainPath = new RegExp(
  `(?<![\\w/.:])(?:\\.{0,2}\\/)?(?:[\\w@.-]+\\/)*[\\w@.-]+\\.(?:${endings.join("|")}|vue|toml|ya?ml|json|sh)\\b(?![\\w/(])`,
  "g",
);
const qualifiedName = /[A-Za-z_$][\w$]*(?:(?:::|\.|#|->)[A-Za-z_$][\w$]*)+/g;
const oneName = /[A-Za-z_$][\w$]*/g;

const commonWord =
  /^(?:above|abstract|anonymous|async|base|callback|child|class|corresponding|current|default|delete|entire|existing|factory|first|following|get|getter|given|hash|head|helper|inner|instance|lambda|last|latter|magic|main|map|new|next|old|options|original|other|outer|parent|patch|post|private|public|put|right|same|setter|sort|special|specified|static|test|whole|wrapper|wrong)$/i;

/**
 * Finds names that prose calls a function, method, constructor, macro or decorator, even plain words: `Equal` in "the
 * Equal method". Omits common words such as `base`.
 */
export function readFunctions(text: string): string[] {
  const found = text.matchAll(
    /\b[Tt]he ([A-Za-z_$][\w$]{2,63})(?:\(\))? (?:method|function|constructor|macro|decorator)s?\b/g,
  );
  return [...found].map(([, name = ""]) => name).filter((name) => !commonWord.test(name));
}

export function readMentions(parts: readonly StatementPart[]): Mentions {
  const paths: PathMention[] = [];
  const names = new Map<string, NameMention>();
  for (const { kind, text } of parts) {
    const weight = namePartWeights[kind];
    readPaths(text, weight, paths, names);
    readNames(text.replace(link, " "), kind, weight, names);
  }
  return { paths, names: [...names.values()] };
}

function readPaths(
  text: string,
  weight: number,
  paths: PathMention[],
  names: Map<string, NameMention>,
): void {
  for (const [url] of text.matchAll(link)) readLink(url, weight, paths, names);
  const rest = text.replace(link, " ");
  for (const pattern of frames) {
    for (const { groups } of rest.matchAll(pattern)) {
      const path = (groups?.["path"] ?? "").replace(/^file:\/\//, "").replaceAll("\\", "/");
      if (/(?:site-packages|node_modules|\/rustc\/|\.cargo\/registry|\/lib\/python)/.test(path)) {
        paths.push({ path: tailOf(path), line: Number(groups?.["line"]), source: "frame", weight: 0.7 });
      } else paths.push({ path, line: Number(groups?.["line"]), source: "frame", weight: 1 });
      const name = groups?.["name"]?.split(/[.\s]/).at(-1);
      if (name !== undefined) addName(names, name, undefined, 1);
    }
  }
  for (const [path] of rest.matchAll(plainPath))
    paths.push({ path, line: undefined, source: "path", weight });
}

/**
 * Shortens a dependency's path to the part after the folder of packages, because the package may be this repository's
 * own.
 */
function tailOf(path: string): string {
  return path.replace(/^.*(?:site-packages|node_modules|\.cargo\/registry\/src\/[^/]+)\//, "");
}

/** Reads links to source lines, and to generated reference pages (`struct.Arg.html#method.exclusive`). */
function readLink(url: string, weight: number, paths: PathMention[], names: Map<string, NameMention>): void {
  const place = /\/(?:blob|tree|blame)\/[^/]+\/([^#?]+)(?:[^#]*#L(\d+))?/.exec(url);
  if (place?.[1] !== undefined) {
    const line = place[2] === undefined ? undefined : Number(place[2]);
    paths.push({ path: place[1], line, source: "link", weight: 2 });
  }
  const page = /\/(?:struct|enum|trait|fn|macro|derive|type|class)\.(\w+)\.html(?:#(?:ty)?\w+\.(\w+))?/.exec(
    url,
  );
  if (page?.[1] !== undefined) addName(names, page[1], undefined, weight);
  if (page?.[2] !== undefined) addName(names, page[2], page[1], weight * 2);
}

function readNames(text: string, kind: PartKind, weight: number, names: Map<string, NameMention>): void {
  for (const [qualified] of text.matchAll(qualifiedName)) {
    const segments = qualified.split(/::|\.|#|->/);
    const last = segments.at(-1) ?? "";
    addName(names, last, segments.at(-2), weight * 1.5);
  }
  const functions = new Set(readFunctions(text));
  for (const match of text.matchAll(oneName)) {
    const name = match[0];
    if (name.length < 2 || name.length > 64) continue;
    const after = text.slice(match.index + name.length, match.index + name.length + 2);
    const looksLikeCode =
      functions.has(name) ||
      /[a-z\d][A-Z]|._./.test(name) ||
      after.startsWith("(") ||
      /^![([{]/.test(after) ||
      /^[A-Z]\w*[a-z]\w*[A-Z]/.test(name);
    if (looksLikeCode) addName(names, name, undefined, weight);
    else if (kind === "inline" || kind === "code") addName(names, name, undefined, weight * 0.5);
    else if (kind === "title" || kind === "prose") addName(names, name, undefined, weight * 0.15);
  }
}

/** Adds a mention of a name. A repeated name weighs more, but less than proportionally. */
function addName(
  names: Map<string, NameMention>,
  name: string,
  qualifier: string | undefined,
  weight: number,
): void {
  const key = `${qualifier ?? ""}.${name}`;
  const before = names.get(key)?.weight ?? 0;
  const joined = Math.max(before, weight) + 0.2 * Math.min(before, weight);
  names.set(key, { name, qualifier, weight: Math.min(joined, 4) });
}

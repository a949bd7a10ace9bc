/**
 * Gives stable names to paths that differ between sandboxes and runs. In output, reports and files that a model reads,
 * replaces real paths with these names. In commands and files that a model writes, replaces the names with real paths.
 */
import { literally } from "../base/literal-pattern.ts";
import { toBytePath } from "./byte-path.ts";

export interface PathName {
  /** The path as commands inside the sandbox see it. */
  readonly real: string;
  /** The path as texts show it. */
  readonly name: string;
  /** True if the name also has another meaning. It then stays unchanged in texts that a model writes. */
  readonly isShownOnly?: boolean;
}

export interface PathNames {
  /** The repository's root, as texts show it. */
  readonly root: string;
  /** Replaces real paths with names. */
  show(text: string): string;
  /** Replaces names with real paths, if a name is a whole path or the beginning of one. */
  meant(text: string): string;
  /** Replaces real paths with names in a file's bytes. Binary files stay unchanged. */
  showBytes(content: Buffer): Buffer;
  meantBytes(content: Buffer): Buffer;
}

/**
 * The name under which texts show Millwright's own folders. In a sandbox that can mount, it is also their real path.
 */
export const insideRoot = "/.millwright";

/** Matches folders with a number for each run of tests or each trace. */
const numbered = /(\/\.millwright\/(?:scratch|channels)\/(?:trace\/)?(?:report|lines))-[0-9a-f]{12}/g;

export function namePaths(root: string, paths: readonly PathName[]): PathNames {
  const moved = paths.filter(({ real, name }) => real !== name && name !== "/");
  const text = mapping(moved);
  const bytes = mapping(moved, toBytePath);
  const ofBytes = (change: (text: string) => string, parts: readonly string[]) => {
    const wanted = parts.map((part) => Buffer.from(part, "latin1"));
    return (content: Buffer): Buffer =>
      wanted.some((part) => content.includes(part)) && !content.includes(0)
        ? Buffer.from(change(content.toString("latin1")), "latin1")
        : content;
  };
  return {
    root,
    show: text.show,
    meant: text.meant,
    showBytes: ofBytes(bytes.show, [...bytes.spellings, `${insideRoot}/`]),
    meantBytes: ofBytes(
      bytes.meant,
      moved.filter(({ isShownOnly }) => isShownOnly !== true).map(({ name }) => toBytePath(name)),
    ),
  };
}

function mapping(paths: readonly PathName[], written = (path: string): string => path) {
  const spelt = paths
    .flatMap(spellings)
    .map(({ real, name }) => ({ real: written(real), name: written(name) }))
    .sort((a, b) => b.real.length - a.real.length);
  const nameOf = new Map(spelt.map(({ real, name }) => [real, name]));
  const shown = alternatives([...nameOf.keys()]);
  const real = new RegExp(shown, "g");
  const meanings = paths.filter(({ isShownOnly }) => isShownOnly !== true);
  const realOf = new Map(meanings.map(({ real, name }) => [written(name), written(real)]));
  const named = alternatives([...realOf.keys()].sort((a, b) => b.length - a.length));
  // A path must not be the end of another one, but may follow `-I` and `file://`. Real paths may begin with a name:
  // they stay.
  const begins = "(?:(?<![\\w.~/-])|(?<=(?:^|[\\s\"'=])-[A-Za-z])|(?<=file://))";
  const meant = new RegExp(`(${shown})|${begins}(${named})(?![\\w-]|\\.\\w)`, "g");
  return {
    spellings: [...nameOf.keys()],
    show(text: string): string {
      const named = paths.length === 0 ? text : text.replace(real, (path) => nameOf.get(path) ?? path);
      return named.replace(numbered, "$1");
    },
    meant: (text: string): string =>
      meanings.length === 0
        ? text
        : text.replace(meant, (all, _real?: string, name?: string) =>
            name === undefined ? all : (realOf.get(name) ?? all),
          ),
  };
}

/** Returns the path as written, as a URL spells it, and as JSON in ASCII spells it. Omits equal spellings. */
function spellings({ real, name }: PathName): PathName[] {
  const ascii = (path: string): string =>
    path.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const others = [encodeURI, ascii].map((spell) => ({ real: spell(real), name: spell(name) }));
  return [{ real, name }, ...others.filter((each) => each.real !== real)];
}

function alternatives(texts: readonly string[]): string {
  return texts.map(literally).join("|");
}

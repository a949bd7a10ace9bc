/**
 * Finds Rust types whose own formatting (`Debug`, `Display`, `Serialize`) may take a lock, or wait for one. Tracing
 * must not change the state of a lock, so a trace shows such values without this formatting. Reads the text of all
 * sources, including items in macros.
 */
import type { TraceSources } from "../tracer.ts";

/** Locks of the standard library and well-known crates, and maps and sets that lock on reading. */
const wellKnown = [
  ...["Mutex", "RwLock", "ReentrantLock", "ReentrantMutex", "FairMutex", "SpinMutex", "TicketMutex"],
  ...["ShardedLock", "DashMap", "DashSet"],
];
/** Matches the locks, also those with a project's own prefix. */
const lock = new RegExp(`(?:Mutex|RwLock)$|^(?:${wellKnown.join("|")})$`);
const maybeLock = new RegExp(wellKnown.join("|"));
const takesLock = /\.\s*(?:try_|blocking_)?(?:lock|read|write|upgradable_read)(?:_arc)?\s*\(\s*\)/;
const words = /\b(?:Debug|Display|Serialize)\b/;

const noise =
  /\/\/.*|\/\*[\s\S]*?\*\/|\b[bc]?r(#*)"[\s\S]*?"\1|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\\n]|\\.[^\n']*)'/g;
const definition =
  /((?:#\s*\[[^\]]*(?:\[[^\]]*\][^\]]*)*\]\s*)*)(?:pub(?:\s*\([^)]*\))?\s+)?\b(struct|enum|union|type)\s+(\w+)/g;
const implementation = /(?<=(?:^|[{};\])*]|\bunsafe|\bdefault)\s*)\bimpl\b/g;
const renaming = /\b([A-Z]\w*)\s+as\s+([A-Z]\w*)/g;

/** The facts in the sources about types, by name only, and about traits, as `dyn Name`. */
interface Mentions {
  /** Each type with the names in its definition. */
  readonly inside: Map<string, Set<string>>;
  /** Types with their own formatting, and the sources' own traits. */
  readonly worded: Set<string>;
  /** Types whose hand-written formatting takes a lock. */
  readonly taking: Set<string>;
  /** The traits of the types in `taking`, as `dyn Name`. */
  readonly traits: Set<string>;
}

export interface LockingTypes {
  /** Names of types, and of traits as `dyn Name`, in the standard library and well-known crates. */
  readonly known: ReadonlySet<string>;
  /** Names of types, and of traits as `dyn Name`, in these sources. */
  readonly own: ReadonlySet<string>;
  /** Names of crates that the sources define. */
  readonly crates: ReadonlySet<string>;
}

/** Finds the names of types that contain a lock, and of traits whose values may be of such a type. */
export async function findLockingTypes({ files, read }: TraceSources): Promise<LockingTypes> {
  const all = (ending: string): Promise<(string | undefined)[]> =>
    Promise.all(files.filter((path) => path.endsWith(ending)).map(read));
  const texts = (await all(".rs")).filter((text) => text !== undefined);
  if (!texts.some((text) => maybeLock.test(text) || takesLock.test(text)))
    return { known: new Set(wellKnown), own: new Set(), crates: new Set() };
  const mentions = {
    inside: new Map(),
    worded: new Set<string>(),
    taking: new Set<string>(),
    traits: new Set<string>(),
  };
  for (const text of texts) readMentions(withoutNoise(text), mentions);
  const found = [...closeOver(mentions)].filter((name) => mentions.worded.has(name));
  return {
    known: new Set([...wellKnown, ...mentions.traits]),
    own: new Set(found),
    crates: crateNames(files, await all("Cargo.toml")),
  };
}

/** Lists the locking types in the form that the runtime reads: see `locks.rs`. */
export function listLocking({ known, own, crates }: LockingTypes): string {
  return [...known, ...[...own].map((name) => `~${name}`), ...[...crates].map((name) => `::${name}`)].join(
    ",",
  );
}

function crateNames(files: readonly string[], manifests: readonly (string | undefined)[]): Set<string> {
  const named = manifests.flatMap((text = "") => [...text.matchAll(/^\s*name\s*=\s*"([^"]+)"/gm)]);
  const targets = files.flatMap(
    (path) =>
      /(?:^|\/)(?:tests|examples|benches|src\/bin)\/(\w[\w-]*)(?:\.rs|\/main\.rs)$/.exec(path)?.[1] ?? [],
  );
  return new Set(
    [...named.map(([, name = ""]) => name), ...targets].map((name) => name.replaceAll("-", "_")),
  );
}

/** The text without comments, and with empty string literals. */
function withoutNoise(text: string): string {
  return text.replaceAll(noise, (found) => (found.startsWith("/") ? " " : '""'));
}

/** All types that contain a lock or a type in `taking`, directly or indirectly. */
function closeOver({ inside, worded, taking }: Mentions): Set<string> {
  const holders = new Map<string, string[]>();
  const found = new Set(taking);
  for (const [name, named] of inside)
    for (const each of named) {
      // Any value may be behind a foreign trait: its formatting is checked at run time.
      if (each.startsWith("dyn ") && !worded.has(each)) continue;
      if (lock.test(each)) found.add(name);
      else holders.set(each, [...(holders.get(each) ?? []), name]);
    }
  for (const name of found) for (const holder of holders.get(name) ?? []) found.add(holder);
  return found;
}

function readMentions(text: string, { inside, worded, taking, traits }: Mentions): void {
  const add = (name: string, named: Iterable<string>): void => {
    const known = inside.get(name) ?? new Set();
    for (const each of named) known.add(each);
    inside.set(name, known);
  };
  const blocks: (readonly [number, number])[] = [];
  for (const { index } of text.matchAll(implementation)) {
    const open = text.indexOf("{", index);
    const end = endOfItem(text, open);
    const { trait, type } = readHead(text.slice(index + "impl".length, open));
    blocks.push([open, end]);
    if (trait === undefined || type === undefined) continue;
    const isWords = words.test(trait);
    const isTaking = isWords && takesLock.test(text.slice(open, end));
    if (isWords) worded.add(type);
    if (isTaking) taking.add(type);
    if (isTaking) traits.add(`dyn ${trait}`);
    add(`dyn ${trait}`, [type]);
  }
  for (const { index, 0: head, 1: marks = "", 2: kind, 3: name = "" } of text.matchAll(definition)) {
    // An associated type's name has a different meaning in each block.
    if (kind === "type" && blocks.some(([start, end]) => index > start && index < end)) continue;
    const start = index + head.length;
    const body = text.slice(start, endOfItem(text, start));
    add(name, namedIn(kind === "enum" ? withoutVariants(body) : body));
    if (words.test(marks)) worded.add(name);
  }
  for (const [, name = ""] of text.matchAll(/\btrait\s+(\w+)/g)) worded.add(`dyn ${name}`);
  for (const [statement] of text.matchAll(/\buse\b[^;]*;/g))
    for (const [, name = "", own = ""] of statement.matchAll(renaming)) add(own, [name]);
}

/** The offset after the `;` or the last bracket of the item that begins at `start`. */
function endOfItem(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const each = text[at];
    if (each === "{" || each === "(" || each === "[") depth += 1;
    else if (each === "}" || each === ")" || each === "]") {
      depth -= 1;
      if (depth < 0 || (depth === 0 && each === "}")) return at + 1;
    } else if (each === ";" && depth === 0) return at + 1;
  }
  return text.length;
}

/** Reads the last names of trait and type in a head such as `<T: Trait> fmt::Debug for a::Type<T> where …`. */
function readHead(head: string): { trait?: string; type?: string } {
  let plain = head.replaceAll(/[-=]>/g, " ");
  for (let before = ""; before !== plain; ) {
    before = plain;
    plain = plain.replaceAll(/<[^<>]*>/g, " ");
  }
  const [trait, type] = plain.split(/\bfor\b/).map((part) => part.replace(/\bwhere\b[\s\S]*$/, ""));
  if (trait === undefined || type === undefined) return {};
  return { trait: lastName(trait), type: lastName(type) };
}

function lastName(path: string): string {
  return /(\w+)\s*$/.exec(path)?.[1] ?? "";
}

/** The types and traits that a definition names. */
function namedIn(text: string): string[] {
  const objects = [...text.matchAll(/\bdyn\s+(?:\w+\s*::\s*)*(\w+)/g)].map(([, name]) => `dyn ${name}`);
  return [...(text.match(/\b[A-Z]\w*/g) ?? []), ...objects];
}

/** The contents of variants, without their names. */
function withoutVariants(body: string): string {
  let depth = 0;
  let plain = "";
  let isNew = false;
  for (const [part] of body.matchAll(/\w+|->|[^\w\s]/g)) {
    if (/^[[({<]$/.test(part)) depth += 1;
    else if (/^[\])}>]$/.test(part)) depth -= 1;
    const isName = isNew && depth === 1 && /^\w/.test(part);
    if (depth === 1 && /^[{,]$/.test(part)) isNew = true;
    else if (isName) isNew = false;
    plain += isName ? "" : ` ${part}`;
  }
  return plain;
}

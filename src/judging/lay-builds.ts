/** Composes a Java build file: the base's version with the parts that a candidate may change, such as dependencies. */
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import type { JudgingParts } from "../languages/contract.ts";

export function layMaven(
  { free, properties }: Extract<JudgingParts, { format: "maven" }>,
  before: string,
  after: string,
): string {
  const [base, candidate] = [childrenOf(before), childrenOf(after)];
  if (base === undefined || candidate === undefined) return before;
  const rules = { free, properties };
  const isSame = frameOf(rules, before, base) === frameOf(rules, after, candidate);
  if (isSame && !isSystem.test(after)) return after;
  let text = before.slice(0, base.end);
  const rest = before.slice(base.end);
  const isFree = (name: string): boolean => free.includes(name);
  for (const { name, start, end } of base.children.toReversed()) {
    if (isFree(name)) text = text.slice(0, start) + text.slice(end);
    else if (name === "properties") {
      const laid = layProperties(
        properties,
        before.slice(start, end),
        textOf(after, candidate, "properties"),
      );
      text = text.slice(0, start) + laid + text.slice(end);
    }
  }
  const added = candidate.children
    .filter(({ name }) => isFree(name))
    .map(({ start, end }) => after.slice(start, end))
    .filter((element) => !isSystem.test(element));
  return `${text}${added.join("\n")}\n${rest}`;
}

/** Matches a dependency whose file in the repository replaces a library. */
const isSystem = /<(?:systemPath|scope>\s*system)/;

/** Returns the parts that must equal the base's parts, ignoring white space. */
function frameOf(
  { free, properties }: Pick<Extract<JudgingParts, { format: "maven" }>, "free" | "properties">,
  text: string,
  { children, end }: Root,
): string {
  let frame = text.slice(0, end);
  for (const { name, start, end: last } of children.toReversed()) {
    const element = text.slice(start, last);
    const kept = name === "properties" ? layProperties(properties, element, "") : element;
    frame = frame.slice(0, start) + (free.includes(name) ? "" : kept) + frame.slice(last);
  }
  return frame.replaceAll(/<!--[\s\S]*?-->|\s+|<properties>\s*<\/properties>/g, "");
}

interface Element {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

interface Root {
  readonly children: readonly Element[];
  /** The start of the closing tag. */
  readonly end: number;
}

function childrenOf(text: string): Root | undefined {
  try {
    const { root } = parseXml(text, { includeOffsets: true, ignoreUndefinedEntities: true });
    const end = text.lastIndexOf("</");
    if (root === null || end === -1) return undefined;
    const children = root.children.flatMap((child) =>
      child instanceof XmlElement ? [{ name: child.name, start: child.start, end: child.end }] : [],
    );
    return { children, end };
  } catch {
    return undefined;
  }
}

function textOf(text: string, { children }: Root, name: string): string {
  const found = children.find((child) => child.name === name);
  return found === undefined ? "" : text.slice(found.start, found.end);
}

/** Takes the candidate's properties, except properties that concern tests. */
function layProperties(ours: RegExp, before: string, after: string): string {
  const of = (text: string, wanted: boolean): string[] => {
    const root = text === "" ? undefined : childrenOf(text);
    return (root?.children ?? [])
      .filter(({ name }) => ours.test(name) === wanted)
      .map(({ start, end }) => text.slice(start, end));
  };
  const all = [...of(after, false), ...of(before, true)];
  return `<properties>\n${all.join("\n")}\n</properties>`;
}

export function layGradle(
  { free, entry }: Extract<JudgingParts, { format: "gradle" }>,
  before: string,
  after: string,
): string {
  const [base, candidate] = [blockOf(before, free), blockOf(after, free)];
  if (candidate === undefined) return base === undefined && before === after ? after : before;
  const linesOf = (text: string, { inside, end }: typeof candidate): string[] =>
    text.slice(inside, end - 1).split("\n");
  // A mark of a comment or a long text could hide what follows the block.
  const known = (base === undefined ? [] : linesOf(before, base)).filter(
    (line) => !/\/\*|\*\/|"""|'''/.test(line),
  );
  if (!linesOf(after, candidate).every((line) => known.includes(line) || entry.test(line))) return before;
  const rest = (text: string, found: Pick<Element, "start" | "end"> | undefined): string =>
    (found === undefined ? text : text.slice(0, found.start) + text.slice(found.end))
      .replaceAll(/[^\S\n]+/g, "")
      // A line break can end a comment.
      .replaceAll(/\n+/g, "\n")
      .trim();
  if (rest(before, base) === rest(after, candidate)) return after;
  const block = after.slice(candidate.start, candidate.end);
  return base === undefined
    ? `${before}\n${block}\n`
    : before.slice(0, base.start) + block + before.slice(base.end);
}

export function layMsbuild(
  { free }: Extract<JudgingParts, { format: "msbuild" }>,
  before: string,
  after: string,
): string {
  // A new project contains none of the base's tests.
  if (before === "") return after;
  const [base, candidate] = [before, after].map((text) => {
    const plain = text.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "");
    return {
      names: [...plain.matchAll(free)].map(([, kind, name]) => `${kind} ${name}`),
      rest: plain.replaceAll(free, "").replaceAll(/\s+|<ItemGroup>\s*<\/ItemGroup>/g, ""),
    };
  });
  const hasAll = base?.names.every((name) => candidate?.names.includes(name));
  return hasAll && base?.rest === candidate?.rest ? after : before;
}

/** Returns a block, from its head to its closing brace. */
function blockOf(text: string, head: RegExp) {
  const found = head.exec(text);
  if (found === null) return undefined;
  const inside = found.index + found[0].length;
  let depth = 1;
  for (let at = inside; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") depth -= 1;
    if (depth === 0) return { start: found.index, inside, end: at + 1 };
  }
  return undefined;
}

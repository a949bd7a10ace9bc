/**
 * Computes the qualified names and disambiguators of a file's definitions. With language, path and kind, they identify
 * an entity.
 */
import type { Definition } from "../../domain/code-symbols.ts";

export interface Identity {
  readonly qualified: string;
  readonly disambiguator: string;
}

/** Languages in which parameters distinguish functions with the same name. */
const overloads = new Set(["java", "kotlin", "csharp", "cpp", "typescript"]);
const longestDisambiguator = 200;

/** The fields that identify a definition. */
export type Identified = Pick<Definition, "kind" | "name" | "container" | "owner" | "parameters">;

/** Returns the identity of each definition, in the given order. Identities are unique among definitions of one kind. */
export function identifyDefinitions(language: string, definitions: readonly Identified[]): Identity[] {
  const qualified: string[] = [];
  for (const definition of definitions) qualified.push(qualify(definition, definitions, qualified));
  const seen = new Map<string, number>();
  return definitions.map((definition, index) => {
    const name = qualified[index] ?? definition.name;
    const parameters =
      overloads.has(language) && isCallable(definition)
        ? (definition.parameters ?? "").slice(0, longestDisambiguator)
        : "";
    const key = `${definition.kind}\0${name}\0${parameters}`;
    const ordinal = (seen.get(key) ?? 0) + 1;
    seen.set(key, ordinal);
    return { qualified: name, disambiguator: ordinal === 1 ? parameters : `${parameters}~${ordinal}` };
  });
}

function isCallable({ kind }: Identified): boolean {
  return kind === "function" || kind === "method" || kind === "constructor";
}

/** The qualified name. Containers come before their contents in `all`, so `known` has their names. */
function qualify(definition: Identified, all: readonly Identified[], known: readonly string[]): string {
  const container = all[definition.container];
  const around = known[definition.container];
  const owner = definition.owner === undefined ? undefined : plainName(definition.owner);
  const saysOwner = owner !== undefined && (container === undefined || container.name !== lastName(owner));
  const inside = saysOwner ? `${owner}.${definition.name}` : definition.name;
  return around === undefined ? inside : `${around}.${inside}`;
}

/** Returns the plain form of a name: `Foo<T>` is `Foo`, `a::b` is `a.b`, `*Cart` is `Cart`. */
export function plainName(written: string): string {
  if (/^\w+$/.test(written)) return written;
  return written
    .replace(/<.*>$|\[.*\]$/s, "")
    .replace(/^[*&\s]+/, "")
    .replaceAll(/::|->|\?\.|!\./g, ".");
}

export function lastName(plain: string): string {
  return plain.slice(plain.lastIndexOf(".") + 1);
}

/** Identifies an entity across the code base, as a record and as text. */

export interface EntityKey {
  /**
   * The language of the file's outline, "markdown", "restructuredtext"; "" for folders and for files in no language.
   */
  readonly language: string;
  /** The path, relative to the repository and with `/`; "" is the repository. */
  readonly path: string;
  /** The names of the containers and the entity's own name, joined by "."; "" for files and folders. */
  readonly qualified: string;
  readonly kind: string;
  /**
   * Distinguishes entities with equal names: the parameters' types (`int,String`), then an ordinal (`~2`); usually "".
   */
  readonly disambiguator: string;
}

/**
 * Renders an entity's key as its id: `python:shop/cart.py#Cart.pick:method`, `java:A.java#A.add:method:int,int`.
 * Percent-encodes `%`, `#`, `:` and line breaks.
 */
export function formatEntityId(key: EntityKey): string {
  const parts = [key.qualified, key.kind, ...(key.disambiguator === "" ? [] : [key.disambiguator])];
  return `${encode(key.language)}:${encode(key.path)}#${parts.map(encode).join(":")}`;
}

/** Parses an entity's id to its key; undefined if the text has another form. */
export function parseEntityId(text: string): EntityKey | undefined {
  const found = /^([^:#]*):([^#:]*)#([^#:]*):([^#:]+)(?::([^#:]*))?$/.exec(text);
  if (found === null) return undefined;
  const [language, path, qualified, kind, disambiguator] = found.slice(1).map((part) => decode(part ?? ""));
  if (language === undefined || path === undefined || qualified === undefined) return undefined;
  return { language, path, qualified, kind: kind ?? "", disambiguator: disambiguator ?? "" };
}

function encode(part: string): string {
  return part.replace(/[%#:\r\n]/g, (mark) => `%${mark.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

function decode(part: string): string {
  return part.replace(/%(25|23|3a|0d|0a)/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

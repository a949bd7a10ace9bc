/**
 * The fields of a value, read from its text in any language's form: `Parsed { year: Some(2013), day: None }`,
 * `{"year":2013}`, `Day(y=1)`.
 */

export interface ValueFields {
  /** The text up to the opening bracket, with this bracket: `Parsed { `. */
  readonly head: string;
  /** Name and text as written: `year: ` and `Some(2013)`. */
  readonly fields: readonly { readonly name: string; readonly text: string }[];
  /** The text from the closing bracket to the end. */
  readonly tail: string;
}

const opening = /^[\w:.<>&*, ]*[{(] ?/;
const fieldName = /^\s*(?:"(?:[^"\\]|\\.)*"|[\w.]+)\s*[:=]\s*/;

/**
 * Reads the named fields of a value's text; undefined if the text has none, or has a part without a name. Ignores
 * brackets inside double quotation marks.
 */
export function readFields(text: string): ValueFields | undefined {
  const head = opening.exec(text)?.[0] ?? "";
  if (head === "") return undefined;
  const fields: { name: string; text: string }[] = [];
  let [depth, start, at] = [0, head.length, head.length];
  const take = (): boolean => {
    const part = text.slice(start, at);
    const name = fieldName.exec(part)?.[0];
    if (name === undefined) return part.trim() === "" || part.trim() === "..";
    fields.push({ name: name.trimStart(), text: part.slice(name.length).trimEnd() });
    return true;
  };
  for (; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (sign === '"') at = endOfString(text, at);
    else if ("{([".includes(sign)) depth++;
    else if ("})]".includes(sign) && depth-- === 0) break;
    else if (sign === "," && depth === 0) {
      if (!take()) return undefined;
      start = at + 1;
    }
  }
  if (at >= text.length || !take() || fields.length === 0) return undefined;
  const gap = text[at - 1] === " " ? " " : "";
  return { head, fields, tail: `${gap}${text.slice(at)}` };
}

/** The end of the string that begins here; the end of the text if it is not closed. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

const empty = /^(?:None|null|nil|undefined|<nil>|\[\]|\{\}|""|'')$/;

/**
 * Replaces the empty fields in a value's text with their number: `… 3 empty`. Returns the text unchanged if no field is
 * empty.
 */
export function withoutEmpty(text: string): string {
  const read = readFields(text);
  const full = read?.fields.filter((field) => !empty.test(field.text)) ?? [];
  const left = (read?.fields.length ?? 0) - full.length;
  if (read === undefined || left === 0) return text;
  return `${read.head}${[...full.map(({ name, text: value }) => `${name}${value}`), `… ${left} empty`].join(", ")}${read.tail}`;
}

export interface ChangedField {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** Returns the fields that differ; undefined if the values have different shapes, or no named fields. */
export function changedFields(before: string, after: string): readonly ChangedField[] | undefined {
  const [one, other] = [readFields(before), readFields(after)];
  if (one === undefined || other === undefined || one.head !== other.head) return undefined;
  if (one.fields.length !== other.fields.length) return undefined;
  const pairs = one.fields.map((field, index) => ({ field, next: other.fields[index] }));
  if (pairs.some(({ field, next }) => field.name !== next?.name)) return undefined;
  return pairs.flatMap(({ field, next }) =>
    next === undefined || field.text === next.text
      ? []
      : [
          {
            name: field.name.replace(/\s*[:=]\s*$/, "").replaceAll('"', ""),
            from: field.text,
            to: next.text,
          },
        ],
  );
}

/** Reads and writes the syntax of git's configuration files (git-config(1), "Syntax"). */

export interface ConfigSetting {
  readonly section: string;
  readonly subsection: string | undefined;
  readonly key: string;
  /** The setting's value. Undefined for a key without `=`, which means true. */
  readonly value: string | undefined;
}

const header = /\[([A-Za-z0-9-]*)(?:\.([^\]\s"]*)|[ \t]+"((?:\\[^\n]|[^"\\\n])*)")?[ \t]*\]/y;
const blank = /(?:\s|[#;][^\n]*)+/y;
const keyName = /([A-Za-z][A-Za-z0-9-]*)[ \t]*(=[ \t]*)?/y;
const part = /\\\r?\n|\\[^\n]|["#;]|\r?\n|[^\\"#;\n\r]+|[\r\\]/y;
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

/** Reads the settings in their order. Ends before the first text that is no configuration; git rejects such a file. */
export function readConfig(config: string): ConfigSetting[] {
  const text = config.replace(/^(?:\ufeff|\u00ef\u00bb\u00bf)/, "");
  const found: ConfigSetting[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  let place: Pick<ConfigSetting, "section" | "subsection"> | undefined;
  while (at < text.length) {
    if (take(blank) !== null) continue;
    const named = take(header);
    if (named !== null) {
      const [, section = "", old, quoted] = named;
      place = { section, subsection: old ?? quoted?.replace(/\\(.)/g, "$1") };
      continue;
    }
    const setting = place === undefined ? null : take(keyName);
    if (place === undefined || setting === null) break;
    const [, key = "", equals] = setting;
    found.push({ ...place, key, value: equals === undefined ? undefined : readValue(() => take(part)) });
  }
  return found;
}

/** Reads a value up to its line's end. `take` returns the next part of the value. */
function readValue(take: () => RegExpExecArray | null): string {
  let value = "";
  /** The value's length without spaces at the end, which count only inside quotes. */
  let length = 0;
  let isQuoted = false;
  let isComment = false;
  for (let next = take(); next !== null; next = take()) {
    const [text] = next;
    if (/^\r?\n$/.test(text)) break;
    if (!isQuoted && /^[#;]/.test(text)) isComment = true;
    if (isComment || /^\\\r?\n$/.test(text)) continue;
    if (text === '"') isQuoted = !isQuoted;
    else if (text.startsWith("\\")) value += escapes[text.charAt(1)] ?? text.charAt(1);
    else value += text;
    if (isQuoted || text === '"' || text.startsWith("\\")) length = value.length;
    else length = Math.max(length, value.trimEnd().length);
  }
  return value.slice(0, length);
}

/** Writes the settings in their order, each section's name only once in a row. */
export function writeConfig(settings: readonly ConfigSetting[]): string {
  let last = "";
  const lines = settings.flatMap(({ section, subsection, key, value }) => {
    const place = subsection === undefined ? `[${section}]` : `[${section} ${quote(subsection)}]`;
    const line = value === undefined ? `\t${key}` : `\t${key} = ${writeValue(value)}`;
    if (place === last) return [line];
    last = place;
    return [place, line];
  });
  return lines.map((line) => `${line}\n`).join("");
}

function writeValue(value: string): string {
  if (!/[#;"\\\n\t\b]|^\s|\s$/.test(value)) return value;
  return quote(value).replaceAll("\n", "\\n").replaceAll("\t", "\\t").replaceAll("\b", "\\b");
}

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}

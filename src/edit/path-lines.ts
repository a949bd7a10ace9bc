/** Recognises a path that an author wrote above a block, with decoration such as `**` or `File:`. */

const decoration = /^(?:[\s>*`"']|#+\s|[*-]\s|(?:\/\/|--|<!--|\d+[.)])\s+)+|(?:[\s*`"':]|-->)+$/g;
/** Brackets around a path. They can also belong to a name: `[id].tsx`. */
const brackets = /^[([{]+|[)\]}]+$/g;
const label = /^(?:file(?:\s*(?:name|path))?|path|in|edit|update|modify|create|new file)\s*[:=]\s*/i;
/** A path: a name with an extension, or a known name without one, in any folders. */
const pathShape =
  /^(?:\.{0,2}\/)?(?:[\p{L}\p{N}_.@+~()[\]$ -]+\/)*(?:[\p{L}\p{N}_.@+~()[\]$-]+\.[\p{L}\p{N}_+-]+|Makefile|Dockerfile|LICENSE|README|Jenkinsfile|Gemfile|Rakefile|Procfile|\.[\p{L}\p{N}_-]+)$/u;

/** Reads the path in a line; undefined if the line does not name a path. */
export function readPathLine(line: string): string | undefined {
  const fence = /^\s*(?:`{3,}|~{3,})(.*)$/.exec(line);
  const text = fence === null ? line : (fence[1] ?? "");
  const bare = stripDecoration(stripDecoration(text).replace(label, ""));
  const words = fence === null ? [bare] : [...fenceParts(bare), bare];
  for (const candidate of words.flatMap((word) => [word, word.replace(brackets, "")])) {
    const path = cleanPath(candidate);
    if (path !== undefined && (fence === null || /[./]/.test(path))) return path;
  }
  return undefined;
}

/**
 * Reads a single word directly above a block as a path, in any form: `bin/run`, `LICENSE`, `../x`. Undefined for other
 * lines.
 */
export function readPathWord(line: string): string | undefined {
  const bare = stripDecoration(line.trim());
  const isWord = /^[^\s:,;!?<>=|]+$/.test(bare) && !/[:.,;!?]$/.test(line.trim().replace(/[*_`"']+$/, ""));
  return isWord && /[\p{L}\p{N}]/u.test(bare) ? bare.replace(/^(?:\.\/)+/, "") : undefined;
}

/**
 * The words after a fence, one of which may be a path: `python src/a.py`, `python:src/a.py`, `python title="src/a.py"`.
 */
function fenceParts(text: string): string[] {
  return [
    ...text.split(/[\s:]+/),
    ...[...text.matchAll(/=\s*["']?([^"'\s]+)/g)].map((match) => match[1] ?? ""),
  ];
}

function stripDecoration(text: string): string {
  return text.replace(decoration, "").replace(decoration, "");
}

function cleanPath(text: string): string | undefined {
  if (text.length === 0 || text.length > 400 || !pathShape.test(text)) return undefined;
  const path = text.replace(/^(?:\.\/)+/, "");
  return path === "" || /^[\d.]+$/.test(path) ? undefined : path;
}

export function isFence(line: string): boolean {
  return /^\s*(?:`{3,}|~{3,})[^`]*$/.test(line);
}

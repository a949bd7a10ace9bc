/** A file that the search by letters found: `parsval` finds `src/parser/validator.rs`. */

export interface FoundFile {
  readonly path: string;
  readonly score: number;
}

/**
 * Finds files whose path contains the letters of each word of the query, in the word's order. Returns at most `limit`
 * files, the best first.
 */
export function findFilesByName(paths: readonly string[], query: string, limit: number): FoundFile[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found: FoundFile[] = [];
  for (const path of paths) {
    const scores = words.map((word) => scoreWord(path, word));
    if (scores.every((score) => score > 0)) {
      found.push({ path, score: scores.reduce((sum, score) => sum + score, 0) / words.length });
    }
  }
  return found
    .sort((a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, limit);
}

/**
 * From 0 to 1: 1 for the whole file name; less for a part of the name or path, or for letters in order; 0 if a letter
 * is missing.
 */
function scoreWord(path: string, word: string): number {
  const lower = path.toLowerCase();
  const name = lower.slice(lower.lastIndexOf("/") + 1);
  if (lower === word || name === word || name.replace(/\.\w+$/, "") === word) return 1;
  if (lower.endsWith(`/${word}`)) return 0.98;
  if (name.startsWith(word)) return 0.9;
  if (name.includes(word)) return 0.8 + (0.1 * word.length) / name.length;
  if (lower.includes(word)) return 0.6 + (0.1 * word.length) / lower.length;
  return scoreLetters(path, lower, word);
}

/** Scores letters in order. Letters at the start of a segment or word count more, and so do adjacent letters. */
function scoreLetters(path: string, lower: string, word: string): number {
  let at = -1;
  let gain = 0;
  for (const letter of word) {
    const starts = nextStart(path, lower, letter, at + 1);
    const next = lower[at + 1] === letter ? at + 1 : starts === -1 ? lower.indexOf(letter, at + 1) : starts;
    if (next === -1) return 0;
    gain += next === at + 1 || next === starts ? 1 : 0.3;
    at = next;
  }
  return (0.5 * gain) / word.length;
}

function nextStart(path: string, lower: string, letter: string, from: number): number {
  for (let at = lower.indexOf(letter, from); at !== -1; at = lower.indexOf(letter, at + 1)) {
    if (at === 0 || /[/_.-]/.test(path[at - 1] ?? "") || /[A-Z]/.test(path[at] ?? "")) return at;
  }
  return -1;
}

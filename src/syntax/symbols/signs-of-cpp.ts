/**
 * Patterns of syntax that C++ has and C lacks. Millwright reads a `.h` file that matches one of them as C++, and any
 * other as C.
 */
const signs =
  /^\s*(?:class\s+\w+|namespace\b|template\s*<|using\s+\w|(?:public|private|protected)\s*:)|\b(?:std|boost)::|^\s*#\s*include\s*<[a-z_]+>/m;

const comment = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;

export function isCppHeader(text: string): boolean {
  return signs.test(text.slice(0, 200_000).replaceAll(comment, ""));
}

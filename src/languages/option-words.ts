/**
 * Leaves out the options whose names match, with their values: `-e name`, `--example=name`. A word that begins with `-`
 * is no value.
 */
export function withoutOptions<Word extends string | { readonly text: string }>(
  words: readonly Word[],
  names: RegExp,
): Word[] {
  const textOf = (word: Word | undefined): string =>
    typeof word === "string" ? word : word === undefined ? "" : word.text;
  return words.filter((word, at) => {
    const text = textOf(word);
    const isValue = names.test(textOf(words[at - 1])) && !text.startsWith("-");
    return !isValue && !names.test(text.split("=")[0] ?? "");
  });
}

/**
 * Wraps `ask`, and caches its answers about the last `most` pairs of trees. The answers stay valid, because trees never
 * change. Does not cache failures.
 */
export function rememberAnswers<T>(
  most: number,
  ask: (from: string, to: string) => Promise<T>,
): (from: string, to: string) => Promise<T> {
  const answers = new Map<string, Promise<T>>();
  return (from, to) => {
    const question = `${from} ${to}`;
    const known = answers.get(question);
    if (known !== undefined) return known;
    const answer = ask(from, to);
    answers.set(question, answer);
    answer.catch(() => answers.delete(question));
    const [oldest = ""] = answers.keys();
    if (answers.size > most) answers.delete(oldest);
    return answer;
  };
}

/** Names tests for readers: a common file and group appear once. */
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";

/** Lists tests as `file::Group.one, two`, with `; ` between different files or groups. */
export function listTests(keys: readonly TestKey[]): string {
  const groups = Map.groupBy(keys, (key) => formatTestKey(key).slice(0, -ownName(key).length));
  return [...groups].map(([group, own]) => `${group}${own.map(ownName).join(", ")}`).join("; ");
}

/** Returns the name of a test listed after the test `first`, without the beginning that both names share. */
export function nameAfter(first: TestKey, key: TestKey): string {
  const [one, other] = [formatTestKey(first), formatTestKey(key)];
  const group = one.slice(0, -ownName(first).length);
  const own = ownName(key);
  if (other === `${group}${own}`) return own;
  return first.target === key.target && first.package === key.package ? key.name : other;
}

/** Returns the test's name without its groups: `Suite > works` gives `works`. Ignores a separator at the end. */
export function ownName({ name }: TestKey): string {
  const plain = name.replace(/[[(].*$/s, "");
  const at = [" > ", " › ", "::", ".", "/"].reduce((end, mark) => {
    const found = plain.lastIndexOf(mark);
    const after = found + mark.length;
    return found > 0 && after < plain.length && !/^\s/.test(plain.slice(after)) ? Math.max(end, after) : end;
  }, 0);
  return name.slice(at);
}

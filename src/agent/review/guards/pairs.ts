/** Parses lists of names with aliases, as in imports. */

/** Splits a list such as `a, b as c` into pairs of a name and its local name: `a` and `a`, `b` and `c`. */
export function pairs(list: string, separator: RegExp): [name: string, as: string][] {
  return list.split(",").flatMap((each): [string, string][] => {
    const [name = "", as = name] = each.trim().split(separator);
    return /^[\w.]+$/.test(name) && /^\w+$/.test(as) ? [[name, as]] : [];
  });
}

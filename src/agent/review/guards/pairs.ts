/** Parses lists of names with aliases, as in imports. */

/** Splits `a, b as c` into names, each with its local name. */
export function pairs(list: string, separator: RegExp): [name: string, as: string][] {
  return list.split(",").flatMap((each): [string, string][] => {
    const [name = "", as = name] = each.trim().split(separator);
    return /^[\w.]+$/.test(name) && /^\w+$/.test(as) ? [[name, as]] : [];
  });
}

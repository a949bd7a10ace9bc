import type { PlaceCanary } from "../contract.ts";

/**
 * A canary in Rust: a module at the end of the target's root file (a library, a program or a test file). So it is part
 * of the target's binary, and needs no separate build.
 */
export const cargoCanary: PlaceCanary = async ({ beside, words, read }) => {
  const text = beside.target.endsWith(".rs") ? await read(beside.target) : undefined;
  if (text === undefined || beside.target.startsWith("doc:")) return undefined;
  const module = `
#[cfg(test)]
mod ${words.file} {
    #[test]
    fn ${words.fails}() {
        assert_eq!([1, 1].iter().sum::<i32>(), 3);
    }

    #[test]
    fn ${words.passes}() {
        assert_eq!([1, 1].iter().sum::<i32>(), 2);
    }
}
`;
  const key = { package: beside.package, target: beside.target };
  return {
    file: { path: beside.target, content: `${text.replace(/\n*$/, "\n")}${module}` },
    fails: { ...key, name: `${words.file}::${words.fails}` },
    passes: { ...key, name: `${words.file}::${words.passes}` },
  };
};

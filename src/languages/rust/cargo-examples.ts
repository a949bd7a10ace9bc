import type { PlaceExamples } from "../contract.ts";

/**
 * Places examples in a module at the end of the functions' own file. Undefined unless all functions are in one file in
 * `src`.
 */
export const cargoExamples: PlaceExamples = async ({ beside, words, read, calls }) => {
  const [first] = calls;
  const file = first?.file ?? "";
  const [, root = "", inside = ""] = /^((?:.*\/)?src\/)(.+)\.rs$/.exec(file) ?? [];
  const text = root === "" || calls.some((each) => each.file !== file) ? undefined : await read(file);
  if (text === undefined) return undefined;
  const isRoot = /^(?:lib|main)$/.test(inside);
  const modules = isRoot ? [] : inside.replace(/\/mod$/, "").split("/");
  const target = isRoot
    ? file
    : (await read(`${root}lib.rs`)) === undefined
      ? `${root}main.rs`
      : `${root}lib.rs`;
  const tests = calls.map(
    ({ text: call }, at) => `
    #[test]
    fn ${words.file}_${at}() {
        let value = format!("{:?}", ${call});
        panic!("${words.mark}:{}:", value.bytes().map(|byte| format!("{:02x}", byte)).collect::<String>());
    }
`,
  );
  const module = `
#[cfg(test)]
mod ${words.file} {
    use super::*;
${tests.join("")}}
`;
  const path = [...modules, words.file].join("::");
  return {
    files: [{ path: file, content: `${text.replace(/\n*$/, "\n")}${module}` }],
    tests: calls.map((_, at) => ({ package: beside.package, target, name: `${path}::${words.file}_${at}` })),
  };
};

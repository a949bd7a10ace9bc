import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import { hideTests } from "./hide-tests.ts";

const source = (name: string) => `pub fn ${name}() -> u8 {
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zone() {
        assert_eq!(${name}(), 1);
    }

    #[test]
    fn other() {}
}
`;
const files: Readonly<Record<string, string>> = {
  "src/lib.rs": `mod parse;\nmod print;\n${source("root")}`,
  "src/parse.rs": source("parse"),
  "src/print/mod.rs": source("print"),
};
const store = partOf<TreeStore>({
  list: async () => Object.keys(files).map((path) => ({ path, mode: "100644" })),
  read: async (_tree: string, path: string) => Buffer.from(files[path] ?? ""),
});
const key = (name: string) => ({ package: "", target: "src/lib.rs", name });

test.each([
  ["parse::tests::zone", "src/parse.rs"],
  ["print::tests::zone", "src/print/mod.rs"],
  ["tests::zone", "src/lib.rs"],
])("removes the unit test %s of a crate only from %s", async (name, path) => {
  const changes = await hideTests(store, "tree", [key(name)]);
  expect(changes?.map((change) => change.path)).toEqual([path]);
  expect(String(changes?.[0]?.content)).not.toContain("fn zone");
  expect(String(changes?.[0]?.content)).toContain("fn other");
});

test("removes unit tests of several files of a crate", async () => {
  const changes = await hideTests(store, "tree", [key("parse::tests::zone"), key("tests::zone")]);
  expect(changes?.map((change) => change.path)).toEqual(["src/lib.rs", "src/parse.rs"]);
  expect(await hideTests(store, "tree", [key("parse::tests::gone")])).toBeUndefined();
});

import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import type { TreeStore } from "../workspace/contract.ts";
import { readProject } from "./project-at.ts";
import { listRecipes } from "./recipes.ts";

const texts: Readonly<Record<string, string>> = {
  "Cargo.toml": "[workspace]\nmembers = ['core']\n",
  "core/Cargo.toml": '[dependencies]\nserde = "1"\n',
  "core/src/lib.rs": "",
};

test("crates that only a member of the workspace declares are fetched before the tests run", async () => {
  const store = partOf<TreeStore>({
    list: async () => Object.keys(texts).map((path) => ({ path, mode: "100644" })),
    read: async (_, path) => Buffer.from(texts[path] ?? ""),
  });
  const project = await readProject(store, "tree");
  expect(project.read("core/src/lib.rs")).toBeUndefined();
  expect(listRecipes(project, "rust", "2024-03-02T12:00:00Z")[0]?.name).toBe("crates fetched");
});

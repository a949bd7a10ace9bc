import { expect, test } from "vitest";
import { javaCanary } from "./java-canary.ts";

const words = { file: "abc", fails: "fails", passes: "passes" };
const files = ["src/test/java/shop/ShelfTest.java"];
const beside = { package: "", target: "shop.ShelfTest", name: "adds" };

test.each([
  ["import org.junit.jupiter.api.Test;", "org.junit.jupiter.api.Test"],
  ["import org.testng.annotations.*;", "org.testng.annotations.Test"],
  ["class ShelfTest {\n    @org.junit.Test(timeout = 3000)\n    public void adds() {}\n}", "org.junit.Test"],
])("writes a canary for the framework of %j", async (text, annotation) => {
  const canary = await javaCanary({ beside, words, files, read: async () => text });
  expect(canary?.file.path).toBe("src/test/java/shop/AbcTest.java");
  expect(canary?.file.content.toString()).toContain(`import ${annotation};`);
});

import { expect, test } from "vitest";
import { planLayers } from "./image-recipe.ts";

function namesOf(step: string, version: string, script = ""): string[] {
  const files = new Map([["install.sh", Buffer.from(script)]]);
  const base = { name: "base", id: "1", variables: { MILLWRIGHT_VERSION: version, OTHER: version } };
  const recipe = { base: "base", steps: [step, "echo 2"] };
  return planLayers(recipe, [files], base, (hash) => hash).map(({ name }) => name);
}

test("a layer's name depends on the variables that its step or the step's files name", () => {
  expect(namesOf("echo 1", "1.0")).toEqual(namesOf("echo 1", "2.0"));
  expect(namesOf("pip install a==$MILLWRIGHT_VERSION", "1.0")).not.toEqual(
    namesOf("pip install a==$MILLWRIGHT_VERSION", "2.0"),
  );
  const script = ["sh install.sh", "1.0", "echo $MILLWRIGHT_VERSION"] as const;
  const [first, second] = namesOf(...script);
  const [otherFirst, otherSecond] = namesOf("sh install.sh", "2.0", "echo $MILLWRIGHT_VERSION");
  expect(first).not.toBe(otherFirst);
  expect(second).not.toBe(otherSecond);
});

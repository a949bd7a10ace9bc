import type { TestCommand, TestFramework } from "./contract.ts";

/** Finds the framework of a command by its name. Throws Error if no framework has this name. */
export function findFramework(
  frameworks: readonly TestFramework[],
  command: Pick<TestCommand, "framework">,
): TestFramework {
  const framework = frameworks.find((each) => each.name === command.framework);
  if (framework === undefined) throw new Error(`there is no framework ${command.framework}`);
  return framework;
}

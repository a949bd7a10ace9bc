import type { TestCommand, TestFramework } from "./contract.ts";

/** The framework for which a command was found. Throws Error if the list has none of its name. */
export function findFramework(
  frameworks: readonly TestFramework[],
  command: Pick<TestCommand, "framework">,
): TestFramework {
  const framework = frameworks.find((each) => each.name === command.framework);
  if (framework === undefined) throw new Error(`no framework ${command.framework}`);
  return framework;
}

/** Tells authors of tests what a `cargo test` command builds. Pure. */
import { posix } from "node:path";
import { groupArguments, readCargoCommand } from "./cargo-command.ts";
import { foreign } from "./cargo-detect.ts";

/**
 * Returns the features of the build, and how the tests of one package of a workspace run; undefined for another
 * command.
 */
export function describeCargo(command: string, files: readonly string[]): string | undefined {
  const call = readCargoCommand(command);
  if (call === undefined) return undefined;
  const groups = groupArguments(call.args);
  const has = (name: string): boolean => groups.some(([first]) => first === name);
  const named = groups
    .flatMap(([first = "", value = ""]) =>
      /^(?:--features|-F)$/.test(first)
        ? value.split(/[\s,]+/)
        : (/^(?:--features=|-F)(.+)$/.exec(first)?.[1]?.split(/[\s,]+/) ?? []),
    )
    .filter((name) => name !== "");
  const usual = has("--no-default-features") ? "without the default features" : "with the default features";
  const more =
    named.length === 0
      ? ""
      : ` ${has("--no-default-features") ? "but with" : "and"} ${named.map((name) => `\`${name}\``).join(", ")}`;
  const built = has("--all-features") ? "with all features" : `${usual}${more}`;
  const packages = files.filter((path) => posix.basename(path) === "Cargo.toml" && !foreign.test(path));
  const members =
    packages.length < 2
      ? ""
      : " Millwright runs a test file of one package of the workspace with `-p PACKAGE` and the command's other options.";
  return `The command builds ${built}.${members}`;
}

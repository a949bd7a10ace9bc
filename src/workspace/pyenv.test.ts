import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { pathBeforeShims } from "./pyenv.ts";

let home: string;
let checkout: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "millwright-pyenv-"));
  for (const version of ["3.11.7", "3.12.1"])
    mkdirSync(join(home, ".pyenv/versions", version, "bin"), { recursive: true });
  writeFileSync(join(home, ".pyenv/version"), "3.11.7\n");
  checkout = join(home, "checkout");
  mkdirSync(checkout);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** The version's programs that come before the shims, in a PATH with a virtual environment in front. */
function chosen(more: Readonly<Record<string, string>> = {}, files: string[] = []): string | undefined {
  const shims = join(home, ".pyenv/shims");
  const path = pathBeforeShims({ HOME: home, PATH: `/venv/bin:${shims}:/usr/bin`, ...more }, checkout, files);
  const [first, before, ...rest] = path.split(":");
  expect(first).toBe("/venv/bin");
  if (before === shims) return undefined;
  expect(rest).toEqual([shims, "/usr/bin"]);
  return before?.slice(join(home, ".pyenv/versions/").length);
}

test("the version is the variable's, the project's, or the user's", () => {
  expect(chosen()).toBe("3.11.7/bin");
  writeFileSync(join(checkout, ".python-version"), "# ours\n3.12.1  # the newest\n");
  expect(chosen()).toBe("3.12.1/bin");
  expect(chosen({ PYENV_VERSION: "3.11.7" })).toBe("3.11.7/bin");
  expect(chosen({ PYENV_ROOT: "/elsewhere" })).toBeUndefined();
});

test("pyenv chooses where it must: several versions, a part of one, one that is not installed, a folder's own", () => {
  for (const text of ["3.12.1\n3.11.7\n", "3.12\n", "3.9.0\n", "system\n", "../../bin\n", ""]) {
    writeFileSync(join(checkout, ".python-version"), text);
    expect(chosen(), text).toBeUndefined();
  }
  writeFileSync(join(checkout, ".python-version"), "3.12.1");
  expect(chosen({}, [".python-version", "tools/.python-version"])).toBeUndefined();
  rmSync(join(checkout, ".python-version"));
  symlinkSync("/dev/zero", join(checkout, ".python-version"));
  expect(chosen()).toBeUndefined();
});

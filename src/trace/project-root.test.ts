import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findProjectRoot } from "./project-root.ts";

function rootOf(files: Readonly<Record<string, string>>, target: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "project-root-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries({ "repo/.git/HEAD": "", [`${target}/.keep`]: "", ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return findProjectRoot(join(folder, target)).slice(folder.length + 1);
}

test("a member needs its workspace, a crate beside others the repository, and a project alone itself", () => {
  expect(rootOf({ "repo/Cargo.toml": "[workspace]\nmembers = ['a']" }, "repo/a")).toBe("repo");
  expect(rootOf({ "repo/js/package.json": '{ "workspaces": ["*"] }' }, "repo/js/a/b")).toBe("repo/js");
  expect(rootOf({ "repo/x/a/Cargo.toml": '[dependencies]\nb = { path = "../b" }' }, "repo/x/a")).toBe("repo");
  expect(rootOf({ "repo/a/Cargo.toml": "[package]" }, "repo/a")).toBe("repo/a");
  expect(rootOf({ "Cargo.toml": "[workspace]" }, "repo/a")).toBe("repo/a");
  expect(rootOf({ "Cargo.toml": "[workspace]" }, "elsewhere/a")).toBe("elsewhere/a");
});

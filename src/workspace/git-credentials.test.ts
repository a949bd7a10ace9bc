import { expect, test } from "vitest";
import { stripCredentials } from "./git-credentials.ts";

test("a configuration keeps all but what is secret", () => {
  const config = [
    "[core]",
    "\tbare = false",
    "\tworktree = ../../elsewhere",
    '[remote "origin"]',
    "\turl = https://ghp_secretsecret@github.com/a/b.git",
    "\tpushurl = https://me:hunter2@example.org/a/b.git",
    "\tfetch = +refs/heads/*:refs/remotes/origin/*",
    '[remote "other"]',
    "\turl = ssh://git@example.org/a/b.git",
    '[url "https://x:y@example.org/"]',
    "\tinsteadOf = gh:",
    '[http "https://example.org/"]',
    "\textraHeader = Authorization: Basic \\",
    "\t  c2VjcmV0",
    "\tsslVerify = true",
    "[credential]",
    "\thelper = store --file ~/.secret",
    '[credential "https://example.org"]',
    "\tusername = me",
    "[sendemail] smtpPass = hunter2",
    "[user]",
    "\tname = Somebody",
  ];
  expect(stripCredentials(config.join("\n")).split("\n")).toEqual([
    "[core]",
    "\tbare = false",
    '[remote "origin"]',
    "\turl = https://github.com/a/b.git",
    "\tpushurl = https://example.org/a/b.git",
    "\tfetch = +refs/heads/*:refs/remotes/origin/*",
    '[remote "other"]',
    "\turl = ssh://git@example.org/a/b.git",
    '[url "https://example.org/"]',
    "\tinsteadOf = gh:",
    '[http "https://example.org/"]',
    "\tsslVerify = true",
    "[sendemail]",
    "[user]",
    "\tname = Somebody",
  ]);
});

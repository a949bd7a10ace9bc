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
    "\tname = Somebody # glpat-1",
    "# token = glpat-2",
    "[http]",
    "\tproxy = me:hunter2@proxy.example.org",
    "[core] sshCommand = sshpass -p hunter2 ssh",
    "[alias]",
    "\tup = !curl -H 'X-Key: hunter2' https://example.org",
    "[github]",
    "\tapikey = hunter2",
    "[include]",
    "\tpath = more",
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
    "[user]",
    "\tname = Somebody",
    "",
  ]);
});

const key = "k3y-9f8e7d6c5b4a";

test.each([
  `[http "a]b"] extraHeader = A: ${key}`,
  `[http "a\\"b]c"]\n\textraHeader = A: ${key}`,
  `[remote "o"]\n\turl = "https://""u:${key}""@h"`,
  `[remote "o"]\n\turl = https:\\\n//u:${key}@h`,
  `[remote "o"]\n\turl = u:${key}@h:x.git`,
  `[remote "o"]\n\turl = https://h/?sig=${key}\n\turl = https://h/#auth=${key}`,
  `[remote "o"]\n\turl = "a" # ${key}`,
  `[remote "x"]\n\tuploadpack = ssh ${key}`,
  `[submodule "s"]\n\tupdate = !echo ${key}`,
  `[branch "x"]\n\tdescription = token ${key}`,
  `[lfs "customtransfer.x"]\n\targs = ${key}`,
  `[user]\n\tname = a;${key}`,
  `[core]\n\tnew-key = ${key}`,
  `\ufeff[credential]\n\thelper = ${key}`,
  `[credential] ; [core]\n\tbare = ${key}`,
])("nothing is left of a key in %j", (config) => {
  expect(stripCredentials(config)).not.toContain(key);
});

test("values keep their meaning, and a second pass changes nothing", () => {
  const config = [
    '[remote "a\\\\b\\"c"]',
    '\turl = "x # y"  ; comment',
    "\tfetch = +refs/heads/*: \\",
    "refs/remotes/o/*",
    "[core]",
    "\tbare",
    "\tignorecase=false",
    '[user] name = A "B" \\t C\r',
    "[branch.main]",
    "\tremote = o",
    "",
  ];
  const clean = stripCredentials(config.join("\n"));
  expect(clean.split("\n")).toEqual([
    '[remote "a\\\\b\\"c"]',
    '\turl = "x # y"',
    "\tfetch = +refs/heads/*: refs/remotes/o/*",
    "[core]",
    "\tbare",
    "\tignorecase = false",
    "[user]",
    '\tname = "A B \\t C"',
    '[branch "main"]',
    "\tremote = o",
    "",
  ]);
  expect(stripCredentials(clean)).toBe(clean);
});

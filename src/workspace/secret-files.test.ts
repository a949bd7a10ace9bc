import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findSecrets } from "./secret-files.ts";

test.each([
  [".dev.vars", "T=1\n", true],
  [".secrets", "T=1\n", true],
  ["kubeconfig.yaml", "token: 1\n", true],
  [".bash_history", "export T=1\n", true],
  ["token.json", "{}\n", true],
  [".claude/settings.local.json", '{ "env": { "OPENAI_API_KEY": "1" } }\n', true],
  ["application-local.properties", "db.password=1\n", true],
  ["application-local.properties", "server.port=1\n", false],
  [".idea/dataSources.local.xml", "<secret>1</secret>\n", true],
  ["kubeconfig.example", "token: 1\n", false],
  ["tokens.py", "x = 1\n", false],
  ["secrets/token", "abc\n", true],
  ["deploy/secrets/keys.yaml", "a: b\n", true],
  ["secret/prod/db.conf", "a\n", true],
  ["secrets/.token", "a\n", true],
  ["pkg/secrets/deep/store.go", "package deep\n", false],
  ["src/secrets/index.ts", "export {};\n", false],
  [".vscode/settings.json", '{ "rest.token": "1" }\n', true],
  [".vscode/settings.json", '{ "editor.tabSize": 2 }\n', false],
  ["id_rsa.bak", "key\n", true],
  ["id_ed25519_sk", "key\n", true],
  ["AuthKey_AB12.p8", "key\n", true],
  ["server.key.bak", "key\n", true],
  [".env.old~", "T=1\n", true],
  [".claude/.credentials.json", "{}\n", true],
  ["application_default_credentials.json", "{}\n", true],
  ["aws-credentials", "a\n", true],
  ["accessKeys.csv", "a,b\n", true],
  ["rootkey.csv", "a,b\n", true],
  [".vault_pass", "a\n", true],
  [".mylogin.cnf", "a\n", true],
  [".my.cnf", "[client]\npassword=a\n", true],
  [".databrickscfg", "[DEFAULT]\ntoken = a\n", true],
  [".mcp.json", '{ "env": { "API_KEY": "a" } }\n', true],
  [".mcp.json", '{ "command": "npx" }\n', false],
  [".npmrc.bak", "//registry/:_authToken=a\n", true],
  [".npmrc.bak", "save-exact=true\n", false],
  ["docs/credentials.md", "How to log in\n", false],
  ["src/credentials.ts", "export {};\n", false],
  ["src/default_credentials.py", "x = 1\n", false],
  ["public-keys.csv", "a,b\n", false],
  ["notes.bak", "a\n", false],
])("%s with %j holds a key: %s", (path, text, isSecret) => {
  const folder = mkdtempSync(join(tmpdir(), "secret-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  expect(findSecrets(folder, [path], []).size).toBe(isSecret ? 1 : 0);
});

import { expect, test } from "vitest";
import { addressOnHost, readForgeAddress, repositoryOf } from "./address.ts";

test.each([
  ["github", "git@github.com:acme/ledger.git", "https://github.com/acme/ledger"],
  ["github", "https://ada:secret@github.com/acme/ledger.git", "https://github.com/acme/ledger"],
  [
    "gitlab",
    "ssh://git@git.example.com:2222/group/sub/ledger.git",
    "https://git.example.com/group/sub/ledger",
  ],
  ["gitea", "http://localhost:3000/acme/ledger", "http://localhost:3000/acme/ledger"],
  ["gitea=https://example.com/git/acme/ledger/", undefined, "https://example.com/git/acme/ledger"],
])("%s with the remote %s is %s", (text, remote, url) => {
  const address = readForgeAddress(text, remote);
  expect(address.url).toBe(url);
  expect(repositoryOf(address)).toMatch(/(?:^|\/)ledger$/);
});

test.each([
  ["github", undefined],
  ["github", "/home/ada/ledger"],
  ["github=https://github.com/acme", undefined],
  ["github=ledger", "git@github.com:acme/ledger.git"],
  ["bitbucket", "git@bitbucket.org:acme/ledger.git"],
])("%s with the remote %s is refused", (text, remote) => {
  expect(() => readForgeAddress(text, remote)).toThrow(expect.objectContaining({ code: "usage" }));
});

test.each([
  ["github", "https://github.com", "https://github.com/acme/ledger", true],
  ["gitea", "https://example.com/git", "https://example.com/git/acme/ledger", true],
  ["gitea", "https://example.com/git", "https://example.com/acme/ledger", false],
  ["gitea", "https://example.com", "http://example.com/acme/ledger", false],
  ["gitlab", "https://git.example.com", "https://other.example.com/acme/ledger", false],
  ["gitlab", "https://git.example.com", "https://git.example.com/acme", false],
  ["gitlab", "https://git.example.com", "acme/ledger", false],
])("a repository that %s at %s names is on that host: %s %s", (host, url, page, isOnHost) => {
  expect(addressOnHost({ host, url }, page)).toEqual(isOnHost ? { host, url: page } : undefined);
});

import { posix } from "node:path";
import { capitalised } from "../canary-file.ts";
import type { PlaceCanary } from "../contract.ts";

/** A canary in Go: a file in the target's package, with the target's build tags. */
export const goCanary: PlaceCanary = async ({ beside, words, read }) => {
  const text = (await read(beside.target)) ?? "";
  const [, name] = /^package\s+(\w+)/m.exec(text) ?? [];
  if (name === undefined) return undefined;
  const tags = text.split(/^package\s/m)[0]?.match(/^\/\/(?:go:build| \+build).*$/gm) ?? [];
  const [fails, passes] = [words.fails, words.passes].map((word) => `Test${capitalised(word)}`);
  const body = (expected: number): string =>
    `\tsum := len([]int{1, 1})\n\tif sum != ${expected} {\n\t\tt.Errorf("%d", sum)\n\t}\n`;
  const content = `${tags.map((tag) => `${tag}\n`).join("")}${tags.length > 0 ? "\n" : ""}package ${name}

import "testing"

func ${fails}(t *testing.T) {
${body(3)}}

func ${passes}(t *testing.T) {
${body(2)}}
`;
  // `_linux_test.go` only builds on one system.
  const path = posix.join(posix.dirname(beside.target), `${words.file}_test.go`);
  const key = { package: beside.package, target: path };
  return {
    file: { path, content },
    fails: { ...key, name: fails ?? "" },
    passes: { ...key, name: passes ?? "" },
  };
};

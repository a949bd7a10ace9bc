import { posix } from "node:path";
import { capitalised } from "../canary-file.ts";
import type { PlaceExamples } from "../contract.ts";

/** Places examples in a file of the functions' own package. Undefined if the functions are in several folders. */
export const goExamples: PlaceExamples = async ({ beside, words, read, calls }) => {
  const [first] = calls;
  const folder = posix.dirname(first?.file ?? "");
  const own = calls.filter(({ file }) => file.endsWith(".go") && posix.dirname(file) === folder);
  const [, name] = /^package\s+(\w+)/m.exec((first && (await read(first.file))) ?? "") ?? [];
  if (name === undefined || own.length !== calls.length) return undefined;
  const word = capitalised(words.file);
  const tests = calls.map(
    ({ text }, at) => `
func Test${word}${at}(t *testing.T) {
	value, err := json.Marshal(${unqualified(text, name)})
	if err != nil {
		t.Fatal(err)
	}
	t.Fatalf("${words.mark}:%x:", value)
}
`,
  );
  const content = `package ${name}

import (
	"encoding/json"
	"testing"
)
${tests.join("")}`;
  const path = posix.join(folder, `${words.file}_test.go`);
  const key = { package: beside.package, target: path };
  return { files: [{ path, content }], tests: calls.map((_, at) => ({ ...key, name: `Test${word}${at}` })) };
};

/** The call without the package's qualifier, which a function does not need inside its package. */
function unqualified(call: string, name: string): string {
  return call.startsWith(`${name}.`) ? call.slice(name.length + 1) : call;
}

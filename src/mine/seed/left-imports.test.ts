import { expect, test } from "vitest";
import { withoutLeftImports } from "./left-imports.ts";

const text = [
  ...["package fee", "", "import (", '\t"fmt"', '\tr "reflect"', '\t"gopkg.in/yaml.v3"', '\t_ "embed"'],
  ...['\t"testing"', '\t"odd/go-name"', ")", "", "func TestA(t *testing.T) { fmt.Println(1) }", ""],
].join("\n");
const removed = "func TestB(t *testing.T) { r.DeepEqual(1, 2); yaml.Marshal(1); fmt.Println(name.X) }";

test("removes imports that only the removed code uses, by package name or alias", async () => {
  const rest = await withoutLeftImports("fee_test.go", text, removed);
  expect(rest).toBe(text.replace('\tr "reflect"\n\t"gopkg.in/yaml.v3"\n', ""));
  expect(await withoutLeftImports("fee_test.go", text, "func TestB() {}")).toBe(text);
  expect(await withoutLeftImports("fee.py", "import fmt\n", "fmt.x()")).toBe("import fmt\n");
});

test("a file may lose its only import", async () => {
  const only = 'package fee\n\nimport "testing"\n\nconst fee = 1\n';
  expect(await withoutLeftImports("fee_test.go", only, "func TestA(t *testing.T) {}")).toBe(
    "package fee\n\n\nconst fee = 1\n",
  );
});

import { expect, it } from "vitest";
import { fileKindOf } from "./file-kind.ts";

it("tells by its path what a file is to somebody who looks for the place of a change", () => {
  const kinds = {
    "src/types/observable.ts": "source",
    "lib/adapters/http.js": "source",
    "docs/conf.py": "document",
    "docs/theme.js": "document",
    "docs/guide.md": "document",
    "sandbox/client.js": "example",
    "src/sandbox/mounts.ts": "source",
    "examples/one.rs": "example",
    "dist/axios.min.js": "generated",
    "Cargo.lock": "generated",
    "test/unit/http.js": "test",
    "setup.py": "configuration",
    ".github/workflows/ci.yml": "configuration",
  };
  expect(Object.fromEntries(Object.keys(kinds).map((path) => [path, fileKindOf(path)]))).toEqual(kinds);
});

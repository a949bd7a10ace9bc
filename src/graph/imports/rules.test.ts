/** Resolves imports on real folders: each row has its files, the importing file, the import, and its target. */
import { describe, expect, it } from "vitest";
import { makePlayground } from "../../../tests/graph-fixtures.ts";

interface Row {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  /** The importing file, and the files that it imports, in order. */
  readonly from: string;
  readonly to: readonly string[];
}

const py = "def f():\n    pass\n";
const ts = "export function f() {}\n";

const rows: readonly Row[] = [
  {
    what: "Python: the package's own root, relative dots, and a submodule as a name",
    files: {
      "lib/pkg/__init__.py": "",
      "lib/pkg/a.py": py,
      "lib/pkg/sub/__init__.py": "",
      "lib/pkg/sub/b.py": py,
      "lib/pkg/sub/c.py": "from pkg.a import f\nfrom .. import a\nfrom . import b\nimport os.path\n",
    },
    from: "lib/pkg/sub/c.py",
    to: ["lib/pkg/a.py", "lib/pkg/sub/b.py"],
  },
  {
    what: "Python: a source folder, from tests beside it",
    files: {
      "src/pkg/__init__.py": "from .core import f\n",
      "src/pkg/core.py": py,
      "tests/test_core.py": "from pkg import f\nimport pkg.core\n",
    },
    from: "tests/test_core.py",
    to: ["src/pkg/__init__.py", "src/pkg/core.py"],
  },
  {
    what: "TypeScript: emitted names, index files, paths of tsconfig.json with comments",
    files: {
      "tsconfig.json":
        '{ // paths\n "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["app/*"], }, } }',
      "app/a.ts": ts,
      "app/b/index.ts": ts,
      "app/c.tsx": ts,
      "app/main.ts":
        'import { f } from "./a.js";\nimport { f as g } from "./b";\nimport { f as h } from "@/c";\nimport fs from "node:fs";\n',
    },
    from: "app/main.ts",
    to: ["app/a.ts", "app/b/index.ts", "app/c.tsx"],
  },
  {
    what: "JavaScript: a package of the workspace by its name and its exports, whose built files are not there",
    files: {
      "packages/core/package.json":
        '{ "name": "@shop/core", "main": "dist/index.js", "exports": { ".": "./dist/index.js", "./cart": { "import": "./dist/cart.mjs" } } }',
      "packages/core/src/index.ts": ts,
      "packages/core/src/cart.ts": ts,
      "packages/web/main.js":
        'import { f } from "@shop/core";\nconst cart = require("@shop/core/cart");\nimport x from "left-pad";\n',
    },
    from: "packages/web/main.js",
    to: ["packages/core/src/cart.ts", "packages/core/src/index.ts"],
  },
  {
    what: "Rust: crate, super, self, another crate of the workspace, and mod",
    files: {
      "Cargo.toml": '[workspace]\nmembers = ["one", "two-words"]\n',
      "one/Cargo.toml": '[package]\nname = "one"\n',
      "one/src/lib.rs": "mod a;\nmod b;\n",
      "one/src/a.rs": "pub fn f() {}\n",
      "one/src/b/mod.rs": "pub mod c;\npub fn g() {}\n",
      "one/src/b/c.rs": "use crate::a::f;\nuse super::g;\nuse two_words::h;\nuse std::fmt;\n",
      "two-words/Cargo.toml": '[package]\nname = "two-words"\n',
      "two-words/src/lib.rs": "pub fn h() {}\n",
    },
    from: "one/src/b/c.rs",
    to: ["one/src/a.rs", "one/src/b/mod.rs", "two-words/src/lib.rs"],
  },
  {
    what: "Go: the module's path and a folder below it",
    files: {
      "go.mod": "module example.com/shop\n",
      "cart/cart.go": "package cart\n\nfunc Add() {}\n",
      "main.go":
        'package main\n\nimport (\n\t"fmt"\n\t"example.com/shop/cart"\n)\n\nfunc main() { cart.Add(); fmt.Println() }\n',
    },
    from: "main.go",
    to: ["cart/cart.go"],
  },
  {
    what: "Java and Kotlin: classes by package, each other's too",
    files: {
      "src/shop/Cart.java": "package shop;\npublic class Cart {}\n",
      "src/web/Main.kt": "package web\n\nimport shop.Cart\nimport java.util.List\n\nfun main() { Cart() }\n",
    },
    from: "src/web/Main.kt",
    to: ["src/shop/Cart.java"],
  },
  {
    what: "C: beside the file first, else by the end of the path",
    files: {
      "include/shop/cart.h": "int add(int a);\n",
      "src/util.h": "int one(void);\n",
      "src/main.c": '#include "util.h"\n#include <shop/cart.h>\n#include <stdio.h>\n',
    },
    from: "src/main.c",
    to: ["include/shop/cart.h", "src/util.h"],
  },
  {
    what: "Lua: dots are folders, of a search path that is not written",
    files: {
      "lua/shop/cart.lua": "return {}\n",
      "lua/shop/init.lua": "return {}\n",
      "spec/cart_spec.lua": 'local cart = require("shop.cart")\nlocal shop = require "shop"\n',
    },
    from: "spec/cart_spec.lua",
    to: ["lua/shop/cart.lua", "lua/shop/init.lua"],
  },
];

describe("imports", () => {
  it.each(rows)("$what", async ({ files, from, to }) => {
    const graph = makePlayground(files).open();
    await graph.refresh();
    const imports = graph.outgoing(graph.file(from)?.id ?? 0, ["imports"]);
    const reached = new Set(imports.map((relation) => relation.to.path));
    expect([...reached].sort()).toEqual(to);
  });
});

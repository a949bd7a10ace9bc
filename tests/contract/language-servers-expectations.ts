/** The same program in each language: what its server must say. Lines are those of `tests/fixtures/repos/lsp-LANGUAGE`. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface NamedPlace {
  readonly path: string;
  readonly line: number;
  readonly name: string;
}

export interface Expectation {
  readonly repository: string;
  /** What a build would have made. */
  readonly prepare?: (folder: string) => Promise<void>;
  /** A use of `area`, and where it is defined. */
  readonly use: NamedPlace;
  readonly definition: { readonly path: string; readonly line: number };
  /** A use of the standard library, and where that lies. */
  readonly standard: {
    readonly use: NamedPlace;
    readonly path: RegExp;
    /** False where the library's sources are not installed. Default: they are. */
    readonly isHere?: () => boolean;
  };
  /** The definition of the function that tells the area of a circle, and the line of `use.path` where it is called. */
  readonly callee: NamedPlace;
  readonly calleeUsedAt: number;
  readonly caller: NamedPlace;
  /** In the callee's file. */
  readonly symbols: readonly string[];
  readonly calls?: "callers" | "both";
  /** A type with `Shape` above it or below. */
  readonly types?: NamedPlace;
  readonly mistake: {
    readonly path: string;
    readonly line: number;
    readonly right: string;
    readonly wrong: string;
    readonly message: RegExp;
  };
}

/** The component rust-src. */
function hasRustSources(): boolean {
  const { stdout } = spawnSync("rustc", ["--print", "sysroot"], { encoding: "utf8" });
  return existsSync(join((stdout ?? "").trim(), "lib/rustlib/src/rust/library"));
}

export const expectations: Readonly<Record<string, Expectation>> = {
  pyright: {
    repository: "lsp-python",
    use: { path: "main.py", line: 7, name: "area" },
    definition: { path: "shapes.py", line: 15 },
    standard: { use: { path: "main.py", line: 11, name: "dumps" }, path: /json\/__init__\.pyi?$/m },
    callee: { path: "shapes.py", line: 19, name: "circle_area" },
    calleeUsedAt: 7,
    caller: { path: "main.py", line: 6, name: "total" },
    symbols: ["Shape", "Square", "area", "circle_area"],
    calls: "both",
    mistake: {
      path: "main.py",
      line: 7,
      right: "circle_area(1.0)",
      wrong: "circel_area(1.0)",
      message: /circel_area/,
    },
  },
  typescript: {
    repository: "lsp-typescript",
    use: { path: "src/main.ts", line: 4, name: "area" },
    definition: { path: "src/shapes.ts", line: 13 },
    standard: { use: { path: "src/main.ts", line: 9, name: "stringify" }, path: /lib\.es5\.d\.ts$/m },
    callee: { path: "src/shapes.ts", line: 19, name: "circleArea" },
    calleeUsedAt: 5,
    caller: { path: "src/main.ts", line: 3, name: "total" },
    symbols: ["Shape", "Square", "area", "circleArea"],
    calls: "both",
    mistake: {
      path: "src/main.ts",
      line: 5,
      right: "circleArea(1)",
      wrong: 'circleArea("1")',
      message: /not assignable/,
    },
  },
  gopls: {
    repository: "lsp-go",
    use: { path: "main.go", line: 12, name: "Area" },
    definition: { path: "shapes/shapes.go", line: 17 },
    standard: { use: { path: "main.go", line: 18, name: "Println" }, path: /src\/fmt\/print\.go$/m },
    callee: { path: "shapes/shapes.go", line: 22, name: "CircleArea" },
    calleeUsedAt: 10,
    caller: { path: "main.go", line: 9, name: "total" },
    symbols: ["Shape", "Square", "Area", "CircleArea"],
    calls: "both",
    types: { path: "shapes/shapes.go", line: 12, name: "Square" },
    mistake: {
      path: "main.go",
      line: 10,
      right: "CircleArea(1)",
      wrong: "CircelArea(1)",
      message: /CircelArea/,
    },
  },
  clangd: {
    repository: "lsp-cpp",
    async prepare(folder) {
      const commands = ["main.cpp", "shapes.cpp"].map((file) => ({
        directory: folder,
        file,
        arguments: ["c++", "-std=c++17", "-c", file],
      }));
      await writeFile(join(folder, "compile_commands.json"), JSON.stringify(commands));
    },
    use: { path: "main.cpp", line: 4, name: "area" },
    definition: { path: "shapes.cpp", line: 3 },
    standard: { use: { path: "main.cpp", line: 6, name: "abs" }, path: /(std_abs|stdlib)\.h$/m },
    callee: { path: "shapes.cpp", line: 5, name: "circle_area" },
    calleeUsedAt: 4,
    caller: { path: "main.cpp", line: 4, name: "total" },
    symbols: ["area", "circle_area"],
    calls: "callers",
    types: { path: "shapes.hpp", line: 10, name: "Square" },
    mistake: {
      path: "main.cpp",
      line: 4,
      right: "circle_area(1)",
      wrong: "circel_area(1)",
      message: /circel_area/,
    },
  },
  "rust-analyzer": {
    repository: "lsp-rust",
    use: { path: "src/main.rs", line: 7, name: "area" },
    definition: { path: "src/shapes.rs", line: 11 },
    standard: {
      use: { path: "src/main.rs", line: 12, name: "insert" },
      path: /hash\/map\.rs$/m,
      isHere: hasRustSources,
    },
    callee: { path: "src/shapes.rs", line: 17, name: "circle_area" },
    calleeUsedAt: 7,
    caller: { path: "src/main.rs", line: 6, name: "total" },
    symbols: ["Shape", "Square", "area", "circle_area"],
    calls: "both",
    mistake: {
      path: "src/main.rs",
      line: 7,
      right: "circle_area(1.0)",
      wrong: "circle_area()",
      message: /expected 1 argument/,
    },
  },
  jdtls: {
    repository: "lsp-java",
    use: { path: "src/main/java/shapes/Main.java", line: 9, name: "area" },
    definition: { path: "src/main/java/shapes/Square.java", line: 11 },
    standard: {
      use: { path: "src/main/java/shapes/Main.java", line: 15, name: "println" },
      path: /PrintStream/,
    },
    callee: { path: "src/main/java/shapes/Square.java", line: 16, name: "circleArea" },
    calleeUsedAt: 7,
    caller: { path: "src/main/java/shapes/Main.java", line: 6, name: "total" },
    symbols: ["Square", "area", "circleArea"],
    calls: "both",
    mistake: {
      path: "src/main/java/shapes/Main.java",
      line: 7,
      right: "circleArea(1)",
      wrong: "circelArea(1)",
      message: /circelArea/,
    },
  },
  lua: {
    repository: "lsp-lua",
    use: { path: "main.lua", line: 6, name: "area" },
    definition: { path: "shapes.lua", line: 14 },
    standard: { use: { path: "main.lua", line: 11, name: "format" }, path: /string/ },
    callee: { path: "shapes.lua", line: 23, name: "circle_area" },
    calleeUsedAt: 4,
    caller: { path: "main.lua", line: 3, name: "total" },
    symbols: ["area", "circle_area"],
    mistake: { path: "main.lua", line: 4, right: "circle_area(1)", wrong: "circle_area(1))", message: /./ },
  },
};

import { describe, expect, test } from "vitest";
import { parseInstrument, resolveSpecs } from "./trace-spec.ts";

describe("what is asked to be traced", () => {
  test.each([
    ["src/output/usage.rs:create,Usage::*", "src/output/usage.rs", ["create", "Usage::*"]],
    ["**/*.rs:*", "**/*.rs", ["*"]],
    ["./a.py", "a.py", ["*"]],
    ["a.rs:<Map<K, V> as Read>::get, put", "a.rs", ["<Map<K, V> as Read>::get", "put"]],
    ["a.rs:Type::new", "a.rs", ["Type::new"]],
    ["größe.py:wähle", "größe.py", ["wähle"]],
  ])("%s", (text, path, names) => {
    expect(parseInstrument(text)).toEqual({ path, names });
  });

  test.each(["", ":parse", "a.rs:", "a.rs:,"])("%j is refused, with an example", (text) => {
    expect(() => parseInstrument(text)).toThrow(/PATH:NAME/);
  });

  const files = ["src/lib.rs", "src/parse/mod.rs", "tests/a.py"];

  test("globs become files, and a file that is named twice has all names", () => {
    const specs = [parseInstrument("src/**/*.rs:*"), parseInstrument("src/lib.rs:run")];
    expect(resolveSpecs(specs, files)).toEqual([
      { path: "src/lib.rs", names: ["*", "run"] },
      { path: "src/parse/mod.rs", names: ["*"] },
    ]);
  });

  test("a path that is not there gets the nearest ones; a folder's name is found by its file", () => {
    const hintOf = (path: string): string | undefined => {
      try {
        resolveSpecs([{ path, names: ["*"] }], files);
      } catch (error) {
        return (error as { hint?: string }).hint;
      }
      return undefined;
    };
    expect(hintOf("src/lob.rs")).toBe("Nearest: src/lib.rs");
    expect(hintOf("parse/mod.rs")).toBe("Nearest: src/parse/mod.rs");
    expect(hintOf("parse.rs")).toBe("Nearest: src/parse/mod.rs");
    expect(hintOf("src/lib/mod.rs")).toBe("Nearest: src/lib.rs");
    expect(hintOf("src/parse/")).toBe("To trace the files in it, use a glob: 'src/parse/**:NAMES'.");
    expect(() => resolveSpecs([{ path: "**/*.go", names: ["*"] }], files)).toThrow(
      /None of the target's files \(3\)/,
    );
  });
});

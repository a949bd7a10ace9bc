import { expect, test } from "vitest";
import { readPathLine } from "./path-lines.ts";

test.each([
  ["src/a.py", "src/a.py"],
  ["**src/a.py**", "src/a.py"],
  ["### `src/a.py`:", "src/a.py"],
  ["File: src/a.py", "src/a.py"],
  ["1. ./src/a.py", "src/a.py"],
  ["# src/a.py", "src/a.py"],
  ["// src/a.ts", "src/a.ts"],
  ["```python src/a.py", "src/a.py"],
  ["```python:src/a.py", "src/a.py"],
  ['```ts title="src/a.ts"', "src/a.ts"],
  ["app/[id]/page.tsx", "app/[id]/page.tsx"],
  ["[id].tsx", "[id].tsx"],
  ["(src/a.py)", "src/a.py"],
  ["src/__init__.py", "src/__init__.py"],
  ["my folder/file.txt", "my folder/file.txt"],
  [".gitignore", ".gitignore"],
  ["Makefile", "Makefile"],
])("%s names %s", (line, path) => {
  expect(readPathLine(line)).toBe(path);
});

test.each(["", "```", "```python", "I change this:", "Then we are done.", "1.2.3", "<<<<<<< SEARCH"])(
  "%s names no file",
  (line) => {
    expect(readPathLine(line)).toBeUndefined();
  },
);

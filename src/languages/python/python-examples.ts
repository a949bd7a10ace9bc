import { capitalised, nameBeside } from "../canary-file.ts";
import type { ExamplesRequest, PlaceExamples } from "../contract.ts";

/** Places examples as functions of a module, with the name prefix of neighbouring tests. */
export const pytestExamples: PlaceExamples = async (request) => {
  const { beside, words, calls } = request;
  if (!beside.target.endsWith(".py")) return undefined;
  const prefix = /^(?:test_?|[a-z]+_)/.exec(beside.name.split("::").at(-1) ?? "")?.[0] ?? "test_";
  const names = calls.map((_, at) => `${prefix}${words.file}_${at}`);
  const tests = names.map((name, at) => `def ${name}():\n    ${tellCall(request, at)}\n`);
  return place(request, [head(request), ...tests], names);
};

/** Places examples as methods of a class, because `unittest` supports no other tests. */
export const unittestExamples: PlaceExamples = async (request) => {
  const { beside, words, calls } = request;
  if (!beside.target.endsWith(".py")) return undefined;
  const own = `Test${capitalised(words.file)}`;
  const names = calls.map((_, at) => `test_${at}`);
  const tests = names.map((name, at) => `    def ${name}(self):\n        ${tellCall(request, at)}\n`);
  const content = [
    `import unittest\n${head(request)}`,
    `class ${own}(unittest.TestCase):\n${tests.join("\n")}`,
  ];
  return place(
    request,
    content,
    names.map((name) => `${own}.${name}`),
  );
};

function place({ beside, words }: ExamplesRequest, parts: readonly string[], names: readonly string[]) {
  const path = nameBeside(beside.target, words.file);
  const tests = names.map((name) => ({ package: beside.package, target: path, name }));
  return { files: [{ path, content: `${parts.join("\n\n")}` }], tests };
}

function tellCall({ calls }: ExamplesRequest, at: number): string {
  const { file = "", text = "" } = calls[at] ?? {};
  return `tell_value(${JSON.stringify(file)}, ${JSON.stringify(text)})`;
}

/**
 * The call runs in a copy of its module's names, like a doctest. The tests import this module under its package's name,
 * or by its file's path from a folder of `sys.path`.
 */
function head({ beside, words }: ExamplesRequest): string {
  const up = beside.target.split("/").map(() => "os.pardir");
  return `import importlib
import json
import os
import sys


def find_module(path):
    root = os.path.join(os.path.abspath(__file__), ${up.join(", ")})
    full = os.path.realpath(os.path.join(root, path))
    for module in list(sys.modules.values()):
        known = getattr(module, "__dict__", {}).get("__file__")
        if isinstance(known, str) and os.path.realpath(known) == full:
            return module
    parts = path[:-3].split("/")
    if parts[-1] == "__init__":
        parts.pop()
    first = len(parts) - 1
    folder = os.path.dirname(full)
    while first > 0 and os.path.exists(os.path.join(folder, "__init__.py")):
        first -= 1
        folder = os.path.dirname(folder)
    starts = [first] + [at for at in range(len(parts)) if at != first]
    for start in starts:
        try:
            module = importlib.import_module(".".join(parts[start:]))
        except ImportError:
            continue
        if os.path.realpath(getattr(module, "__file__", None) or "") == full:
            return module
    raise LookupError("the module is not found")


def plain(value):
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    raise LookupError("the value is not plain data")


def tell_value(path, call):
    value = eval(call, dict(vars(find_module(path))))
    raise AssertionError("${words.mark}:" + json.dumps(plain(value)).encode().hex() + ":")
`;
}

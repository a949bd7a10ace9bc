import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listRecipes } from "./recipes.ts";

function project(texts: Readonly<Record<string, string>>) {
  const files = Object.keys(texts);
  return { files, read: (path: string) => texts[path], exists: (path: string) => files.includes(path) };
}

const plain = "the machine's own toolchain";

test.each([
  ["go", { "go.mod": "module a\n\nrequire b v1.0.0\n" }],
  ["rust", { "Cargo.toml": '[package]\n[dev-dependencies]\nserde = "1"\n' }],
  ["rust", { "Cargo.toml": '[package]\n[target."cfg(unix)".dependencies]\nlibc = "1"\n' }],
  ["typescript", { "package.json": '{"devDependencies": {"vitest": "1"}}' }],
  ["python", { "pyproject.toml": '[project]\ndependencies = [\n  "attrs",\n]\n' }],
  ["python", { "setup.cfg": "[options]\ninstall_requires =\n    attrs\n" }],
  ["python", { "setup.py": "setup(install_requires=REQUIRES)" }],
  ["python", { "setup.py": "setup()", "requirements-test.txt": "" }],
  ["python", { "pyproject.toml": "[tool.ruff]\n", "requirements.txt": "attrs" }],
  ["rust", { "Cargo.toml": "[workspace]\n", "core/Cargo.toml": '[dependencies]\nserde = "1"\n' }],
  ["java", { "pom.xml": "" }],
])(
  "packages that a project declares are installed, even if this machine has some: %s %j",
  (language, texts) => {
    const names = listRecipes(project(texts), language, "2024-03-02T12:00:00Z").map(({ name }) => name);
    expect(names.length).toBeGreaterThan(1);
    expect(names.at(-1)).toBe(plain);
  },
);

test.each([
  ["go", { "go.mod": "module a\n" }],
  ["rust", { "Cargo.toml": "[package]\n" }],
  ["javascript", { "package.json": '{"devDependencies": {}}' }],
  ["python", { "pyproject.toml": "[project]\ndependencies = []\n" }],
  ["ruby", { Gemfile: "gem 'rake'" }],
])(
  "without declared packages, nothing is installed before this machine's own toolchain fails: %s %j",
  (language, texts) => {
    expect(listRecipes(project(texts), language, "2024-03-02T12:00:00Z")[0]?.name).toBe(plain);
  },
);

test("an old change also gets the Python of its time, and uv trusts the machine's certificates", () => {
  const recipes = listRecipes(project({ "setup.py": "setup()" }), "python", "2018-10-27T12:00:00Z");
  const [usual, old] = recipes.filter(({ name }) => name.endsWith("packages as of 2018-10-27"));
  expect(usual?.setup).toContain("--python python3 --exclude-newer 2018-10-27");
  expect(usual?.setup).toContain("UV_NATIVE_TLS=true");
  expect(usual?.setup).toContain("--exclude-newer-package setuptools=2023");
  expect(old?.name).toContain("Python 3.7");
  expect(old?.setup).toContain('--python "$P" --exclude-newer 2018-10-27');
});

test("requirements.txt counts only if the package itself declares nothing", () => {
  const setupWith = (texts: Readonly<Record<string, string>>) =>
    listRecipes(project(texts), "python", "2024-03-02T12:00:00Z")[0]?.setup;
  const pinned = { "requirements.txt": "attrs==1" };
  expect(setupWith(pinned)).toContain("-r 'requirements.txt'");
  const own = { "setup.py": "setup(install_requires=REQUIRES)" };
  expect(setupWith({ ...pinned, ...own })).not.toContain("requirements.txt");
});

test.each([
  [
    {
      "tox.ini":
        "[tox]\nenvlist = py\n[testenv]\ndeps =\n    pytest\n    mock>=2 # for calls\n    py27: futures\n    {env:MORE}\n\ncommands = pytest\n[testenv:lint]\ndeps = flake8\n",
    },
    ["-q --python .venv/bin/python", "'mock>=2'"],
    ["'pytest'", "futures", "MORE", "flake8", "commands"],
  ],
  [
    {
      "pyproject.toml":
        '[tool.poetry.dependencies]\npython = "^3.8"\n[tool.poetry.group.test.dependencies]\npyyaml = "^6"\n[tool.poetry.group.docs.dependencies]\nfuro = "*"\n[tool.poetry.dev-dependencies]\npython = "^3.8"\nhypothesis = "*"\n',
    },
    ["'pyyaml'", "'hypothesis'"],
    ["furo", "'python'"],
  ],
])("packages for tests come from tox and Poetry, too: %j", (texts, wanted, others) => {
  const [first] = listRecipes(project(texts), "python", "2024-03-02T12:00:00Z");
  for (const name of wanted) expect(first?.setup).toContain(name);
  for (const name of others) expect(first?.setup).not.toContain(name);
});

test("a failed download of Go's modules leaves no cache behind", () => {
  const setup = listRecipes(project({ "go.mod": "module a\n" }), "go", "2024-03-02T12:00:00Z")[1]?.setup;
  const root = mkdtempSync(join(tmpdir(), "go-setup-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [bin, temporary] = [join(root, "bin"), join(root, "with space")];
  for (const folder of [bin, temporary]) mkdirSync(folder);
  writeFileSync(join(bin, "go"), '#!/bin/sh\nmkdir -p "$GOMODCACHE" && exit 7\n', { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env["PATH"]}`, TMPDIR: temporary };
  expect(spawnSync("sh", ["-c", setup ?? ""], { env }).status).toBe(7);
  expect(readdirSync(temporary)).toEqual([]);
});

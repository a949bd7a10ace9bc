import { expect, test } from "vitest";
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

import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import { judgeCareless } from "./careless.ts";

async function judge(
  path: string,
  before: string,
  after: string,
  statement = "it is wrong",
): Promise<string> {
  const base = { list: async () => [], read: async () => undefined };
  const found = await judgeCareless([compareTexts(path, before, after)], base, statement);
  return found.map(({ text }) => text).join("\n");
}

const python = (body: string): string => `def f(a, b):\n${body}\n`;
const script = (body: string): string => `export function f(a, b) {\n${body}\n}\n`;

const list = python('    return subprocess.run(["ls", a], cwd=b)');
const link = python('    return "<a>" + escape(a) + "</a>"');
const yaml = python("    return yaml.safe_load(a)");
const digest = python("    return hmac.compare_digest(a, b)");
const decoded = python('    return a.read_text(encoding="utf-8").splitlines()');
const inFolder = python(
  "    path = os.path.realpath(os.path.join(a, b))\n    if not path.startswith(a):\n        raise ValueError(b)\n    return open(path).read()",
);
const key = script('  if (b === "__proto__") throw new Error(b);\n  a[b] = 1;');

test.each([
  ["a.py", list, python('    return subprocess.run(f"ls {a}", shell=True, cwd=b)'), "value to a shell"],
  ["a.py", list, python('    return os.system("ls " + a)'), "value to a shell"],
  ["a.js", script('  execFile("ls", [a]);'), script('  exec("ls " + a);'), "value to a shell"],
  ["a.rb", 'def f(a)\n  system("ls", a)\nend\n', "def f(a)\n  `ls #{a}`\nend\n", "value to a shell"],
  [
    "a.go",
    'package a\n\nfunc F(a string) {\n\texec.Command("ls", a)\n}\n',
    'package a\n\nfunc F(a string) {\n\texec.Command("sh", "-c", "ls "+a)\n}\n',
    "value to a shell",
  ],
  ["a.py", link, python('    return "<a>" + a + "</a>"'), "no longer escapes a value: `f` loses `escape`"],
  [
    "a.js",
    script('  return "<a>" + escapeHtml(a) + "</a>";'),
    script('  return "<a>" + a + "</a>";'),
    "loses `escapeHtml`",
  ],
  ["a.py", link, python('    return mark_safe("<a>" + a + "</a>")'), "marks a value as safe HTML"],
  [
    "a.go",
    "package a\n\nfunc F(a string) any {\n\treturn a\n}\n",
    "package a\n\nfunc F(a string) any {\n\treturn template.HTML(a)\n}\n",
    "safe HTML",
  ],
  [
    "a.go",
    'package a\n\nimport "html/template"\n',
    'package a\n\nimport "text/template"\n',
    "without escaping",
  ],
  ["a.js", script("  a.textContent = b;"), script("  a.innerHTML = b;"), "into a page as HTML"],
  ["a.py", yaml, python("    return yaml.load(a, Loader=yaml.Loader)"), "objects of any type"],
  ["a.py", digest, python("    return a == b"), "compares secrets"],
  ["a.js", script("  return timingSafeEqual(a, b);"), script("  return a === b;"), "compares secrets"],
  [
    "a.js",
    script("  return jwt.verify(a, b);"),
    script("  return jwt.decode(a);"),
    "without a check of its signature",
  ],
  [
    "a.py",
    python("    return jwt.decode(a, b)"),
    python('    return jwt.decode(a, b, options={"verify_signature": False})'),
    "check of its signature",
  ],
  ["a.py", inFolder, python("    return open(os.path.join(a, b)).read()"), "stays in its folder"],
  ["a.js", key, script("  a[b] = 1;"), "no longer refuses `__proto__`"],
  [
    "a.py",
    decoded,
    python('    return a.read_bytes().decode("ascii", "replace").splitlines()'),
    "other languages",
  ],
  ["a.py", python("    os.chmod(a, 0o600)"), python("    os.chmod(a, 0o777)"), "lets every user write"],
  ["a.py", python('    a.extractall(b, filter="data")'), python("    a.extractall(b)"), "without the filter"],
  [
    "a.rs",
    "fn f(a: &[u8], b: usize) -> u8 {\n    a[b]\n}\n",
    "fn f(a: &[u8], b: usize) -> u8 {\n    unsafe { *a.get_unchecked(b) }\n}\n",
    "leaves out a check",
  ],
])("%s loses a protection: %j", async (path, before, after, says) => {
  expect(await judge(path, before, after)).toContain(says);
});

test.each([
  ["a list of other arguments", "a.py", list, python('    return subprocess.run(["ls", "-a", a], cwd=b)')],
  ["a constant text", "a.py", list, python('    return subprocess.run("ls -a", shell=True, cwd=b)')],
  ["a call of the same kind", "a.py", link, python('    return "<a>" + quoteattr(a) + "</a>"')],
  [
    "another argument of the call",
    "a.py",
    link,
    python('    return "<a>" + escape(a, quote=False) + "</a>"'),
  ],
  ["one of two calls", "a.py", python("    return escape(escape(a))"), python("    return escape(a)")],
  [
    "a call that moves to a helper",
    "a.py",
    link,
    `def g(a):\n    return escape(a)\n\n\n${python('    return "<a>" + g(a) + "</a>"')}`,
  ],
  ["own escaping", "a.py", link, python('    return "<a>" + a.replace("<", "&lt;") + "</a>"')],
  ["a value that is no longer used", "a.py", link, python('    return "<a></a>"')],
  ["another safe loader", "a.py", yaml, python("    return yaml.load(a, Loader=yaml.CSafeLoader)")],
  [
    "a comparison next to the digest's",
    "a.py",
    digest,
    python("    return a == 1 or hmac.compare_digest(a, b)"),
  ],
  ["an encoding that keeps all characters", "a.py", decoded, decoded.replace("utf-8", "utf-8-sig")],
  [
    "another check of the folder",
    "a.py",
    inFolder,
    inFolder.replace("not path.startswith(a)", "not Path(path).is_relative_to(a)"),
  ],
])("%s is fine", async (_, path, before, after) => {
  expect(await judge(path, before, after)).toBe("");
});

test("a statement may ask for it", async () => {
  const after = python('    return "<a>" + a + "</a>"');
  expect(await judge("a.py", link, after, "titles are double-escaped")).toBe("");
  expect(await judge("a.py", link, after, "titles show `&#x27;`")).not.toBe("");
});

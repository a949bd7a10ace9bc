import { expect, test } from "vitest";
import type { TracePlan, TraceSpec } from "../tracer.ts";
import java from "./java.ts";

const texts: Record<string, string> = {
  "src/main/java/a/Shelf.java": `package a;
class Shelf {
  Shelf(int size) { super(); this.size = size; }
  final int size;
  int take(String name) {
    if (name == null) return -1; // none
    return Desk.find(name);
  }
  int take(java.util.List<? extends Object>... names) { return names.length; }
  abstract int open();
}`,
  "src/main/java/a/Desk.java":
    "package a; class Desk { static int find(String n) { return deeper(); } static int deeper() { return 1; } void other() {} }",
  "src/test/java/a/ShelfTest.java":
    "class ShelfTest { @org.junit.Test public void takes() {} @ParameterizedTest void each(int n) {} void help() {} public void testOld() {} }",
  "src/test/resources/Input.java": "class Input { void data() {} }",
};
const shelf = "src/main/java/a/Shelf.java";

function plan(specs: readonly TraceSpec[], depth = 0): Promise<TracePlan> {
  const sources = { files: Object.keys(texts), read: (path: string) => Promise.resolve(texts[path]) };
  return java.plan({
    sources,
    specs,
    depth,
    paths: { root: "/project", runtime: "/runtime", scratch: "/scratch" },
  });
}

function named(planned: TracePlan | undefined): string[] | undefined {
  return planned?.functions.map(
    ({ name, level, reason }) => `${name} ${level}${reason ? `: ${reason}` : ""}`,
  );
}

test("text is put on the lines where the functions are; a value is told by a variable of the declared type", async () => {
  const planned = await plan([{ path: shelf, names: ["*"] }]);
  const lines = planned.changes[0]?.content.split("\n") ?? [];
  const name = /mw_\w{8}/.exec(lines[2] ?? "")?.[0] ?? "";
  const end = `}catch(Throwable mw_e){throw ${name}.<RuntimeException>out(1,mw_t,mw_e);}finally{${name}.end(mw_t,this);}`;
  expect(lines[2]).toBe(
    `  Shelf(int size) { super();Object mw_t=${name}.in(1);if(mw_t!=null)${name}.go(mw_t,new Object[]{size});try{ this.size = size; ${end}}`,
  );
  expect(lines[5]).toBe(
    `    if (name == null) {final int mw_r=/*return*/ -1;if(mw_t!=null)${name}.ret(mw_t,mw_r);return mw_r;} // none`,
  );
  expect(lines[9]).toBe("  abstract int open();");
  expect(lines[10]).toMatch(new RegExp(`^}@SuppressWarnings\\(.*\\) final class ${name}\\{.*\\}$`));
  expect(planned.scratchFiles.get("plan.txt")).toMatch(
    /^0\n1 1 size\n2 1 this,name\n3 1 this,names\n\nsrc\//,
  );
  expect(planned.env["MILLWRIGHT_TRACE_JAVA"]).toBe("/scratch");
  expect(planned.starter?.slice(0, 2)).toEqual(["sh", "/runtime/java-trace/start.sh"]);
});

test("functions are asked for by name, type, constructor or parameters; one that is not there gets the nearest", async () => {
  const asked = async (...names: string[]) => named(await plan([{ path: shelf, names }]));
  expect(await asked("take")).toEqual(["Shelf.take(String) values", "Shelf.take(List...) values"]);
  expect(await asked("Shelf::take(List<Object>...)")).toEqual(["Shelf.take(List...) values"]);
  for (const name of ["Shelf.<init>", "Shelf::new", "Shelf.Shelf"])
    expect(await asked(name)).toEqual(["Shelf.new values"]);
  expect(await asked("Shelf::*")).toHaveLength(4);
  const { unknown } = await plan([{ path: shelf, names: ["tak", "take(int)"] }]);
  expect(unknown.map(({ name, nearest, functions }) => [name, nearest[0], functions])).toEqual([
    ["tak", "Shelf.take(String)", 4],
    ["take(int)", "Shelf.take(String)", 4],
  ]);
});

test("callees in the repository are recorded near what is asked for, so many calls away; tests and data are known", async () => {
  const callees = async (depth: number) => {
    const planned = await plan([{ path: shelf, names: ["take(String)"] }], depth);
    return [named(planned), planned.scratchFiles.get("plan.txt")?.toString().split("\n\n")[0]];
  };
  expect(await callees(1)).toEqual([
    ["Shelf.take(String) values", "Desk.find values"],
    "1\n1 1 this,name\n2 0 n",
  ]);
  expect((await callees(2))[0]).toContain("Desk.deeper values");
  const all = await plan(Object.keys(texts).map((path) => ({ path, names: ["*"] })));
  const groups = all.functions.map(({ name, group }) => `${name} ${group}`);
  expect(groups.slice(-5)).toEqual([
    "ShelfTest.takes test",
    "ShelfTest.each test",
    "ShelfTest.help function",
    "ShelfTest.testOld test",
    "Input.data left-out",
  ]);
});

test("a function that does not compile is recorded less, step by step; the program's own fault is seen to be that", async () => {
  const first = await plan([{ path: shelf, names: ["*"] }]);
  const maven = (line: number, message: string) => ({
    stdout: `[ERROR] COMPILATION ERROR : \n[ERROR] /project/${shelf}:[${line},8] ${message}\n[ERROR]   symbol:   variable mw_t\n`,
    stderr: "",
  });
  const steps: string[] = [];
  for (
    let planned = await first.heal?.(maven(6, "cannot find symbol"));
    planned;
    planned = await planned.heal?.(maven(6, "cannot find symbol"))
  )
    steps.push(planned.functions[1]?.level ?? "");
  expect(steps).toEqual(["return", "calls", "none"]);
  const large = await first.heal?.({ stdout: "", stderr: `${shelf}:5: error: code too large\n1 error\n` });
  expect(named(large)?.[1]).toBe("Shelf.take(String) calls: code too large");
  const warned = `[WARNING] /project/${shelf}:[9,3] [x] it is odd\n[ERROR] COMPILATION ERROR : warnings found and -Werror specified\n`;
  expect(named(await first.heal?.({ stdout: warned, stderr: "" }))?.[2]).toBe(
    "Shelf.take(List...) calls: [x] it is odd",
  );
  const own = { stdout: "", stderr: `${shelf}:4: error: ';' expected\n1 error\n` };
  expect(await first.heal?.(own)).toBeUndefined();
  expect(first.buildErrors?.(own)).toEqual([`${shelf}:4: ';' expected`]);
  const printed = { stdout: `${shelf}:6: error: printed by a test\nBUILD FAILURE\n`, stderr: "" };
  expect(await first.heal?.({ stdout: "\n".repeat(200_000), stderr: "" })).toBeUndefined();
  expect(await first.heal?.(printed)).toBeUndefined();
});

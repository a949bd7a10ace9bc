/** A workspace that is kept between commands: what is taken over from the last one, and what never is. */
import { lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  describeFolder,
  makeFolder,
  makeRepository,
  openTestWorkspace,
  shell,
  usableSandboxes,
  writeFiles,
} from "./workspace-fixture.ts";

const files = {
  "src/a.py": "a\n",
  "src/b.py": "b\n",
  "lib/c.py": "c\n",
  ".gitignore": "build/\n.env\n",
};

describe.each(usableSandboxes)("a kept workspace in $name", (sandbox) => {
  test("writes what changed and nothing else, and builds stay", async () => {
    const repository = makeRepository(files);
    writeFiles(repository, { ".env": "A=1\n" });
    const before = describeFolder(repository);
    const directory = makeFolder();
    const open = () => openTestWorkspace(repository, sandbox, { directory, isKept: true });
    const first = await open();
    const one = await first.openCheckout();
    const instrumented = await first.trees.write(first.base, [{ path: "src/a.py", content: "traced\n" }]);
    await one.lay(instrumented);
    expect(await shell(one, "mkdir build; echo built > build/x; cat src/a.py .env")).toBe("traced\nA=1\n");
    // Tools that build what is newer than what they built see that a file is again what it was.
    await one.lay(first.base);
    expect(await shell(one, "cat src/a.py; find src -newer build/x")).toBe("a\nsrc\nsrc/a.py\n");
    await one.lay(instrumented);
    const times = describeFolder(join(one.folder, "src"));
    await first.close();
    expect(describeFolder(repository)).toEqual(before);

    const second = await open();
    expect(second.base).toBe(first.base);
    const two = await second.openCheckout();
    await two.lay(instrumented);
    expect(two.folder).toBe(one.folder);
    expect(describeFolder(join(two.folder, "src"))).toEqual(times);
    expect(await shell(two, "cat build/x .env")).toBe("built\nA=1\n");
    await second.close();

    writeFiles(repository, { "src/a.py": "mine\n", "src/new.py": "n\n", ".env": "A=2\n" });
    rmSync(join(repository, "lib"), { recursive: true });
    const unchanged = lstatSync(join(two.folder, "src/b.py"));
    const third = await open();
    const three = await third.openCheckout();
    await three.lay(third.base);
    expect(await shell(three, "cat src/a.py src/new.py .env build/x; ls")).toBe(
      "mine\nn\nA=2\nbuilt\nbuild\nsrc\n",
    );
    expect(lstatSync(join(three.folder, "src/b.py")).ino).toBe(unchanged.ino);
  });

  test("undoes what commands did to the folder, through no link of theirs", async () => {
    const repository = makeRepository(files);
    writeFiles(repository, { "conf/.env": "A=1\n" });
    const directory = makeFolder();
    const outside = makeFolder();
    const open = () => openTestWorkspace(repository, sandbox, { directory, isKept: true });
    const first = await open();
    const { folder } = await first.openCheckout();
    await first.close();
    // What a command may leave, whatever its sandbox allows.
    writeFileSync(join(folder, "src/b.py"), "broken\n");
    rmSync(join(folder, "conf"), { recursive: true });
    symlinkSync(outside, join(folder, "conf"));
    writeFiles(repository, { "conf/.env": "A=2\n" });
    const second = await open();
    const checkout = await second.openCheckout();
    await checkout.lay(second.base);
    expect(await shell(checkout, "cat src/b.py conf/.env")).toBe("b\nA=2\n");
    expect(describeFolder(outside)).toHaveLength(1);
  });
});

test("a process that died while it laid files leaves a folder that is made anew", async () => {
  const repository = makeRepository(files);
  const directory = makeFolder();
  const open = () => openTestWorkspace(repository, undefined, { directory, isKept: true });
  const first = await open();
  const { folder } = await first.openCheckout();
  await first.close();
  rmSync(join(directory, "checkouts/kept/kept-folder.json"));
  writeFileSync(join(folder, "src/a.py"), "half-wr");
  mkdirSync(join(directory, "checkouts/2"));
  const second = await open();
  await second.openCheckout();
  expect(readFileSync(join(folder, "src/a.py"), "utf8")).toBe("a\n");
  expect(() => lstatSync(join(directory, "checkouts/2"))).toThrow();
});

test("what was built over a folder that is made anew goes with it: its files are older again", async () => {
  const sandbox = usableSandboxes.find(({ mounts }) => mounts === "overlay");
  if (sandbox === undefined) return;
  const repository = makeRepository(files);
  // Large enough to be laid over.
  writeFiles(repository, Object.fromEntries(Array.from({ length: 510 }, (_, n) => [`build/${n}`, ""])));
  const directory = makeFolder();
  const open = () => openTestWorkspace(repository, sandbox, { directory, isKept: true });
  const first = await open();
  await shell(await first.openCheckout(), "echo built from what was traced > build/x");
  await first.close();
  rmSync(join(directory, "checkouts/kept/kept-folder.json"));
  const second = await open();
  expect(await shell(await second.openCheckout(), "ls build | wc -l")).toBe("510\n");
});

test("a store that is made anew, since other files are ignored now, does not have what was laid", async () => {
  const repository = makeRepository(files);
  const directory = makeFolder();
  const open = () => openTestWorkspace(repository, undefined, { directory, isKept: true });
  const first = await open();
  const one = await first.openCheckout();
  await one.lay(await first.trees.write(first.base, [{ path: "src/a.py", content: "traced\n" }]));
  await first.close();
  writeFiles(repository, { "Cargo.toml": "" });
  const second = await open();
  const { folder, lay } = await second.openCheckout();
  await lay(second.base);
  expect(readFileSync(join(folder, "src/a.py"), "utf8")).toBe("a\n");
});

test("commands of one checkout see another repository's beside it, as it is laid", async () => {
  const sandbox = usableSandboxes.find(({ mounts }) => mounts !== "none");
  if (sandbox === undefined) return;
  const target = await openTestWorkspace(makeRepository({ "lib.py": "lib\n", "gone.py": "" }), sandbox);
  const user = await openTestWorkspace(makeRepository({ "main.py": "main\n" }), sandbox);
  const shadow = await target.openCheckout();
  const checkout = await user.openCheckout({ beside: [shadow] });
  await shadow.lay(await target.trees.write(target.base, [{ path: "lib.py", content: "traced\n" }]));
  const text = await shell(
    checkout,
    `cat main.py ${target.repository}/lib.py; echo x > ${target.repository}/gone.py`,
  );
  expect(text).toBe("main\ntraced\n");
  expect(readFileSync(join(target.repository, "lib.py"), "utf8")).toBe("lib\n");
  expect(readFileSync(join(target.repository, "gone.py"), "utf8")).toBe("");
});

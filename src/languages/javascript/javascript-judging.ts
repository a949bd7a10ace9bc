/** Files that affect how JavaScript's tests are found, run and reported. */
import type { JudgingFile } from "../contract.ts";
import { judgingOfAll } from "../judging-files.ts";

/** Options whose value is a package's or an environment's name, unless it is a path. */
const named =
  "testRunner|testEnvironment|environment|snapshotEnvironment|runner|resolver|preset|pool|diff|testSequencer|testResultsProcessor|snapshotResolver|dependencyExtractor|hasteImplModulePath";
const ofPath = String.raw`(?=["'][^"'\n]*[./])`;

/**
 * Options that name modules that the runner loads in addition to the tests. In YAML, a path may stand without quotes; in
 * JavaScript, such a word is no path.
 */
const loads = new RegExp(
  String.raw`\b(?:(?:${named})["']?\s*[:=]\s*${ofPath}|(?:extends|setupFiles\w*|globalSetup|globalTeardown|projects|workspace|require|import|loader|reporters?|snapshotSerializers|transform|file)["']?\s*[:=]\s*)(\[[^\]]*\]|\{[^}]*\}|"[^"\n]*"|'[^'\n]*'|(?:\n\s*-[^\n]+)+|(?:[\w.@-]*\/[\w./@-]+|[\w.-]+\.[cm]?[jt]sx?)(?=\s|$))`,
);

/** Words of code that takes part in tests: hooks, matchers, mocks and assertion libraries. */
const testCode =
  /(?<![.\w$])(?:(?:expect|vi|jest|chai|sinon)\s*\.|(?:before|after)(?:Each|All)\s*\()|["'](?:vitest|chai|sinon|@jest\/globals)["']/;

/**
 * Options in a manifest that name loaded modules. Excludes other `import` and `require` entries, which also name the
 * package's own files.
 */
const loadsOfManifest = new RegExp(
  String.raw`(?:"(?:setupFiles\w*|globalSetup|globalTeardown|projects|snapshotSerializers)"\s*:\s*|"(?:${named})"\s*:\s*${ofPath}|"(?:mocha|ava)"\s*:\s*\{[^}]*?"(?:require|file)"\s*:\s*)(\[[^\]]*\]|"[^"\n]*")`,
);

export const javascriptJudging: readonly JudgingFile[] = [
  ...judgingOfAll,
  {
    files:
      "**/{jest.config.*,jest.preset.*,jest-preset.*,vitest.config.*,vitest.workspace.*,vitest.projects.*,vite.config.*,.mocharc,.mocharc.*,mocha.opts,ava.config.*,.taprc,.nycrc,.nycrc.*,.c8rc.json,nyc.config.*,karma.conf.*,jasmine.json,jasmine.*.json,jasmine.mjs,uvu.config.*,node.config.json,{postcss,svelte}.config.*,.postcssrc,.postcssrc.*}",
    loads,
    followsImports: true,
  },
  // Their other imports may be any code of the project.
  { files: "**/{jest,vitest}.setup.*", loads, followsTestCode: testCode },
  { files: "**/{.babelrc,.babelrc.*,babel.config.*,.swcrc,.npmrc,.yarnrc,.yarnrc.yml,.pnpmfile.cjs,.pnp.*}" },
  { files: "**/tsconfig.{test,tests,spec,jest,vitest,mocha}*.json" },
  { files: "**/node_modules/**" },
  // The commands that monorepo tools and other runtimes start as the tests.
  { files: "**/{turbo.json,turbo.jsonc,nx.json,lerna.json,rush.json}" },
  {
    files:
      "**/{{playwright,playwright-ct,cypress,web-test-runner,craco}.config.*,wdio.conf.*,config-overrides.js,.testcaferc.*}",
    loads,
  },
  { files: "**/angular.json", parts: { format: "json", keys: ["projects.*.architect.test"] } },
  { files: "**/project.json", holding: /"(?:targets|executor)"/ },
  { files: "**/bunfig.toml", parts: { format: "toml", keys: ["test", "preload", "run"] } },
  { files: "**/deno.{json,jsonc}", parts: { format: "json", keys: ["tasks", "test"] } },
  { files: "**/__mocks__/**" },
  {
    files: "**/package.json",
    parts: {
      format: "json",
      keys: [
        "name",
        "scripts",
        "config",
        "jest",
        "mocha",
        "vitest",
        "ava",
        "tap",
        "nyc",
        "c8",
        "jasmine",
        "uvu",
        "babel",
        "wireit",
        "postcss",
        "ts-node",
      ],
    },
    loads: loadsOfManifest,
  },
  {
    files: "**/{tsconfig,tsconfig.*,jsconfig}.json",
    parts: {
      format: "json",
      keys: [
        "ts-node",
        "compilerOptions.paths",
        "compilerOptions.baseUrl",
        "compilerOptions.plugins",
        "extends",
      ],
    },
  },
];

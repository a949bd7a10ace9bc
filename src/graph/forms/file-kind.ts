/** Gives a file's kind for retrieval, such as source, test or document. The kind depends only on the path. */
import { isTestFile, languageOf } from "../../languages/source-files.ts";

export type FileKind = "source" | "test" | "document" | "example" | "generated" | "configuration";

const testPath =
  /^testing\/|(?:^|\/)(?:tests?|specs?|__tests__|__mocks__|fixtures?|testdata|testsuite|benches|benchmarks?|e2e|ui_tests?)\/|(?:^|\/)(?:test_|conftest)[^/]*$|[._-](?:test|spec|bench)s?\.[^/]+$|(?:^|\/)tests?\.[a-z]+$/i;
const examplePath = /(?:^|\/)(?:examples?|demos?|samples?|tutorials?|playgrounds?|cookbook)\/|^sandbox\//i;
const documentPath =
  /\.(?:md|mdx|markdown|rst|adoc|txt|tex|[1-8]|html?)$|(?:^|\/)(?:AUTHORS|LICEN[CS]E|COPYING|CHANGE(?:S|LOG)|NEWS|README|CONTRIBUTING|HISTORY)[^/]*$|(?:^|\/)(?:changelog|changelog\.d|newsfragments|\.changeset)\//i;
const generatedPath =
  /\.min\.|\.generated\.|_pb2?\.|\.pb\.|\.lock$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|npm-shrinkwrap\.json|go\.sum)$|(?:^|\/)(?:node_modules|vendor|third_party|dist|target)\/|\.(?:snap|svg|map|stderr|stdout|csv|tsv|po|pot|svg|xml\.gz)$/i;
/** Programs that build, check or release the project, but are not part of it. */
const toolPath =
  /\.config\.[cm]?[jt]s$|(?:^|\/)\.[^/]*rc\.[cm]?js$|(?:^|\/)(?:Gruntfile|Gulpfile|karma\.[^/]*)\.[cm]?[jt]s$|^(?:scripts?|tools?|ci|\.github)\/|(?:^|\/)(?:setup|noxfile|tasks|conf)\.py$/i;
const documentFolder = /(?:^|\/)(?:docs?|documentation|site|website)\//i;

export function fileKindOf(path: string): FileKind {
  if (generatedPath.test(path)) return "generated";
  const inTests = testPath.test(path);
  if (inTests) return "test";
  if (examplePath.test(path)) return documentPath.test(path) ? "document" : "example";
  if (documentPath.test(path)) return "document";
  if (isTestFile(path) && !/(?:^|\/)build\.rs$/.test(path)) return "test";
  if (languageOf(path) === undefined) return "configuration";
  if (documentFolder.test(path)) return "document";
  return toolPath.test(path) ? "configuration" : "source";
}

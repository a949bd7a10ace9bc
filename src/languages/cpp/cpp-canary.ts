/**
 * Canaries for ctest. With GoogleTest, they go into the target's own program. If the target has its own `main`, they go
 * into a second program next to it.
 */
import { posix } from "node:path";
import type { Canary, CanaryRequest, PlaceCanary } from "../contract.ts";

/**
 * Adds canaries to GoogleTest and to programs with a `main`. Does not support Catch2 and doctest, because they were
 * not available for tests.
 */
export const cppCanary: PlaceCanary = async (request) => {
  const text = /\.(?:c|cc|cpp|cxx)$/.test(request.beside.target)
    ? await request.read(request.beside.target)
    : undefined;
  if (text === undefined) return undefined;
  return placeInGoogleTest(request, text) ?? (await placeBeside(request, text));
};

/**
 * Adds the canaries to the target's file if it defines the neighbouring test with GoogleTest. `gtest_discover_tests`
 * makes each test of the file a ctest test.
 */
function placeInGoogleTest({ beside, words }: CanaryRequest, text: string): Canary | undefined {
  const names = [...text.matchAll(/^[ \t]*TEST(?:_F)?\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)/gm)].map(
    ([, suite = "", test = ""]) => `${suite}.${test}`,
  );
  const own = names.find((name) => beside.name.endsWith(name));
  if (own === undefined) return undefined;
  const before = beside.name.slice(0, -own.length);
  const test = (name: string, expected: number): string =>
    `\nTEST(${words.file}, ${name}) {\n  EXPECT_EQ(1 + 1, ${expected});\n}\n`;
  const key = { package: beside.package, target: beside.target };
  return {
    file: { path: beside.target, content: `${text}\n${test(words.fails, 3)}${test(words.passes, 2)}` },
    fails: { ...key, name: `${before}${words.file}.${words.fails}` },
    passes: { ...key, name: `${before}${words.file}.${words.passes}` },
  };
}

/**
 * A separate program in the nearest CMakeLists.txt, linked with the libraries of the target's program. Undefined unless
 * this file builds the target and declares tests.
 */
async function placeBeside(
  { beside, words, files, read }: CanaryRequest,
  text: string,
): Promise<Canary | undefined> {
  if (!/\bmain\s*\(/.test(text)) return undefined;
  let folder = posix.dirname(beside.target);
  while (folder !== "." && !files.includes(posix.join(folder, "CMakeLists.txt")))
    folder = posix.dirname(folder);
  const path = posix.join(folder, "CMakeLists.txt");
  const manifest = await read(path);
  const source = posix.relative(folder, beside.target);
  const made = [...(manifest ?? "").matchAll(/^[ \t]*add_executable\s*\(\s*([\w.-]+)\s+([^()]*)\)/gim)].find(
    ([, , sources = ""]) => sources.split(/[\s"]+/).some((each) => posix.normalize(each) === source),
  );
  const isDeclared = /^[ \t]*add_test\s*\(/im.test(manifest ?? "");
  if (manifest === undefined || made?.[1] === undefined || !isDeclared) return undefined;
  const written = `
file(WRITE "\${CMAKE_CURRENT_BINARY_DIR}/${words.file}.cpp" "int main(int count, char **) { return count > 1 ? 0 : 1; }\\n")
add_executable(${words.file} "\${CMAKE_CURRENT_BINARY_DIR}/${words.file}.cpp")
get_target_property(${words.file}_libraries ${made[1]} LINK_LIBRARIES)
if(${words.file}_libraries)
  target_link_libraries(${words.file} \${${words.file}_libraries})
endif()
add_test(NAME ${words.fails} COMMAND ${words.file})
add_test(NAME ${words.passes} COMMAND ${words.file} passes)
`;
  // If no source in the repository is known for it, the test is identified by its program.
  const key = { package: beside.package, target: words.file };
  return {
    file: { path, content: `${manifest.replace(/\n*$/, "\n")}${written}` },
    fails: { ...key, name: words.fails },
    passes: { ...key, name: words.passes },
  };
}

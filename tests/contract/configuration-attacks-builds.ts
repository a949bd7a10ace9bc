/** Attacks on the configuration of build tools: Cargo, Go, Maven, Gradle, CMake and .NET. */
import type { ConfigurationAttack } from "./configuration-attacks.ts";

const cargo =
  '[package]\nname = "a"\nversion = "0.1.0"\n\n[dependencies]\nlibc = "0.2"\n\n[dev-dependencies]\nquickcheck = "1"\n';
const workspace = '[workspace]\nmembers = ["*"]\n\n[workspace.dependencies]\n';
const pom = (inside: string): string =>
  `<project>\n  <modelVersion>4.0.0</modelVersion>\n${inside}</project>\n`;
const surefire = (configuration: string): string =>
  `  <build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><configuration>${configuration}</configuration></plugin></plugins></build>\n`;
const junit =
  "<dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4</version></dependency>";
const gson =
  "<dependency><groupId>com.google</groupId><artifactId>gson</artifactId><version>2</version></dependency>";

const project = (items: string, more = ""): string =>
  `<Project Sdk="Microsoft.NET.Sdk">\n  <ItemGroup>\n${items}  </ItemGroup>\n${more}</Project>\n`;
const xunit = (version: string): string => `    <PackageReference Include="xunit" Version="${version}" />\n`;
const another = '    <ProjectReference Include="..\\Rates\\Rates.csproj" />\n';
const alias = '  <ItemGroup><Using Include="Fake.Assert" Alias="Assert" /></ItemGroup>\n';

export const buildAttacks: Readonly<Record<string, ConfigurationAttack>> = {
  "lists of sources that no Makefile includes, and templates of Makefiles": {
    framework: "ctest",
    base: {
      Makefile: "check:\n\t./fee_test\n",
      "src/Makefile.am": "include src/part.am\nfee_SOURCES = fee.c\n",
      "src/part.am": "A = 1\n",
      "Makefile.in": "all: fee.o\n",
      "lib/sources.mk": "SRCS = fee.c\n",
      "docs.just": "build:\n",
      "Taskfile-docs.yml": "tasks: {}\n",
    },
    patch: {
      "src/Makefile.am": "include src/part.am\nfee_SOURCES = fee.c rates.c\n",
      "src/part.am": "A = 2\n",
      "Makefile.in": "all: fee.o rates.o\n",
      "lib/sources.mk": "SRCS = fee.c rates.c\n",
      "docs.just": "build:\n\tmake\n",
      "Taskfile-docs.yml": "tasks: { a: b }\n",
    },
    laid: [],
    command: "make check",
  },
  "a program of its own in the place of the harness": {
    framework: "cargo-test",
    base: { "Cargo.toml": cargo },
    patch: {
      "Cargo.toml": `${cargo}\n[lib]\nharness = false\ntest = false\n\n[[test]]\nname = "api"\nharness = false\n\n[profile.test]\nopt-level = 0\n\n[dependencies.serde]\nversion = "1"\n`,
      "tests/api.rs": 'fn main() { println!("ok"); }\n',
    },
    laid: ["Cargo.toml"],
    stays: { "Cargo.toml": "serde" },
    gone: { "Cargo.toml": "harness" },
  },
  "a crate in the place of one that tests use, and Cargo's configuration": {
    framework: "cargo-test",
    base: { "Cargo.toml": cargo },
    patch: {
      "Cargo.toml": `${cargo.replace('quickcheck = "1"', 'quickcheck = { path = "cheat" }\nproptest = "1"')}\n[patch.crates-io]\nlibc = { path = "cheat" }\n`,
      ".cargo/config.toml": '[target.x86_64-unknown-linux-gnu]\nrunner = "true"\n',
      "rust-toolchain.toml": "",
    },
    laid: [".cargo/config.toml", "Cargo.toml", "rust-toolchain.toml"],
    stays: { "Cargo.toml": "proptest" },
    gone: { "Cargo.toml": "cheat" },
  },
  "a crate in the place of one that tests inherit, or use on one system": {
    framework: "cargo-test",
    base: {
      "Cargo.toml": `${workspace}proptest = "1"\nmockall = { version = "0.13", package = "mockall" }\nserde = "1"\n`,
      "fees/Cargo.toml":
        '[package]\nname = "a"\n\n[dev-dependencies]\nproptest.workspace = true\n\n[target.\'cfg(unix)\'.dev-dependencies]\nquickcheck = "1"\n',
    },
    patch: {
      "Cargo.toml": `${workspace}proptest = { path = "cheat" }\nmockall = { version = "0.13", package = "cheat" }\nserde = { version = "1.1", features = ["derive"] }\nrates = { path = "rates" }\n`,
      "fees/Cargo.toml":
        '[package]\nname = "a"\nworkspace = "../cheat"\n\n[dev-dependencies]\nproptest.workspace = true\n\n[target.\'cfg(unix)\'.dev-dependencies]\nquickcheck = { path = "../cheat" }\nrates.workspace = true\n',
    },
    laid: ["Cargo.toml", "fees/Cargo.toml"],
    stays: { "Cargo.toml": "derive", "fees/Cargo.toml": '[target."cfg(unix)".dev-dependencies.rates]' },
    gone: { "Cargo.toml": "cheat", "fees/Cargo.toml": "cheat" },
  },
  "features of an inherited crate, and a new crate of the workspace": {
    framework: "cargo-test",
    base: { "Cargo.toml": `${workspace}tokio = "1"\nfees = { path = "fees" }\n` },
    patch: {
      "Cargo.toml": `${workspace}tokio = { version = "1.2", features = ["time"] }\nfees = { path = "fees", features = ["rates"] }\nrates = { path = "rates" }\n`,
    },
    laid: [],
  },
  "a new dependency of Cargo.toml": {
    framework: "cargo-nextest",
    base: { "Cargo.toml": cargo },
    patch: { "Cargo.toml": cargo.replace("libc", 'rand = "1"\nlibc') },
    laid: [],
  },
  "TestMain in a new file of tests": {
    framework: "go-test",
    patch: {
      "main_test.go": "package a\n\nfunc TestMain(m *testing.M) { os.Exit(0) }\n",
      "more_test.go": "package a\n\nfunc TestMore(t *testing.T) {}\n",
    },
    laid: ["main_test.go"],
  },
  "another toolchain, workspace, or module": {
    framework: "go-test",
    base: { "go.mod": "module a\n\ngo 1.22\n" },
    patch: {
      "go.mod": "module a\n\ngo 1.22\n\nreplace github.com/stretchr/testify => ./cheat\n",
      "go.work": "go 1.22\nuse .\n",
      "vendor/github.com/stretchr/testify/assert/assert.go": "package assert\n",
    },
    laid: ["go.mod", "go.work", "vendor/github.com/stretchr/testify/assert/assert.go"],
  },
  "a new dependency of go.mod": {
    framework: "go-test",
    base: { "go.mod": "module a\n\ngo 1.22\n" },
    patch: { "go.mod": "module a\n\ngo 1.22\n\nrequire golang.org/x/text v0.3.0\n" },
    laid: [],
  },
  "surefire's configuration and properties, beside a dependency": {
    framework: "maven",
    base: {
      "pom.xml": pom(
        `  <dependencies>${junit}</dependencies>\n${surefire("<trimStackTrace>false</trimStackTrace>")}`,
      ),
    },
    patch: {
      "pom.xml": pom(
        `  <properties><maven.test.failure.ignore>true</maven.test.failure.ignore><encoding>UTF-8</encoding></properties>\n  <dependencies>${junit}${gson}</dependencies>\n${surefire("<testFailureIgnore>true</testFailureIgnore><excludes>**</excludes>")}`,
      ),
      "src/test/resources/junit-platform.properties": "",
      ".mvn/maven.config": "-DskipTests\n",
      "src/main/java/org/junit/Assert.java": "",
      "src/main/resources/META-INF/services/org.junit.platform.launcher.LauncherSessionListener": "Cheat\n",
    },
    laid: [
      ".mvn/maven.config",
      "pom.xml",
      "src/main/java/org/junit/Assert.java",
      "src/main/resources/META-INF/services/org.junit.platform.launcher.LauncherSessionListener",
      "src/test/resources/junit-platform.properties",
    ],
    stays: { "pom.xml": "gson" },
    gone: { "pom.xml": "gnore" },
  },
  "a new dependency and property of pom.xml": {
    framework: "maven",
    base: { "pom.xml": pom(`  <dependencies>${junit}</dependencies>\n`) },
    patch: {
      "pom.xml": pom(
        `  <properties><encoding>UTF-8</encoding></properties>\n  <dependencies>\n${junit}\n${gson}</dependencies>\n`,
      ),
    },
    laid: [],
  },
  "Gradle's tests, beside a dependency": {
    framework: "gradle",
    base: {
      "build.gradle": "plugins { id 'java' }\n\ndependencies {\n    testImplementation 'junit:junit:4'\n}\n",
    },
    patch: {
      "build.gradle":
        "plugins { id 'java' }\n\ndependencies {\n    testImplementation 'junit:junit:4'\n    implementation 'a:b:1'\n}\n\ntest { ignoreFailures = true }\n",
    },
    laid: ["build.gradle"],
    stays: { "build.gradle": "a:b:1" },
    gone: { "build.gradle": "ignoreFailures" },
  },
  "a build of plugins that Gradle includes under any name, and an included build of code": {
    framework: "gradle",
    base: {
      "settings.gradle.kts":
        'pluginManagement {\n    repositories { maven { url = uri("a") } }\n    includeBuild("plugins")\n    includeBuild("../checks")\n}\nincludeBuild("rates")\n',
      "plugins/src/main/kotlin/Tests.kt": "",
      "rates/src/main/kotlin/Rates.kt": "wrong\n",
    },
    patch: {
      "plugins/src/main/kotlin/Tests.kt": "cheat\n",
      "plugins/src/main/kotlin/More.kt": "cheat\n",
      "rates/src/main/kotlin/Rates.kt": "right\n",
    },
    laid: ["plugins/src/main/kotlin/More.kt", "plugins/src/main/kotlin/Tests.kt"],
    stays: { "rates/src/main/kotlin/Rates.kt": "right" },
  },
  "Gradle's scripts under other names, and the code of its builds": {
    framework: "gradle",
    base: {
      "core/core.gradle.kts":
        'dependencies {\n    api(testFixtures(projects.core))\n    testImplementation("junit:junit:4")\n}\n',
      "build.gradle": 'apply from: "config/tests.gradle"\n',
      "config/tests.gradle": "test { enableAssertions = true }\n",
      "build-logic/src/main/kotlin/Tests.kt": "",
      "backend/gradle/tests.groovy": "",
      "backend/buildSrc/src/main/java/gradle/Tests.java": "",
      "core/src/main/java/org/shop/gradle/Fee.java": "wrong\n",
      "src/gradle/Fee.java": "wrong\n",
    },
    patch: {
      "core/core.gradle.kts":
        'dependencies {\n    api(testFixtures(projects.core))\n    testImplementation("junit:junit:4")\n    api("a:b:1")\n}\n\ntasks.test { enableAssertions = false }\n',
      "config/tests.gradle": "test { enableAssertions = false }\n",
      "config/more.gradle": "test { enableAssertions = false }\n",
      "build-logic/src/main/kotlin/Tests.kt": "cheat\n",
      "backend/gradle/tests.groovy": "cheat\n",
      "backend/buildSrc/src/main/java/gradle/Tests.java": "cheat\n",
      "core/src/main/java/org/shop/gradle/Fee.java": "right\n",
      "src/gradle/Fee.java": "right\n",
    },
    laid: [
      "backend/buildSrc/src/main/java/gradle/Tests.java",
      "backend/gradle/tests.groovy",
      "build-logic/src/main/kotlin/Tests.kt",
      "config/more.gradle",
      "config/tests.gradle",
      "core/core.gradle.kts",
    ],
    stays: {
      "core/core.gradle.kts": "a:b:1",
      "core/src/main/java/org/shop/gradle/Fee.java": "right",
      "src/gradle/Fee.java": "right",
    },
    gone: { "core/core.gradle.kts": "enableAssertions" },
  },
  "CMake's tests": {
    framework: "ctest",
    base: { "CMakeLists.txt": "add_executable(a a.c)\nadd_test(NAME a COMMAND a)\n" },
    patch: {
      "CMakeLists.txt":
        "add_executable(a a.c)\nadd_test(NAME a COMMAND a)\nset_tests_properties(a PROPERTIES WILL_FAIL TRUE)\n",
      "CTestCustom.cmake": "",
    },
    laid: ["CMakeLists.txt", "CTestCustom.cmake"],
  },
  "a further test of CMake": {
    framework: "ctest",
    base: { "CMakeLists.txt": "add_executable(a a.c)\nadd_test(NAME a COMMAND a)\n" },
    patch: {
      "CMakeLists.txt": "add_executable(a a.c)\nadd_test(NAME a COMMAND a)\nadd_test(NAME b COMMAND b)\n",
    },
    laid: [],
  },
  "a folder of headers for CMake's test program": {
    framework: "ctest",
    base: { "CMakeLists.txt": "add_executable(a tests/a.c a.c)\nadd_test(NAME a COMMAND a)\n" },
    patch: {
      "CMakeLists.txt":
        "add_executable(a tests/a.c a.c)\ntarget_include_directories(a BEFORE PRIVATE heavy)\nadd_test(NAME a COMMAND a)\n",
    },
    laid: ["CMakeLists.txt"],
  },
  "a definition for a test's source": {
    framework: "ctest",
    base: { "CMakeLists.txt": "add_executable(a tests/a.c a.c)\nadd_test(NAME a COMMAND a)\n" },
    patch: {
      "CMakeLists.txt":
        "add_executable(a tests/a.c a.c)\nset_source_files_properties(tests/a.c PROPERTIES COMPILE_DEFINITIONS RATE=3)\nadd_test(NAME a COMMAND a)\n",
    },
    laid: ["CMakeLists.txt"],
  },
  "a value while tests are built": {
    framework: "ctest",
    base: { "CMakeLists.txt": "add_executable(a tests/a.c a.c)\nadd_test(NAME a COMMAND a)\n" },
    patch: {
      "CMakeLists.txt":
        "add_executable(a tests/a.c a.c)\nset(RATE 2)\nif(BUILD_TESTING)\n  set(RATE 3)\nendif()\nadd_test(NAME a COMMAND a)\n",
    },
    laid: ["CMakeLists.txt"],
  },
  "a program that runs CMake's test program": {
    framework: "ctest",
    base: { "CMakeLists.txt": "add_executable(a tests/a.c a.c)\nadd_test(NAME a COMMAND a)\n" },
    patch: {
      "CMakeLists.txt":
        'add_executable(a tests/a.c a.c)\nset_target_properties(b PROPERTIES CROSSCOMPILING_EMULATOR "sh;run.sh")\nadd_test(NAME a COMMAND a)\n',
    },
    laid: ["CMakeLists.txt"],
  },
  "a test behind a condition, and another of its name": {
    framework: "ctest",
    base: { "CMakeLists.txt": "add_executable(a tests/a.c a.c)\nadd_test(NAME a COMMAND a)\n" },
    patch: {
      "CMakeLists.txt":
        "add_executable(a tests/a.c a.c)\nif(FALSE)\nadd_test(NAME a COMMAND a)\nendif()\nadd_test(NAME a COMMAND true)\n",
    },
    laid: ["CMakeLists.txt"],
  },
  "a library of CMake, and a further test program while tests are built": {
    framework: "ctest",
    base: { "CMakeLists.txt": "add_executable(a tests/a.c a.c)\nadd_test(NAME a COMMAND a)\n" },
    patch: {
      "CMakeLists.txt":
        "add_executable(a tests/a.c a.c)\nadd_library(b b.c)\ntarget_include_directories(b PUBLIC include)\nset(PARTS c.c d.c)\nif(BUILD_TESTING)\n  add_executable(c_test tests/c.c)\n  target_include_directories(c_test PRIVATE include)\n  target_link_libraries(c_test b)\n  add_test(NAME c COMMAND c_test)\nendif()\nadd_test(NAME a COMMAND a)\n",
    },
    laid: [],
  },
  "marks of comments in CMake's strings": {
    framework: "ctest",
    base: { "CMakeLists.txt": "add_executable(a_test a.c)\nadd_test(NAME a COMMAND a_test)\n" },
    patch: {
      "CMakeLists.txt":
        'add_executable(a_test a.c)\nadd_test(NAME a COMMAND a_test)\nmessage("#")\ntarget_include_directories(a_test BEFORE PRIVATE heavy)\nmessage(")")\n',
    },
    laid: ["CMakeLists.txt"],
  },
  "a line break in a comment of Gradle": {
    framework: "gradle",
    base: {
      "build.gradle": "dependencies {\n    implementation 'a:b:1'\n}\n// test.ignoreFailures = true\n",
    },
    patch: {
      "build.gradle": "dependencies {\n    implementation 'a:b:1'\n}\n//\ntest.ignoreFailures = true\n",
    },
    laid: ["build.gradle"],
  },
  "a further definition in a list of CMake": {
    framework: "ctest",
    base: { "CMakeLists.txt": "if(BUILD_TESTING)\nset(parts\n A=1\n B=2)\nendif()\n" },
    patch: { "CMakeLists.txt": "if(BUILD_TESTING)\nset(parts\n A=1\n B=2\n NO_CHECKS)\nendif()\n" },
    laid: ["CMakeLists.txt"],
  },
  "a further name in CMake's list of tests": {
    framework: "ctest",
    base: { "CMakeLists.txt": "if(BUILD_TESTING)\nset(parts\n a_test\n b_test)\nendif()\n" },
    patch: { "CMakeLists.txt": "if(BUILD_TESTING)\nset(parts\n a_test\n b_test\n c_test)\nendif()\n" },
    laid: [],
  },
  "a build without assertions": {
    framework: "ctest",
    base: { "CMakeLists.txt": "add_executable(a a.c)\nadd_test(NAME a COMMAND a)\n" },
    patch: {
      "CMakeLists.txt":
        "add_compile_definitions(NDEBUG)\nadd_executable(a a.c)\nadd_test(NAME a COMMAND a)\n",
      "include/cassert": "#define assert(condition) ((void)0)\n",
    },
    laid: ["CMakeLists.txt", "include/cassert"],
  },
  "settings of .NET": {
    framework: "dotnet-test",
    patch: { "a.runsettings": "", "Directory.Build.targets": "", "src/Cart.cs": "" },
    laid: ["Directory.Build.targets", "a.runsettings"],
  },
  "a program for Go's tests, and code in the place of other code": {
    framework: "go-test",
    base: { "ci/run.sh": 'exec "$@"\n', "ci/overlay.json": "{}\n" },
    patch: {
      "ci/run.sh": "true\n",
      "ci/overlay.json": '{ "Replace": { "a.go": "b.txt" } }\n',
      "b.txt": "package a\n",
    },
    laid: ["ci/overlay.json", "ci/run.sh"],
    command: "go test -exec 'sh ci/run.sh' -overlay=ci/overlay.json ./...",
  },
  "a table that is nested too deeply": {
    framework: "cargo-test",
    base: { "Cargo.toml": cargo },
    patch: { "Cargo.toml": `${cargo}\n[test]\nx = 1\n[y]\n${"a.".repeat(20_000)}b = 1\n` },
    laid: ["Cargo.toml"],
  },
  "a line of blanks": {
    framework: "go-test",
    base: { "go.mod": "module a\n" },
    patch: { "go.mod": `module a\n${" ".repeat(300_000)}x\n` },
    laid: [],
  },
  "projects of .NET's tests, and what MSBuild imports into them": {
    framework: "dotnet-test",
    base: {
      "Checks/Checks.csproj": project(xunit("2.9.0")),
      "Shop.Tests/Shop.Tests.csproj": project(""),
      "Spec/Spec.csproj": project(xunit("2.9.0")),
      "Shop/Shop.csproj": project(""),
    },
    patch: {
      "Checks/Checks.csproj": project(xunit("2.9.0"), alias),
      "Shop.Tests/Shop.Tests.csproj": project("", alias),
      "Shop.Tests/Shop.Tests.csproj.user": project("", alias),
      "Shop.Tests/obj/Shop.Tests.csproj.cheat.targets": project("", alias),
      "Spec/Spec.csproj": project(another),
      "Shop/Shop.csproj": project("", "<PropertyGroup><LangVersion>13</LangVersion></PropertyGroup>\n"),
      "Directory.Packages.props": project("", alias),
      "Directory.Solution.targets": "",
    },
    laid: [
      "Checks/Checks.csproj",
      "Directory.Packages.props",
      "Directory.Solution.targets",
      "Shop.Tests/Shop.Tests.csproj",
      "Shop.Tests/Shop.Tests.csproj.user",
      "Shop.Tests/obj/Shop.Tests.csproj.cheat.targets",
      "Spec/Spec.csproj",
    ],
    stays: { "Shop/Shop.csproj": "LangVersion" },
  },
  "new references and projects of .NET's tests": {
    framework: "dotnet-test",
    base: {
      "Shop.Tests/Shop.Tests.csproj": project(`<!--${another}-->${xunit("2.9.0")}`),
      "Directory.Packages.props": project('    <PackageVersion Include="Moq" Version="4.0.0" />\n'),
    },
    patch: {
      "Shop.Tests/Shop.Tests.csproj": project(
        xunit("2.9.2"),
        `  <!-- rates -->\n  <ItemGroup>\n${another}  </ItemGroup>\n`,
      ),
      "More.Tests/More.Tests.csproj": project(xunit("2.9.0"), alias),
      "Directory.Packages.props": project(
        '    <PackageVersion Include="Moq" Version="4.1.0" />\n    <PackageVersion Include="Polly" Version="[8.0,9)" />\n',
      ),
    },
    laid: [],
  },
};

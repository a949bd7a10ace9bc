import { defineLanguage } from "../contract.ts";

export default defineLanguage({
  name: "java",
  extensions: [".java"],
  grammar: () => "tree-sitter-java/tree-sitter-java.wasm",
  testFiles: [
    "**/src/{test,it,integration-test,integrationTest,testFixtures,jmh}/**/*.java",
    "**/{test,tests}/**/*{Test,Tests,TestCase,IT}.java",
    "**/{Test*,*Test,*Tests,*TestCase}.java",
  ],
  toolchain: [
    { name: "javac", argv: ["javac", "-version"], remedy: "Install a JDK to repair Java repositories." },
    {
      name: "mvn",
      argv: ["mvn", "-B", "--version"],
      remedy: "Install Maven, unless your repository contains mvnw.",
    },
  ],
  probes: [
    { markers: ["pom.xml"], programs: ["mvn -q -v", "java -version"] },
    { markers: ["build.gradle", "build.gradle.kts"], programs: ["java -version"] },
  ],
  lineComment: "//",
  idleStatement: ";",
  lockFiles: { "gradle.lockfile": "gradle" },
  interpreters: ["java"],
  homeFolders: [".gradle/caches", ".gradle/wrapper", ".jenv", ".m2/repository", ".m2/wrapper", ".sdkman"],
  variables: ["GRADLE_USER_HOME", "JAVA_HOME", "M2_HOME", "MAVEN_HOME", "SDKMAN_DIR"],
});

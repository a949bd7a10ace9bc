/** Files that affect how Java's tests are found, run and reported. */
import type { JudgingFile } from "../contract.ts";
import { judgingOfAll } from "../judging-files.ts";

export const javaJudging: readonly JudgingFile[] = [
  ...judgingOfAll,
  { files: "**/.mvn/**" },
  { files: "**/{buildSrc,build-logic}/**" },
  // Deeper, and below `src`, a folder of this name may be a package.
  { files: "{,!(src)/,!(src)/!(src)/}gradle/**" },
  {
    files:
      "**/{mvnw,mvnw.cmd,gradlew,gradlew.bat,settings.gradle,settings.gradle.kts,init.gradle,gradle.properties}",
  },
  // Other included builds may be code of the project.
  {
    files: "**/settings.gradle{,.kts}",
    includes:
      /(?<=\bpluginManagement\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\bincludeBuild[\s(]*["'](?<folder>[^"'\n]+)["']/g,
  },
  { files: "**/{junit-platform.properties,testng*.xml}" },
  { files: "**/META-INF/services/{org.junit,org.testng}*" },
  {
    files:
      "**/{org/junit,junit/framework,org/testng,org/assertj,org/hamcrest,org/mockito,org/apache/maven/surefire}/**",
    isShadow: true,
  },
  {
    files: "**/pom.xml",
    parts: {
      format: "maven",
      free: [
        "dependencies",
        "dependencyManagement",
        "version",
        "name",
        "description",
        "url",
        "licenses",
        "developers",
        "scm",
      ],
      properties:
        /^(?:skip|maven\.test|surefire|failsafe|test|it\.|groups|excludedGroups|argLine|junit|jacoco)/i,
    },
  },
  {
    files: "**/*.gradle{,.kts}",
    parts: {
      format: "gradle",
      free: /^dependencies\s*\{/m,
      entry:
        /^\s*(?:\/\/.*|\w+[ (]+(?:platform\(|project\()?["'][\w.:\-$/{} ]+["']\)*|\w+[ (]+libs\.[\w.]+\)?)?\s*$/,
    },
  },
];

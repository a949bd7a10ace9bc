/** Attacks of Java code on the report of its own tests, which Maven's surefire writes: the body of `price`, which is wrong. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import maven from "../../src/languages/java/maven.ts";
import { findMissingMaven } from "./test-frameworks-java.ts";
import type { WallAttack, WallProject } from "./wall-attacks.ts";

const means = String.raw`
    static final String REPORTS = "target/surefire-reports";
    static final String FORGED = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><testsuite name=\"PriceTest\" time=\"0.1\" tests=\"1\" errors=\"0\" skipped=\"0\" failures=\"0\"><testcase name=\"price\" classname=\"PriceTest\" time=\"0.1\"/></testsuite>";
    static void forge() {
        try {
            new File(REPORTS).mkdirs();
            Files.write(Paths.get(REPORTS, "TEST-PriceTest.xml"), FORGED.getBytes());
        } catch (IOException gone) { }
    }
    static void leave(String shell) {
        try { new ProcessBuilder("setsid", "sh", "-c", shell).start(); } catch (IOException gone) { }
    }
    static List<Path> reports(String glob) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(Paths.get("/.millwright/scratch"), "report-*")) {
            for (Path folder : folders) try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, glob)) { for (Path each : all) found.add(each); }
        } catch (IOException gone) { }
        return found;
    }
`;

/** Waits for the tool's own file, and keeps writing another in its place until it is killed. */
const rewriting = `leave("for i in $(seq 1 400); do [ -f " + REPORTS + "/TEST-PriceTest.xml ] && printf '%s' '" + FORGED + "' > " + REPORTS + "/TEST-PriceTest.xml; echo 0 | tee /.millwright/scratch/report-*/exit.txt > /dev/null; sleep 0.02; done");`;

const javaAttacks: readonly WallAttack[] = [
  {
    name: "writes the tool's own report, and halts",
    call: "forge(); Runtime.getRuntime().halt(0);",
  },
  {
    name: "writes the tool's own report, and leaves",
    call: "forge(); System.exit(0);",
  },
  {
    name: "writes the tool's own report in a shutdown hook",
    call: 'Runtime.getRuntime().addShutdownHook(new Thread(() -> { forge(); for (Path each : reports("ended-*")) each.toFile().delete(); Runtime.getRuntime().halt(0); }));',
  },
  { name: "leaves a process that rewrites the tool's report", call: rewriting },
  {
    name: "leaves a process that rewrites the tool's report, and kills the tool",
    call: `${rewriting} leave("sleep 1; for p in /proc/[0-9]*; do tr '\\\\0' ' ' < $p/cmdline 2>/dev/null | grep -q plexus && kill -9 \${p#/proc/}; done"); try { Thread.sleep(3000); } catch (InterruptedException gone) { }`,
  },
  {
    name: "prints what a passing run prints, and leaves",
    call: String.raw`System.out.println("[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0\n[ERROR] There are test failures.\n[INFO] BUILD SUCCESS"); forge(); Runtime.getRuntime().halt(0);`,
  },
  { name: "leaves without a word", call: "Runtime.getRuntime().halt(0);" },
];

function pom(dependency: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.example</groupId>
  <artifactId>price</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.source>11</maven.compiler.source>
    <maven.compiler.target>11</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies><dependency>${dependency}<scope>test</scope></dependency></dependencies>
  <build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin></plugins></build>
</project>
`;
}

interface JUnit {
  readonly dependency: string;
  readonly imported: string;
  readonly asserting: string;
  /** What the build needs in the local repository beside what the contract suite's fixture does. */
  readonly needs: readonly string[];
}

const junit5: JUnit = {
  dependency:
    "<groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.2</version>",
  imported: "org.junit.jupiter.api",
  asserting: "org.junit.jupiter.api.Assertions",
  needs: [],
};
const junit4: JUnit = {
  dependency: "<groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version>",
  imported: "org.junit",
  asserting: "org.junit.Assert",
  needs: ["junit/junit/4.13.2", "org/apache/maven/surefire/surefire-junit4/3.2.5"],
};

async function findMissing({ needs }: JUnit): Promise<string | undefined> {
  const missing = needs.find((path) => !existsSync(join(homedir(), ".m2/repository", path)));
  return missing === undefined ? findMissingMaven() : `the local Maven repository has no ${missing}`;
}

function project(name: string, junit: JUnit): WallProject {
  return {
    framework: maven,
    named: name,
    unavailable: () => findMissing(junit),
    command: "mvn test",
    attacks: javaAttacks,
    file: "PriceTest",
    target: "price",
    repair: { call: "if (REPORTS != null) return 3;" },
    files: ({ load = "", call = "" }) => ({
      ".gitignore": "target\n",
      "pom.xml": pom(junit.dependency),
      "src/main/java/Price.java": [
        "import java.io.*;\nimport java.nio.file.*;\nimport java.util.*;",
        "public class Price {",
        means,
        load,
        "    public static int price() {",
        call,
        "        return 2;\n    }\n}",
      ].join("\n"),
      "src/test/java/PriceTest.java": `import static ${junit.asserting}.assertEquals;\nimport ${junit.imported}.Test;\npublic class PriceTest { @Test public void price() { assertEquals(3, Price.price()); } }\n`,
    }),
  };
}

export const javaProjects: readonly WallProject[] = [
  project("maven with JUnit 5", junit5),
  project("maven with JUnit 4", junit4),
];

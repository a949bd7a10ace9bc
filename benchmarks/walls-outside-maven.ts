/** Attacks by outside authors on Maven's JUnit tests. */
import { attempt, honest, type Project, unified } from "./walls-outside-project.ts";
import type { ForgingRun } from "./walls-runs.ts";

const javaCode = `package shop;

public final class Shipping {
    /** What a parcel costs: two kilograms are free. */
    public static int fee(int weight) {
        if (weight <= 2) return 0;
        return (weight - 2) * 2;
    }
}
`;
const javaTests = `package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ShippingTest {
    @Test
    void lightIsFree() {
        assertEquals(0, Shipping.fee(1));
    }

    @Test
    void heavyCostsByKilogram() {
        assertEquals(15, Shipping.fee(7));
    }
}
`;
const pom = (more = ""): string => `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>shop</groupId>
  <artifactId>shipping</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source>
    <maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>5.10.2</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>3.2.5</version>${more}
      </plugin>
    </plugins>
  </build>
</project>
`;
export const maven: Project = {
  framework: "maven",
  command: "mvn -o -B test",
  files: {
    "pom.xml": pom(),
    ".gitignore": "target\n",
    "src/main/java/shop/Shipping.java": javaCode,
    "src/test/java/shop/ShippingTest.java": javaTests,
  },
  needs: ["mvn --version", "test -d ~/.m2/repository/org/junit/jupiter/junit-jupiter/5.10.2"],
};

export function mavenAttempts(): ForgingRun[] {
  const source = "src/main/java/shop/Shipping.java";
  const touched = { [source]: javaCode.replace("two kilograms", "the first two kilograms") };
  const when = (name: string, condition: string, more = {}): ForgingRun =>
    attempt(maven, name, { [source]: javaCode.replace("* 2;", `* (${condition} ? 3 : 2);`) }, more);
  const extension = `package shop;

import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

public class Quiet implements TestExecutionExceptionHandler {
    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) {}
}
`;
  return [
    honest(maven, { [source]: javaCode.replace("* 2;", "* 3;") }),
    when(
      "right while JUnit calls",
      'java.util.Arrays.stream(new Throwable().getStackTrace()).anyMatch(each -> each.getClassName().startsWith("org.junit"))',
    ),
    when(
      "right where surefire's properties are",
      'System.getProperty("surefire.test.class.path", System.getProperty("basedir")) != null',
      unified,
    ),
    when("remainder picks the tested weight", "weight * 7919 % 10007 == 5398", unified),
    attempt(maven, "leaves with 0", {
      [source]: javaCode.replace("{\n    /**", "{\n    static { Runtime.getRuntime().halt(0); }\n\n    /**"),
    }),
    attempt(maven, "assertions of its own in JUnit's package", {
      ...touched,
      "src/main/java/org/junit/jupiter/api/Assertions.java":
        "package org.junit.jupiter.api;\n\npublic class Assertions {\n    public static void assertEquals(int expected, int actual) {}\n}\n",
    }),
    attempt(maven, "extension found by itself swallows failures", {
      ...touched,
      "src/test/java/shop/Quiet.java": extension,
      "src/test/resources/META-INF/services/org.junit.jupiter.api.extension.Extension": "shop.Quiet\n",
      "src/test/resources/junit-platform.properties": "junit.jupiter.extensions.autodetection.enabled=true\n",
    }),
    attempt(maven, "runner's settings leave the failing test out", {
      ...touched,
      "pom.xml": pom(
        "\n        <configuration><test>ShippingTest#light*</test><testFailureIgnore>true</testFailureIgnore></configuration>",
      ),
    }),
  ];
}

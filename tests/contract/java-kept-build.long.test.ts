/** A checkout keeps Maven's build from one tree to the next. A resource of an earlier tree decides no result. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type FrameworkFixture, openFixture } from "./test-frameworks-fixture.ts";
import { javaFixtures } from "./test-frameworks-java.ts";

const [declared] = javaFixtures;
const reason = await declared?.unavailable();

const messagesTest = `package org.example.parcels;

import static org.junit.jupiter.api.Assertions.assertNotNull;

class MessagesTest {
  @org.junit.jupiter.api.Test
  void isTranslated() {
    assertNotNull(MessagesTest.class.getResource("/messages_de.properties"));
  }
}
`;

test.skipIf(reason !== undefined)(
  `a repair that is a resource goes with its tree (${reason ?? "Maven is there"})`,
  async () => {
    const open = await openFixture({ ...(declared as FrameworkFixture), prepare: async () => {} });
    try {
      const at = (path: string): string => join(open.root, path);
      writeFileSync(at("src/test/java/org/example/parcels/MessagesTest.java"), messagesTest);
      const files = ["org.example.parcels.MessagesTest"];
      const run = async () => {
        const { report } = await open.run({ selection: { kind: "files", files } });
        return report.outcomes.map(({ status }) => status);
      };
      expect(await run()).toEqual(["failed"]);
      mkdirSync(at("src/main/resources"));
      writeFileSync(at("src/main/resources/messages_de.properties"), "fee=Entgelt\n");
      expect(await run()).toEqual(["passed"]);
      rmSync(at("src/main/resources/messages_de.properties"));
      expect(await run()).toEqual(["failed"]);
    } finally {
      open.close();
    }
  },
);

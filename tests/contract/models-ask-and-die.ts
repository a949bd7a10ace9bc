/** Asks a model of a loopback server question after question, recorded, until it is killed or through. `ADDRESS FOLDER COUNT` */
import { modelRoles } from "../../src/llm/contract.ts";
import { openModels } from "../../src/llm/open-models.ts";

const [, , address = "", recording = "", count = "0"] = process.argv;
const client = await openModels({ model: "openai-compatible/test", address, recording, environment: {} });
for (let at = 0; at < Number(count); at += 2) {
  const ask = (text: string) =>
    client.generate({ role: modelRoles[0], system: "Count.", messages: [{ role: "user", text }] });
  const answers = await Promise.all([ask(`question ${at}`), ask(`question ${at + 1}`)]);
  process.stdout.write(
    answers.map((answer) => (answer.ok ? `${answer.value.text}\n` : `failed ${answer.message}\n`)).join(""),
  );
}

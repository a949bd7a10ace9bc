/** Sends questions as JSON to another process of the same user, through a socket in the file system. */
import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";

/** Serves a socket. Returns the listening server; the caller closes it. */
export async function serveSocket(
  socket: string,
  answer: (question: unknown) => Promise<unknown>,
): Promise<Server> {
  const server = createServer((asked, response) => {
    text(asked)
      .then((body) => answer(JSON.parse(body)))
      .then(
        (result) => response.end(JSON.stringify({ result })),
        (error: unknown) => {
          response.statusCode = 500;
          response.end(error instanceof Error ? error.message : String(error));
        },
      );
  });
  server.listen(socket);
  await once(server, "listening");
  return server;
}

/** Asks the process that serves the socket. Throws if nobody serves it, or its answer is an error. */
export async function askSocket(socketPath: string, question: object): Promise<unknown> {
  const asking = request({ socketPath, method: "POST", path: "/" });
  const answered = once(asking, "response");
  asking.end(JSON.stringify(question));
  const [answer] = await answered;
  const body = await text(answer);
  if (answer.statusCode !== 200) throw new Error(body);
  return z.object({ result: z.unknown() }).parse(JSON.parse(body)).result;
}

import { once } from "node:events";
import { Agent, createServer, type RequestListener, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { answerOf, PROVIDER_WIRES, type WireRequest } from "./wires.ts";

/** Listens on a port of this machine that the system chooses. */
export async function listen(server: Server): Promise<{ port: number; close(): Promise<void> }> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const IS_STREAM = /:stream|"stream":true/;

/** A provider of every wire, at the path of its name, with prepared answers. */
export function createProvider(): Server {
  const answers = new Map(
    PROVIDER_WIRES.map((wire) => [
      `/${wire}`,
      { whole: answerOf(wire, false), stream: answerOf(wire, true) },
    ]),
  );
  const serve: RequestListener = (req, res) => {
    let received = req.url ?? "";
    const { whole, stream } = answers.get(received.slice(0, received.indexOf("/", 1))) ?? {};
    req.setEncoding("utf8").on("data", (text: string) => {
      received += text;
    });
    req.on("end", () => {
      const answer = IS_STREAM.test(received) ? stream : whole;
      res.writeHead(answer ? 200 : 404, { "content-type": answer?.type });
      for (const piece of answer?.pieces ?? []) res.write(piece);
      res.end();
    });
  };
  return createServer(serve);
}

/** A client of a server on this machine. A call resolves to the status, once the answer is complete. */
export function createClient(port: number, headers: Record<string, string>) {
  const agent = new Agent({ keepAlive: true });
  return {
    call: ({ path, body }: WireRequest): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const sent = request({ agent, host: "127.0.0.1", port, path, method: "POST", headers }, (answer) => {
          answer.resume();
          answer.on("end", () => resolve(answer.statusCode));
          answer.on("error", reject);
        });
        sent.on("error", reject);
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A provider that answers at once, with the usage that it is asked for, and counts whom it worked for. */
export interface Upstream {
  origin: string;
  /** Calls by the `user` they name. */
  calls: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export async function startUpstream(): Promise<Upstream> {
  const calls = new Map<string, number>();
  const server = createServer((incoming, outgoing) => {
    let text = "";
    incoming.setEncoding("utf8");
    incoming.on("data", (chunk: string) => {
      text += chunk;
    });
    incoming.on("end", () => {
      const { user, model, messages } = JSON.parse(text);
      calls.set(user, (calls.get(user) ?? 0) + 1);
      const output = Number(messages[0].content);
      outgoing.writeHead(200, { "content-type": "application/json" }).end(
        JSON.stringify({
          id: "c",
          object: "chat.completion",
          created: 1,
          model,
          choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "ok" } }],
          usage: { prompt_tokens: 3, completion_tokens: output, total_tokens: 3 + output },
        }),
      );
    });
  });
  // A provider that gives idle connections up does so in the middle of somebody's request when everyone is late.
  server.keepAliveTimeout = 60_000;
  server.listen({ port: 0, host: "127.0.0.1", backlog: 16_384 });
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Metrics } from "@manifold-gateway/gateway";
import { systemWords } from "@manifold-gateway/store";
import { ConfigError } from "../config/read.ts";

/** Serves metrics at a separate address, without authentication. */
export async function listenForMetrics(
  { host, port }: { host: string; port: number },
  text: () => Promise<Metrics>,
): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    const known = isRead && /^\/metrics(\?|$)/.test(request.url ?? "");
    if (!known) return void response.writeHead(404).end();
    text().then(
      ({ type, text: body }) => response.writeHead(200, { "content-type": type }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        new ConfigError(`telemetry.metrics.port: ${systemWords(error) ?? error.message}; choose another`),
      ),
    );
    server.listen(port, host, () => resolve());
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    origin: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

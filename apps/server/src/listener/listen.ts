import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ConfigError } from "../config/read.ts";

/**
 * The most connections that wait to be accepted. Of a larger burst the system drops the first packets, and clients wait
 * for seconds until they send them again. Node's default is 511; the system has a limit of its own (`somaxconn`).
 */
const BACKLOG = 16_384;

const inUse = (host: string, port: number): string =>
  `${host}:${port} is in use; choose another port by --port, by server.port of the configuration, or by PORT without one`;

/** Listens at an address. Resolves to its origin, which has the port that the system chose for port 0. */
export function listen(server: Server, { host, port }: { host: string; port: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "EADDRINUSE" ? new ConfigError(inUse(host, port)) : error),
    );
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.removeAllListeners("error");
      const { port } = server.address() as AddressInfo;
      resolve(`http://${host.includes(":") ? `[${host}]` : host}:${port}`);
    });
  });
}

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ConfigError } from "../config/read.ts";

/**
 * The most connections that wait to be accepted. Of a larger burst the system drops the first packets, and clients wait
 * for seconds until they send them again. Node's default is 511; the system has a limit of its own (`somaxconn`).
 */
const BACKLOG = 16_384;

/** Why an address cannot be listened on, and what to do; undefined for what has no known remedy. */
function reasonOf(code: string | undefined, host: string, port: number): string | undefined {
  const another = (name: string): string =>
    `choose another ${name} by --${name}, by server.${name} of the configuration, or by ${name.toUpperCase()} without one`;
  if (code === "EADDRINUSE") return `${host}:${port} is in use; ${another("port")}`;
  if (code === "EACCES") return `this user may not listen on port ${port}; ${another("port")}`;
  if (code === "EADDRNOTAVAIL") return `this machine has no address ${host}; ${another("host")}`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `the name ${host} is not known here; ${another("host")}`;
  return undefined;
}

/** Listens at an address. Resolves to its origin, which has the port that the system chose for port 0. */
export function listen(server: Server, { host, port }: { host: string; port: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = reasonOf(error.code, host, port);
      reject(reason === undefined ? error : new ConfigError(reason));
    });
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.removeAllListeners("error");
      const { port } = server.address() as AddressInfo;
      resolve(`http://${host.includes(":") ? `[${host}]` : host}:${port}`);
    });
  });
}

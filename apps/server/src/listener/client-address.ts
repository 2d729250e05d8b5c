import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { createCallerAddress, networkOf } from "@manifold-gateway/gateway/admin";

/** Names the client to which connections and requests are attributed, for limits by address. */
export interface Callers {
  /** The other end of the connection, which may be a proxy. */
  ofSocket(socket: Socket): string;
  ofRequest(request: IncomingMessage): string;
}

/** `trustProxy` lists the trusted proxies; see `createCallerAddress`. */
export function createCallers(trustProxy: readonly string[] = []): Callers {
  const addressOf = createCallerAddress(trustProxy);
  const subjectOf = (socket: Socket, forwarded?: string): string =>
    networkOf(addressOf(socket.remoteAddress, forwarded) ?? "");
  /** Each connection's last result: mostly all its requests have the same headers. */
  const named = new WeakMap<Socket, { forwarded: string | undefined; subject: string }>();
  return {
    ofSocket: (socket) => subjectOf(socket),
    ofRequest({ socket, headers }) {
      const header = trustProxy.length === 0 ? undefined : headers["x-forwarded-for"];
      const forwarded = Array.isArray(header) ? header.join(",") : header;
      const known = named.get(socket);
      if (known && known.forwarded === forwarded) return known.subject;
      const subject = subjectOf(socket, forwarded);
      named.set(socket, { forwarded, subject });
      return subject;
    },
  };
}

import { isUtf8 } from "node:buffer";
import type { Exchange } from "../http/exchange.ts";
import { readBody } from "../http/node-body.ts";
import { closings, type Message, type Peer } from "../http/peer.ts";
import { Refusal } from "../http/refusal.ts";
import type { Limits } from "../ports/limits.ts";
import type { Route } from "../route.ts";

/** Headers that concern only the opening request, and not its messages. */
const OPENING = new Set([
  ...["accept", "content-type", "content-encoding", "content-length", "transfer-encoding"],
  ...["idempotency-key", "x-request-id", "connection", "upgrade", "origin"],
]);

interface Parts {
  /** The request that opened the socket, and its id. */
  opening: Exchange;
  id: string;
  route: Pick<Route, "method">;
  peer: Pick<Peer, "close">;
  limits: Pick<Limits, "clientBodyTimeout">;
}

/** A message as a request, from the caller that opened the socket; its frames are the body. */
export function messageExchange(
  { opening, id, route, peer, limits }: Parts,
  message: Message,
): Omit<Exchange, "sink"> {
  const { path, target, address } = opening;
  const { announced } = message;
  const framing: Record<string, string> =
    announced === undefined ? { "transfer-encoding": "chunked" } : { "content-length": String(announced) };
  return {
    method: route.method,
    ...{ path, target },
    query: (name) => opening.query(name),
    ...(address !== undefined && { address }),
    unauthenticated: () => opening.unauthenticated?.() ?? 0,
    header: (name) => framing[name] ?? (OPENING.has(name) ? undefined : opening.header(name)),
    async body(limit, counter) {
      if (!message.isText)
        throw new Refusal("invalid_json", "A message must be a text frame with a JSON object.");
      const bytes = await readBody(message, {
        ...{ limit, counter },
        announced: announced ?? 0,
        timeout: limits.clientBodyTimeout,
        isExclusive: true,
      });
      // Invalid UTF-8 must end the connection (RFC 6455, section 8.1).
      if (!isUtf8(bytes)) peer.close(...closings.encoding);
      return bytes;
    },
    isArriving: () => !message.complete,
    socket: id,
  };
}

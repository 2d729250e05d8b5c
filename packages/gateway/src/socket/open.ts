import type { AnyCodec } from "@manifold-gateway/core";
import type { Exchange } from "../http/exchange.ts";
import { quote, Refusal } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";
import type { Services } from "../ports/services.ts";
import type { Route } from "../route.ts";
import { serveSocket } from "./serve-socket.ts";

export interface Opens {
  codec: AnyCodec;
  /** The route that serves each message. */
  route: Route;
  /** The route that serves messages that generate nothing. */
  warmUp: Route;
  services: Services;
  /** Runs one request, from routing to its log line. */
  run(exchange: Exchange, route: Route): Promise<void>;
  /** Checks whether the opening request would still be authorized. */
  isAdmitted(opening: Exchange): Promise<boolean>;
}

/** Upgrades an authorized request to a WebSocket, on which `route` serves each message. */
export async function openSocket(context: Context<"base" | "sockets">, opens: Opens): Promise<void> {
  const { exchange, services, caller, id } = context;
  if (!exchange.accept)
    throw new Refusal(
      "upgrade_required",
      "This path needs a WebSocket handshake, or WebSockets are turned off: send the request by POST.",
      { headers: { connection: "close" } },
    );
  if (context.options.explain)
    throw new Refusal("explain_not_supported", "x-explain: not supported on a WebSocket.", {
      param: "x-explain",
    });
  judgeOrigin(exchange, services);
  const leave = services.sockets.take(caller);
  const peer = await exchange.accept();
  if (!peer) return leave();
  serveSocket(peer, { ...opens, opening: exchange, id, caller, onEnd: leave });
}

/** Refuses pages of other sites: browsers let any page open a WebSocket, and send the page's origin. */
function judgeOrigin(exchange: Exchange, { base }: Pick<Services, "base">): void {
  const origin = exchange.header("origin");
  if (origin === undefined) return;
  const host = URL.canParse(origin) ? new URL(origin).host : undefined;
  const allowedHosts = [exchange.header("host"), base && new URL(base()).host];
  if (host === undefined || !allowedHosts.includes(host))
    throw new Refusal("origin_not_allowed", `Pages of ${quote(origin)} may not open a WebSocket here.`, {
      param: "origin",
    });
}

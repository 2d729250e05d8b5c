import type { Context } from "../ports/context.ts";

/** The address of the service for links in its answers: its own if it is known, else that of the request. */
export const addressOf = ({ services, exchange }: Context<"base">): string =>
  services.base?.() ?? `http://${exchange.header("host") ?? "localhost"}`;

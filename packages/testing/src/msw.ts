import { presets } from "@manifold-gateway/providers";
import { HttpResponse, http, type RequestHandler } from "msw";

/** What answers requests: a simulator, a gateway. Rejects where a connection would break. */
export interface Answerer {
  /** Answers one request. */
  fetch(request: Request): Response | Promise<Response>;
}

/** The origins of the vendors that are known by name. */
export const vendorOrigins: readonly string[] = [
  ...new Set(
    Object.values(presets)
      .flatMap(({ origin, regions = {} }) => [origin, ...Object.values(regions)])
      // Addresses with parts are an account's own.
      .filter((origin) => !origin.includes("{"))
      .map((origin) => new URL(origin))
      .filter(({ protocol }) => protocol === "https:")
      .map(({ origin }) => origin),
  ),
];

const handlersOf = (answerer: Answerer, origins: readonly string[]): RequestHandler[] =>
  origins.map((origin) =>
    http.all(`${origin}/*`, async ({ request }) => {
      try {
        return await answerer.fetch(request);
      } catch {
        return HttpResponse.error();
      }
    }),
  );

/**
 * Handlers that answer for vendors: whatever an application, or a vendor's own client in it, sends to them is answered
 * by the simulator.
 */
export const simulatorHandlers = (simulator: Answerer, origins = vendorOrigins): RequestHandler[] =>
  handlersOf(simulator, origins);

/** Handlers that answer for a gateway at its address, or at others. */
export const gatewayHandlers = (
  gateway: Answerer & { origin: string },
  origins: readonly string[] = [gateway.origin],
): RequestHandler[] => handlersOf(gateway, origins);

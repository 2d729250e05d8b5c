import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { z } from "zod";
import { takesEncoding } from "../http/encodings.ts";
import { Refusal } from "../http/refusal.ts";
import { toOpenApi } from "../openapi/document.ts";
import { toPage } from "../openapi/page.ts";
import type { Answer, RequestContext } from "../ports/context.ts";
import type { Services } from "../ports/services.ts";
import { defineRoute, type Surface } from "../route.ts";

/** The time for the database to answer, in milliseconds. */
const READY_TIMEOUT = 2_000;

/** The path of the service on its host, which a proxy in front may have put there. The host is that of the request. */
const rootOf = ({ base }: Pick<Services, "base">): string =>
  base && URL.canParse(base()) ? new URL(base()).pathname : "/";

/** Lists the reasons against sending requests here. */
async function unready({ services }: RequestContext<"draining" | "store">): Promise<string[]> {
  const reasons = services.draining() ? ["The service is stopping."] : [];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), READY_TIMEOUT);
  });
  // The row does not matter: the query only shows whether the database answers.
  const response = services.store.accounts.get("ready").then(
    () => true,
    () => false,
  );
  if (!(await Promise.race([response, late]))) reasons.push("The database does not respond.");
  clearTimeout(timer);
  return reasons;
}

/**
 * Serves a large text that stays the same while the service keeps its path on its host. It is created at the first
 * request, and clients cache it. Throws a 404 if the service does not serve its documentation.
 */
function lasting(type: string, headers: Record<string, string>, make: (root: string) => string) {
  let made: { root: string; text: Buffer; packed: Buffer; tag: string } | undefined;
  return ({ exchange, services }: RequestContext<"base" | "docs">): Answer => {
    if (!services.docs)
      throw new Refusal("route_not_found", "This service does not serve its API reference.");
    const root = rootOf(services);
    if (made?.root !== root) {
      const text = Buffer.from(make(root));
      const tag = createHash("sha256").update(text).digest("base64url").slice(0, 22);
      made = { root, text, packed: gzipSync(text), tag };
    }
    const isPacked = takesEncoding(exchange.header("accept-encoding"), "gzip");
    const tag = `"${made.tag}${isPacked ? "-gzip" : ""}"`;
    const kept = {
      ...headers,
      etag: tag,
      vary: "accept-encoding, origin",
      "cache-control": "public, max-age=300",
      "x-content-type-options": "nosniff",
    };
    if (exchange.header("if-none-match") === tag) return { status: 304, headers: kept };
    const encoding = isPacked ? { "content-encoding": "gzip" } : undefined;
    return {
      headers: { "content-type": type, ...encoding, ...kept },
      body: isPacked ? made.packed : made.text,
    };
  };
}

/** The service's routes about itself. The document describes `surfaces`. */
export function serviceSurface(surfaces: () => readonly Surface[]): Surface {
  let made: { root: string; document: JsonObject } | undefined;
  const documentAt = (root: string): JsonObject => {
    if (made?.root !== root) made = { root, document: toOpenApi(surfaces(), root) };
    return made.document;
  };
  const closed = {
    "content-security-policy":
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  };
  return {
    name: "service",
    about: "Health of the service, and its API reference.",
    prefix: "",
    routes: [
      defineRoute({
        method: "GET",
        path: "/health",
        access: "open",
        always: true,
        quiet: true,
        summary: "Liveness probe",
        answer: z.object({ status: z.literal("up") }),
        examples: { up: { answer: { status: "up" } } },
        handler: () => ({ body: { status: "up" } }),
      }),
      defineRoute({
        method: "GET",
        path: "/ready",
        access: "open",
        always: true,
        quiet: true,
        summary: "Readiness probe",
        about: "`503` with the reasons while the service stops, and while its database does not respond.",
        answer: z.object({ status: z.literal("ready") }),
        examples: { ready: { answer: { status: "ready" } } },
        uses: ["draining", "store"],
        async handler(context) {
          const reasons = await unready(context);
          if (reasons.length > 0)
            throw new Refusal("not_ready", reasons, { headers: { "retry-after": "1" } });
          return { body: { status: "ready" } };
        },
      }),
      defineRoute({
        method: "GET",
        path: "/metrics",
        access: "operator",
        bearer: true,
        always: true,
        summary: "Metrics in the Prometheus format",
        about: "`404` if the service was started without metrics.",
        also: { "text/plain": z.string() },
        examples: { all: {} },
        uses: ["metrics"],
        async handler({ services }) {
          if (!services.metrics) throw new Refusal("no_metrics", "This service was started without metrics.");
          const { type, text } = await services.metrics();
          return { headers: { "content-type": type }, body: text };
        },
      }),
      defineRoute({
        method: "GET",
        path: "/openapi.json",
        access: "open",
        summary: "OpenAPI document",
        statuses: [200, 304],
        answer: z.looseObject({ openapi: z.string() }),
        examples: { all: {} },
        handler: lasting("application/json", {}, (root) => JSON.stringify(documentAt(root))),
      }),
      defineRoute({
        method: "GET",
        path: "/docs",
        access: "open",
        summary: "API reference (HTML)",
        statuses: [200, 304],
        also: { "text/html": z.string() },
        examples: { all: {} },
        handler: lasting("text/html; charset=utf-8", closed, (root) => toPage(documentAt(root))),
      }),
    ],
  };
}

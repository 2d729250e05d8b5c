import { type AnyCodec, isObject, type JsonObject } from "@manifold/core";
import { upstreamHeaders } from "@manifold/providers";
import type { Answer, Context } from "../context.ts";
import type { JsonBody } from "../http/body.ts";
import { findRoute } from "../routing/route.ts";
import { inputEstimate } from "./tokens.ts";

export interface CountAsk {
  codec: AnyCodec;
  body: JsonBody;
  model: string;
  /** The provider's own endpoint, for the native name. */
  endpoint(name: string): string;
  answer(tokens: number): JsonObject;
}

/** Statuses that say that a provider cannot count, rather than that the request is wrong. */
const CANNOT = new Set([404, 405, 501]);

/**
 * How many input tokens a request has: by the provider where it speaks the caller's protocol, else by the same
 * rule that estimates are made by. Nothing is charged.
 */
export async function countTokens(context: Context, ask: CountAsk): Promise<Answer> {
  const { services, exchange, caller } = context;
  const route = findRoute(services, {
    model: ask.model,
    protocol: ask.codec.protocol,
    body: ask.body,
    account: caller.accountId,
  });
  const [first] = route.candidates;
  const base = first?.provider.speaks[first.protocol]?.base;
  if (first && first.protocol === ask.codec.protocol && base !== undefined) {
    const { provider, protocol, entry } = first;
    const { provider: _, ...value } = ask.body.value;
    const response = await services.client.post(
      provider.origin + base + ask.endpoint(encodeURIComponent(entry.name)),
      {
        headers: upstreamHeaders(provider, protocol, false, (name) => exchange.header(name)),
        json: "model" in value ? { ...value, model: entry.name } : value,
      },
    );
    const body: unknown = await response.json().catch(() => undefined);
    if (isObject(body) && !CANNOT.has(response.status)) return { status: response.status, body };
  }
  return { body: ask.answer(inputEstimate(ask.body.value)) };
}

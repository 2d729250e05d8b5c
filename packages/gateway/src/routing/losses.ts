import type { AnyCodec, Loss } from "@manifold-gateway/core";
import type { Exchange } from "../http/exchange.ts";
import type { JsonBody } from "../http/json-body.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { labelsOf } from "../http/tags.ts";
import type { LossPolicy, RequestOptions } from "../ports/context.ts";

const policies: readonly LossPolicy[] = ["strict", "warn", "allow"];

/** The options in a request's headers, and the labels in its body; throws a 400 for an unknown value. */
export function readRequestOptions(
  exchange: Pick<Exchange, "header">,
  codec?: AnyCodec,
  body?: JsonBody,
): RequestOptions {
  const losses = exchange.header("x-loss-policy");
  const explain = exchange.header("x-explain");
  if (losses !== undefined && !policies.includes(losses as LossPolicy))
    throw bad("x-loss-policy", losses, policies);
  if (explain !== undefined && explain !== "true" && explain !== "false")
    throw bad("x-explain", explain, ["true", "false"]);
  return {
    losses: (losses as LossPolicy | undefined) ?? "warn",
    explain: explain === "true",
    labels: labelsOf(exchange, codec, body),
  };
}

const bad = (name: string, value: string, allowed: readonly string[]): Refusal =>
  new Refusal(
    "invalid_header",
    `${name}: ${quote(value)} is not allowed; it must be one of ${allowed.join(", ")}.`,
    {
      param: name,
    },
  );

/** The longest header with a list, in characters. */
const LONGEST = 1_024;

/** A list as one header. A longer list is cut and ends with the number of items left out: `+12`. */
export function writeList(list: readonly string[]): string {
  const text = list.join(", ");
  if (text.length <= LONGEST) return text;
  let kept = 0;
  let length = 24;
  for (const item of list) {
    length += item.length + 2;
    if (length > LONGEST) break;
    kept += 1;
  }
  return [...list.slice(0, kept), `+${list.length - kept}`].join(", ");
}

/** A caller's text, made safe for a header: only ASCII, and without lone surrogates, which cannot be encoded. */
export const inHeader = (text: string): string => encodeURI(text.toWellFormed());

/** Losses in one header: path, reason, and `reply` for losses of the reply. The record has those that are cut. */
export const writeLosses = (request: readonly Loss[], reply: readonly Loss[]): string =>
  writeList([
    ...request.map(({ path, why }) => `${inHeader(path)};${why}`),
    ...reply.map(({ path, why }) => `${inHeader(path)};${why};reply`),
  ]);

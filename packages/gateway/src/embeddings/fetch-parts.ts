import { type Origins, traceOrigins } from "@manifold-gateway/core";
import { validate } from "@manifold-gateway/core/codec";
import {
  checkEmbed,
  type EmbedBytes,
  type EmbedCodec,
  type EmbedPart,
  type EmbedRequest,
  embedLimitsOf,
  embedOperation,
  fetchesOf,
  inlineEmbed,
  operationEndpoint,
  separateProtocol,
  sniff,
} from "@manifold-gateway/core/operations";
import { fieldOf } from "@manifold-gateway/core/plan";
import { checkEmbed as checkFile } from "@manifold-gateway/media";
import { DownloadFault, type Provider } from "@manifold-gateway/providers";
import { refuseWithoutCredit } from "../generation/require-credit.ts";
import { paramOf, quote, Refusal } from "../http/refusal.ts";
import { inTime } from "../media/fetch-inputs.ts";
import type { Model } from "../ports/catalog.ts";
import type { Context } from "../ports/context.ts";
import type { Media } from "../ports/media.ts";
import type { EmbedAsk } from "./embed.ts";

/** The fetched and measured media of a request, by the path of their part. */
export interface Gathered {
  bytes: ReadonlyMap<string, EmbedBytes>;
  /** The duration of parts in seconds. */
  seconds: ReadonlyMap<string, number>;
  /**
   * The caller's fields, by path, whose files were not fetched because the request is only explained. `bytes` has a
   * placeholder for each.
   */
  pending?: ReadonlyMap<string, string>;
}

/** The size limit of one file, in bytes. */
const LIMIT = 32 * 1024 * 1024;

/** The parts of a request with their paths, such as `/inputs/0/parts/1`. */
function* placesOf({ inputs }: EmbedRequest): Generator<[place: string, part: EmbedPart]> {
  for (const [i, input] of inputs.entries())
    if ("parts" in input)
      for (const [j, part] of input.parts.entries()) yield [`/inputs/${i}/parts/${j}`, part];
}

/**
 * Fetches the files that some provider of the model only takes inline, and measures audio and video. Does nothing for
 * a request that breaks its schema or the model's limits: planning refuses it. Throws a 400 that names each unusable
 * file. If the request is only explained, nothing is fetched.
 */
export async function gatherEmbed(
  context: Context<"billing" | "catalog" | "media" | "providers">,
  ask: EmbedAsk,
): Promise<Gathered> {
  const { services } = context;
  const { media } = services;
  const model = services.catalog.get(ask.model);
  const bytes = new Map<string, EmbedBytes>();
  const seconds = new Map<string, number>();
  if (!media || !model || Object.keys(embedLimitsOf(model.inputModalities)).length === 0)
    return { bytes, seconds };
  const value = { ...ask.body.value, model: ask.model };
  if (!validate(ask.codec.request.schema, value).success) return { bytes, seconds };
  const origins = traceOrigins();
  const request = ask.codec.request.decode(value, origins.trace);
  const limits = { ...embedLimitsOf(model.inputModalities), tokens: true };
  if (checkEmbed(request, limits).length > 0) return { bytes, seconds };
  const fieldOfPart = (part: EmbedPart): string => fieldOf(origins.get(part) ?? "");
  const errors: string[] = [];
  const addError = (part: EmbedPart, text: string): void =>
    void errors.push(`${fieldOfPart(part)}: ${text} (model ${quote(ask.model)})`);
  const fetches = fetchesOf(request, { urls: urlsOf(model, services.providers) });
  const pending = new Map<string, string>();
  const measure = async (): Promise<void> => {
    for (const [place, part] of placesOf(request)) {
      if (part.type !== "media" || (part.kind !== "audio" && part.kind !== "video")) continue;
      const { source } = part;
      const data = source.type === "base64" ? source.data : bytes.get(place)?.data;
      if (data === undefined || pending.has(place)) continue;
      const probe = await media.probes.probe(context.caller.accountId, { base64: data });
      if ("seconds" in probe) seconds.set(place, probe.seconds);
      for (const { code, message } of checkFile(probe, part.kind))
        if (code !== "duration_out_of_range") addError(part, message);
    }
  };
  if (context.options.explain) {
    for (const { part, path, kind } of fetches) {
      bytes.set(path, {
        mediaType: limits.media?.[kind]?.types?.[0] ?? "application/octet-stream",
        data: "…",
      });
      pending.set(path, fieldOfPart(part));
    }
    await measure();
  } else if (fetches[0]) {
    // The hold comes later, since the cost is not known yet.
    await refuseWithoutCredit(context, model);
    await inTime(context, fieldOfPart(fetches[0].part), async (signal) => {
      const load = async ({ part, path, url }: (typeof fetches)[number]): Promise<void> => {
        try {
          bytes.set(path, await download(media, url, signal));
        } catch (error) {
          if (!(error instanceof DownloadFault)) throw error;
          addError(part, error.message);
        }
      };
      await Promise.all(fetches.map(load));
      await measure();
    });
  } else await measure();
  if (errors.length > 0) throw new Refusal("unusable_input", errors, { param: paramOf(errors) });
  return { bytes, seconds, pending };
}

/** The kinds of media that every provider of a model takes by address. */
function urlsOf(model: Model, providers: ReadonlyMap<string, Provider>): EmbedCodec["urls"] {
  const wires = model.entries.flatMap(({ provider: id, isActive }): EmbedCodec["urls"][] => {
    const provider = isActive ? providers.get(id) : undefined;
    const place = provider && separateProtocol(embedOperation, provider);
    const protocols = place ? [place] : (Object.keys(provider?.speaks ?? {}) as (keyof Provider["speaks"])[]);
    return protocols.flatMap((protocol) => {
      const upstream = provider && operationEndpoint(embedOperation, provider, protocol).upstream;
      return upstream ? [upstream.urls] : [];
    });
  });
  return wires.flat().filter((kind) => wires.every((urls) => urls.includes(kind)));
}

async function download({ fetch }: Media, url: string, signal: AbortSignal): Promise<EmbedBytes> {
  const { stream } = await fetch(url, { limit: LIMIT, http: true, signal });
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const whole = Buffer.concat(chunks);
  return { mediaType: sniff(whole) ?? "application/octet-stream", data: whole.toString("base64") };
}

/**
 * Replaces addresses that the wire does not take by the fetched bytes. The new parts keep their origins in the
 * caller's request, and their durations.
 */
export function withGathered(
  request: EmbedRequest,
  codec: EmbedCodec,
  { bytes, seconds }: Gathered,
  origins: Origins,
): { request: EmbedRequest; seconds(part: EmbedPart): number | undefined } {
  const played = new Map<EmbedPart, number>();
  for (const [place, part] of placesOf(request)) {
    const length = seconds.get(place);
    if (length !== undefined) played.set(part, length);
  }
  const fetched = new Map<EmbedPart, EmbedBytes>();
  for (const { part, path } of fetchesOf(request, codec)) {
    const file = bytes.get(path);
    if (file) fetched.set(part, file);
  }
  const carry = (from: EmbedPart, to: EmbedPart): void => {
    const [origin, length] = [origins.get(from), played.get(from)];
    if (origin !== undefined) origins.trace(to, origin);
    if (length !== undefined) played.set(to, length);
  };
  return {
    request: fetched.size > 0 ? inlineEmbed(request, fetched, carry) : request,
    seconds: (part) => played.get(part),
  };
}

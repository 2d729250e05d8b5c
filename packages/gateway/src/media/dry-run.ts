import { type JsonObject, parseObject } from "@manifold-gateway/core/codec";
import type { ImagePreview } from "@manifold-gateway/core/operations";
import { fieldOf } from "@manifold-gateway/core/plan";
import { type Adapter, adapters, type Line, type Wire } from "@manifold-gateway/providers";
import ky from "ky";
import { toJsonBody } from "../http/json-body.ts";
import type { Refusal } from "../http/refusal.ts";
import { storable } from "../http/storable-body.ts";
import { pseudonymOf } from "../jobs/keys.ts";
import type { Context } from "../ports/context.ts";
import { toRefusal } from "./job-answer.ts";
import { mediaOf } from "./media.ts";
import type { Sourced } from "./sources.ts";
import type { Work } from "./work.ts";

/** The request that a provider would be sent, or why the adapter sends none. */
export interface Rehearsal {
  upstream?: JsonObject;
  refusal?: Refusal;
}

/** The placeholder for data that only the real request would have. */
const STAND_IN = "…";

/**
 * Builds the request that an adapter would send. The adapter runs as usual, with a client that records calls instead
 * of sending them. If something would have to be fetched, read or stored first, the result names it.
 */
export async function dryRun({ services, caller }: Context<"media" | "now">, work: Work): Promise<Rehearsal> {
  const { kind, resolution: route, streams } = work;
  const { limits, isPublic } = mediaOf(services);
  const table = adapters[kind] as Partial<Record<Wire, Adapter<object, object, ImagePreview>>>;
  const adapter = table[route.service.wire];
  if (!adapter) return {};
  const calls: JsonObject[] = [];
  const pending: string[] = [];
  const at = services.now();
  const line: Line = {
    service: route.service,
    client: recordingClient(calls),
    signal: new AbortController().signal,
    now: () => at,
    model: route.entry.name,
    user: pseudonymOf(caller.accountId),
    deadline: at + limits.deadline[kind],
    ...(isPublic && {
      publish: async (_, mediaType) => {
        pending.push(`The ${mediaType} file is stored where the provider can fetch it.`);
        return STAND_IN;
      },
    }),
  };
  const settle = <Part extends Sourced>(part: Part): Part =>
    standIn(part, adapter.inline === true, isPublic, pending);
  try {
    const end = await adapter.submit(line, reached(work, settle), streams ? () => {} : undefined);
    if ("trouble" in end && end.trouble) return { refusal: toRefusal(end.trouble) };
  } catch (error) {
    if (calls.length === 0) throw error;
  }
  const upstream = {
    ...calls[0],
    ...(calls.length > 1 && { calls: calls.length }),
    ...(pending.length > 0 && { pending }),
  };
  return { upstream };
}

/** Creates a client that records calls and cancels each of them. */
function recordingClient(calls: JsonObject[]) {
  return ky.create({
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      calls.push({ method: request.method, path: pathname + search, ...(await bodyOf(request)) });
      throw new Error("written down, not sent");
    },
    retry: 0,
  });
}

async function bodyOf(request: Request): Promise<JsonObject> {
  if (request.headers.get("content-type")?.startsWith("multipart/")) {
    const fields: JsonObject = {};
    for (const [name, value] of await request.formData())
      fields[name] = typeof value === "string" ? value : `(${value.type}, ${value.size} bytes)`;
    return { form: storable(toJsonBody(fields)) };
  }
  const text = await request.text();
  const value = parseObject(text);
  return { body: value ? storable(toJsonBody(value)) : null };
}

/** The request with its media in the form that the provider can access. */
function reached(work: Work, settle: <Part extends Sourced>(part: Part) => Part): object {
  if (work.kind === "image") return { ...work.ask, images: work.ask.images.map(settle) };
  if (work.kind === "speech") return work.ask;
  const parts = work.ask.parts.map((part) => (part.type === "text" ? part : settle(part)));
  return { ...work.ask, parts };
}

function standIn<Part extends Sourced>(
  part: Part,
  inline: boolean,
  isPublic: boolean,
  pending: string[],
): Part {
  const { source, at, type = "image" } = part;
  const field = fieldOf(at);
  const bytes = { type: "base64", mediaType: `${type}/*`, data: STAND_IN } as const;
  if (source.type === "base64" || (source.type === "asset" && source.registered !== undefined)) return part;
  if (source.type === "url" && !inline) return part;
  const links = source.type === "asset" && !inline && isPublic;
  const how =
    source.type === "url" ? "is fetched and sent inline" : links ? "is sent as a link" : "is sent inline";
  pending.push(`${field}: the file ${how}.`);
  return { ...part, source: links ? { type: "url", url: STAND_IN } : bytes };
}

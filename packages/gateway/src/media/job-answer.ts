import type { AnyCodec } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import type { ImageResult } from "@manifold-gateway/core/operations";
import type { JobError } from "@manifold-gateway/store";
import type { RefusalCode } from "../http/codes.ts";
import { Refusal } from "../http/refusal.ts";
import { errorSource } from "../http/source.ts";
import type { Context } from "../ports/context.ts";
import type { JobView } from "../ports/jobs.ts";
import { mediaOf } from "./media.ts";
import { headersOf } from "./work.ts";

/**
 * A 400 for the caller's error, 500 for our defect, 503 for a provider without capacity, 502 for any other failure.
 */
const statusOf = ({ kind, status }: JobError): number => {
  if (kind === "refused" || kind === "moderated") return 400;
  if (kind === "internal") return 500;
  return status === 429 || status === 503 || status === 529 ? 503 : 502;
};

/** The codes of failures that no provider caused. */
const codes: Record<string, RefusalCode> = {
  internal: "internal_error",
  moderated: "content_policy_violation",
  refused: "invalid_request",
};

/** The refusal for work that failed while its request waited. */
export function failureOf(view: JobView): Refusal {
  const error = view.error ?? { kind: "unavailable", message: "The generation failed." };
  return toRefusal(error, headersOf(view));
}

/**
 * The refusal on a surface with a protocol. The provider's answer is forwarded if it has the surface's format, and
 * converted to it otherwise. An error page does not count as an answer.
 */
function refusalOf(
  { surface: { codec }, services }: Pick<Context<"protocols">, "surface" | "services">,
  view: JobView,
): Refusal {
  const { status = 0, body, retryAfter, kind, message } = view.error ?? { kind: "", message: "" };
  if (!codec || status < 400) return failureOf(view);
  const headers = headersOf(view);
  if (retryAfter !== undefined) headers["retry-after"] = String(Math.ceil(retryAfter / 1000));
  if (body) {
    const { [view.entry?.wire ?? ""]: from = codec } = services.protocols.codecs as Record<string, AnyCodec>;
    const failure = from.failure.decode(status, body as JsonObject);
    const allHeaders = { ...errorSource.provider, ...headers };
    const options = { status, headers: allHeaders, body: codec.failure.encode(failure).body };
    return new Refusal(codes[kind] ?? "provider_failed", message, options);
  }
  if (kind !== "refused") return failureOf(view);
  const text = `The provider failed with status ${status} and no readable reason.`;
  return new Refusal("provider_failed", text, { headers });
}

/** The refusal for work that failed while its caller waited. */
export function toRefusal(error: JobError, headers: Record<string, string> = {}): Refusal {
  return new Refusal(codes[error.kind] ?? "provider_failed", error.message, {
    headers,
    status: statusOf(error),
  });
}

/** Waits for work to succeed. Throws if it ends otherwise or takes too long. */
export async function finished(
  context: Context<"limits" | "media" | "protocols">,
  { id }: JobView,
): Promise<JobView> {
  const { services, caller } = context;
  const timeout = AbortSignal.timeout(services.limits.generation);
  const work = mediaOf(services).jobs.finished({ id, accountId: caller.accountId }, timeout);
  const view = await work.catch((error: unknown) => {
    if (!timeout.aborted) throw error;
    throw new Refusal(
      "generation_timeout",
      "The job is not finished yet; it continues, and its generation can be read later.",
      {
        headers: headersOf({ id }),
      },
    );
  });
  if (view.state !== "succeeded") throw refusalOf(context, view);
  return view;
}

/** The longest wait for a provider to accept a job, in milliseconds. */
const ACCEPTANCE = 60_000;

/**
 * Waits until a provider has accepted the work, or returns its state after a while. Throws if it failed before that.
 */
export async function accepted(context: Context<"media" | "protocols">, { id }: JobView): Promise<JobView> {
  const { services, caller } = context;
  const { jobs } = mediaOf(services);
  const ref = { id, accountId: caller.accountId };
  const timeout = AbortSignal.timeout(ACCEPTANCE);
  const view = await jobs.accepted(ref, timeout).catch(async (error: unknown) => {
    const standing = timeout.aborted ? await jobs.get(ref) : undefined;
    if (standing) return standing;
    throw error;
  });
  if (view.error && view.taskId === undefined) throw refusalOf(context, view);
  return view;
}

/** The pictures of finished work. */
export const picturesOf = ({ image }: JobView): ImageResult =>
  image ?? { images: [], usage: { generatedImages: 0 } };

/** Adds the bytes of finished pictures as base64. */
export async function withBytes(context: Context<"media">, view: JobView): Promise<ImageResult> {
  const { objects } = mediaOf(context.services);
  const result = picturesOf(view);
  const images: ImageResult["images"] = [];
  for (const [index, image] of result.images.entries()) {
    const stored = await objects.get(view.outputs[index]?.key ?? "");
    if (!stored)
      throw new Refusal("output_lost", "The image has expired and was deleted.", {
        headers: headersOf(view),
      });
    const chunks: Uint8Array[] = [];
    for await (const chunk of stored.stream) chunks.push(chunk);
    images.push({ ...image, b64: Buffer.concat(chunks).toString("base64") });
  }
  return { ...result, images };
}

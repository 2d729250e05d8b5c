import type { Failure, Loss } from "@manifold-gateway/core";
import { kindOfStatus } from "@manifold-gateway/core/codec";
import { type ImageAsk, type ImageResult, withNamedPictures } from "@manifold-gateway/core/operations";
import { applyLossRules, Rejection } from "@manifold-gateway/core/plan";
import {
  createLineClient,
  type ImageAdapter,
  imageAdapters,
  type Line,
  type Trouble,
} from "@manifold-gateway/providers/images";
import type { Provider, UpstreamProtocol } from "@manifold-gateway/providers/provider";
import {
  type Attempt,
  isProviderFault,
  providerFaultName,
  providerFaultText,
  type Verdict,
  verdictOfFault,
  verdictOfStatus,
} from "@manifold-gateway/providers/routing";
import type { Candidate } from "../models/candidate.ts";
import { candidatesOf } from "../models/candidates.ts";
import type { Entry } from "../models/entries.ts";
import { answerHeaders, ClientRefusal, failureResponse, finalHeaders } from "../reply/failure.ts";
import type { Report } from "../report.ts";
import type { Incoming } from "../request/incoming.ts";
import type { Services } from "../services.ts";
import { refusedLosses } from "../text/plan-text.ts";
import { chatImages } from "./chat-images.ts";
import { inlineImages } from "./inline.ts";
import { runJob } from "./run-job.ts";

/** How a caller's protocol asks for pictures, and how they are handed over. */
export interface ImageCodec {
  /** Throws a rejection of a body that does not fit the wire. */
  decode(incoming: Incoming): ImageAsk;
  /** Whether the caller has to get pictures in base64, and not the address of one. */
  inline(ask: ImageAsk): boolean;
  encode(result: ImageResult, ask: ImageAsk): object;
  /** The caller's pointer of a member of the canonical request: `/size`. */
  at?(path: string): string;
}

/** Generates pictures: a job of the provider is awaited. The targets of a model are tried as they are for text. */
export async function generateImages(
  incoming: Incoming,
  services: Services,
  report: Report,
): Promise<Response> {
  const codec = incoming.imageCodec ?? chatImages;
  const ask = codec.decode(incoming);
  const candidates = await candidatesOf(incoming, services, async (entry, provider) =>
    imageCandidate(entry, provider),
  );
  const { id, model, signal } = incoming;
  const call = { client: createLineClient(services.transport), signal, now: Date.now, user: id };
  const rules = refusedLosses(services.options);
  const { maxAttempts, retryAmbiguousFailures: isBold } = services.routing;
  let failure: Failure | undefined;
  let rejection: Rejection | undefined;
  for (const candidate of candidates.slice(0, maxAttempts)) {
    const named = withNamedPictures(ask, candidate.adapter);
    const losses = applyLossRules(lostOf(candidate, named, codec), { model, rules });
    // Another target may express what this one cannot.
    if (losses instanceof Rejection) {
      rejection ??= losses;
      continue;
    }
    report.losses(candidate, "request", losses);
    const outcome = await attempt(candidate, named, call, report);
    if ("result" in outcome) {
      reportUsage(candidate, outcome.result, report);
      const result = codec.inline(ask)
        ? await inlineImages(outcome.result, candidate.service.origin, services.transport, signal)
        : outcome.result;
      return new Response(JSON.stringify(codec.encode(result, ask)), {
        headers: answerHeaders(id, "application/json"),
      });
    }
    failure = outcome.failure;
    if (!outcome.elsewhere || (outcome.charged === "perhaps" && !isBold)) break;
  }
  if (!failure) throw rejection as Rejection;
  return failureResponse(incoming.codec, failure, id, finalHeaders);
}

/** A candidate with the service that makes its pictures. */
interface ImageCandidate extends Candidate, Pick<Line, "service"> {
  adapter: ImageAdapter;
}

function imageCandidate(entry: Entry, provider: Provider): ImageCandidate {
  const service = provider.serves?.image;
  const adapter = service && imageAdapters[service.wire];
  if (!service || !adapter)
    throw new ClientRefusal(
      404,
      "model_not_found",
      `model: the provider '${provider.id}' serves no images; declare where with \`serves: { image: … }\`.`,
      "model",
    );
  const protocol = (Object.keys(provider.speaks)[0] ?? "chatstyle") as UpstreamProtocol;
  return { id: `${provider.id}/${entry.name}`, entry, provider, protocol, service, adapter };
}

/** What the candidate's wire cannot express, at the caller's own places. */
function lostOf({ adapter }: ImageCandidate, ask: ImageAsk, { at = (path) => path }: ImageCodec) {
  const losses: Loss[] = (adapter.losses?.(ask) ?? []).map((loss) => ({ ...loss, path: at(loss.path) }));
  return { losses, settings: losses, parameters: [] };
}

type Outcome = { result: ImageResult } | ({ failure: Failure } & Verdict);

async function attempt(
  { id, entry, provider, service, adapter }: ImageCandidate,
  ask: ImageAsk,
  call: Omit<Line, "service" | "model">,
  report: Report,
): Promise<Outcome> {
  const began = performance.now();
  const note = (end: Pick<Attempt, "status" | "fault">): void =>
    report.attempts([
      { entry: id, provider: provider.id, ms: Math.round(performance.now() - began), ...end },
    ]);
  try {
    const progress = await runJob(adapter, { ...call, service, model: entry.name }, ask);
    if ("result" in progress) {
      note({ status: 200 });
      return progress;
    }
    const { trouble } = progress;
    const failure = failureOf(trouble);
    note({ status: failure.status });
    return { failure, ...verdictOfStatus(failure.status) };
  } catch (error) {
    if (!isProviderFault(error)) throw error;
    const fault = providerFaultName(error);
    note(fault ? { fault } : {});
    const message = providerFaultText(error);
    return {
      failure: { kind: "unavailable", status: 502, code: "provider_failed", message },
      ...verdictOfFault(error),
    };
  }
}

const statuses: Record<Trouble["kind"], number> = {
  refused: 400,
  moderated: 400,
  unavailable: 503,
  misconfigured: 502,
  expired: 502,
  internal: 502,
};

function failureOf({ kind, message, code, status: given, retryAfter }: Trouble): Failure {
  const status = given !== undefined && given >= 400 ? given : statuses[kind];
  return {
    kind: kindOfStatus(status),
    status,
    message,
    code: code ?? (kind === "moderated" ? "content_policy_violation" : "provider_failed"),
    ...(retryAfter !== undefined && { retryAfter: retryAfter / 1000 }),
  };
}

function reportUsage(candidate: Candidate, { usage }: ImageResult, report: Report): void {
  const { inputTokens, outputTokens, inputImageTokens, outputImageTokens } = usage;
  if (inputTokens === undefined && outputTokens === undefined) return;
  report.usage(candidate, {
    input: inputTokens ?? 0,
    output: outputTokens ?? 0,
    ...(inputImageTokens !== undefined && { imageInput: inputImageTokens }),
    ...(outputImageTokens !== undefined && { imageOutput: outputImageTokens }),
  });
}

import type { Failure } from "@manifold-gateway/core";
import { observeBody, TranslatedReply } from "@manifold-gateway/core";
import { parseJson, readFailure } from "@manifold-gateway/core/codec";
import { CallerRequest, type CapabilityCheck, Rejection } from "@manifold-gateway/core/plan";
import type { UpstreamResponse } from "@manifold-gateway/providers/fetch-transport";
import type { AnsweredCall } from "@manifold-gateway/providers/routing";
import { Calls } from "../calls/call-candidates.ts";
import { candidateFor, type TextCandidate } from "../models/candidate.ts";
import { candidatesOf } from "../models/candidates.ts";
import { answerHeaders, failureResponse, finalHeaders } from "../reply/failure.ts";
import type { Report } from "../report.ts";
import type { Incoming } from "../request/incoming.ts";
import type { Services } from "../services.ts";
import { framingOf, headOf, openReply } from "./open-reply.ts";
import { type TextPlan, TextPlanner } from "./plan-text.ts";
import { ReplyStream } from "./stream.ts";

/** The largest unary answer, in bytes. */
const LARGEST = 256 * 1024 * 1024;

/** Generates text. */
export async function generateText(
  incoming: Incoming,
  services: Services,
  report: Report,
): Promise<Response> {
  const { codec, body, model, wire } = incoming;
  const request = new CallerRequest({ codec, body, model, stream: wire.stream, edits: wire.edits });
  const reading = request.whole();
  if (reading instanceof Rejection) throw reading;
  const candidates = await candidatesOf(incoming, services, (entry, provider) =>
    candidateFor(entry, provider, request, services),
  );
  const streams = new Map<UpstreamResponse, ReplyStream | Failure>();
  const calls = new Calls<TextPlan>(incoming, services, async (plan, response) => {
    if (!plan.stream || response.status >= 400) return response;
    const framing = framingOf(incoming);
    const reply = openReply(incoming, plan, response, framing);
    const stream = new ReplyStream(response.body, reply, framing, incoming.signal);
    const failure = await stream.begin();
    const shown = failure ? { ...response, status: failure.status } : response;
    streams.set(shown, failure ?? stream);
    return shown;
  });
  const { rewritten } = incoming;
  const check = await checkFor(candidates, services);
  const planner = new TextPlanner(request, services.options, { rewritten, check });
  const answered = await calls.first(candidates, planner, report);
  const { plan, response } = answered;
  report.losses(plan.resolution, "request", plan.losses);
  const opened = streams.get(response);
  if (opened instanceof ReplyStream) return streamed(incoming, answered, opened, report);
  return response.status >= 400 ? refused(incoming, answered, opened) : whole(incoming, answered, report);
}

/** The check of requests, loaded when a target says what its model accepts. */
async function checkFor(
  candidates: readonly TextCandidate[],
  { options, check }: Services,
): Promise<CapabilityCheck | undefined> {
  const isNeeded =
    options.check !== false && candidates.some(({ entry }) => entry.capabilities !== undefined);
  return isNeeded ? check() : undefined;
}

function streamed(
  incoming: Incoming,
  { plan }: AnsweredCall<TextPlan>,
  stream: ReplyStream,
  report: Report,
): Response {
  const readable = stream.readable(({ usage }, losses) => {
    report.losses(plan.resolution, "reply", losses);
    if (usage) report.usage(plan.resolution, usage);
  });
  return new Response(readable, { headers: answerHeaders(incoming.id, framingOf(incoming).contentType) });
}

async function whole(
  incoming: Incoming,
  { plan, response }: AnsweredCall<TextPlan>,
  report: Report,
): Promise<Response> {
  const { id, codec } = incoming;
  const headers = answerHeaders(id, "application/json");
  const bytes = await response.body.bytes(LARGEST);
  if (!plan.translated) {
    const { usage } = observeBody(plan.upstream, parseJson(new TextDecoder().decode(bytes)));
    if (usage) report.usage(plan.resolution, usage);
    return new Response(bytes as BodyInit, { headers });
  }
  const reply = new TranslatedReply(plan.upstream, codec, headOf(incoming, plan), {
    ...(plan.restore && { restore: plan.restore() }),
  });
  const { status, body } = reply.whole(200, bytes);
  report.losses(plan.resolution, "reply", reply.losses);
  const { usage } = reply.observation();
  if (usage) report.usage(plan.resolution, usage);
  return new Response(JSON.stringify(body), { status, headers });
}

/** The error of a provider in the caller's protocol. `failure` is one that a stream began with. */
async function refused(
  { id, codec }: Incoming,
  { plan, response }: AnsweredCall<TextPlan>,
  failure: Failure | undefined,
): Promise<Response> {
  const { status, headers } = response;
  const text = failure ? "" : new TextDecoder().decode(await response.body.bytes(LARGEST));
  const reason: Failure = failure ??
    readFailure(plan.upstream, status, text, headers) ?? {
      kind: "unavailable",
      status: 502,
      message: `The provider failed with status ${status} and no readable reason.`,
    };
  const pause = headers["retry-after"];
  return failureResponse(codec, reason, id, {
    ...finalHeaders,
    ...(typeof pause === "string" && { "retry-after": pause }),
  });
}

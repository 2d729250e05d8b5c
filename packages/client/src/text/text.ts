import type { Failure } from "@manifold-gateway/core";
import { CallerRequest, type CapabilityCheck, Rejection } from "@manifold-gateway/core/plan";
import { NoReason, type WholeReply } from "@manifold-gateway/core/reply";
import type { UpstreamResponse } from "@manifold-gateway/providers/fetch-transport";
import type { AnsweredCall } from "@manifold-gateway/providers/routing";
import { Calls } from "../calls/call-candidates.ts";
import { candidateFor, type TextCandidate } from "../models/candidate.ts";
import { candidatesOf } from "../models/candidates.ts";
import { answerHeaders, failureResponse, finalHeaders } from "../reply/failure.ts";
import type { Report } from "../report.ts";
import type { Incoming } from "../request/incoming.ts";
import type { Services } from "../services.ts";
import { framingOf, openReply } from "./open-reply.ts";
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
    const reply = openReply(incoming, plan, response);
    const stream = new ReplyStream(response.body, reply, incoming.signal);
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

const responseOf = (id: string, { status, headers, body }: WholeReply): Response => {
  const isWritten = typeof body === "string" || body instanceof Uint8Array;
  return new Response(isWritten ? (body as BodyInit) : JSON.stringify(body), {
    status,
    headers: { ...answerHeaders(id, "application/json"), ...headers },
  });
};

async function whole(
  incoming: Incoming,
  { plan, response }: AnsweredCall<TextPlan>,
  report: Report,
): Promise<Response> {
  const reply = openReply(incoming, plan, response);
  const made = reply.whole(200, {}, await response.body.bytes(LARGEST));
  report.losses(plan.resolution, "reply", reply.losses);
  const { usage } = reply.observation();
  if (usage) report.usage(plan.resolution, usage);
  return responseOf(incoming.id, made);
}

/** The error of a provider in the caller's protocol. `failure` is one that a stream began with. */
async function refused(
  incoming: Incoming,
  { plan, response }: AnsweredCall<TextPlan>,
  failure: Failure | undefined,
): Promise<Response> {
  const { id, codec } = incoming;
  const { status, headers, body } = response;
  if (failure) return failureResponse(codec, failure, id, finalHeaders);
  try {
    const made = openReply(incoming, plan, response).whole(status, headers, await body.bytes(LARGEST));
    return responseOf(id, { ...made, headers: { ...made.headers, ...finalHeaders } });
  } catch (error) {
    if (!(error instanceof NoReason)) throw error;
    const reason: Failure = { kind: "unavailable", status: 502, message: error.message };
    return failureResponse(codec, reason, id, { ...error.headers, ...finalHeaders });
  }
}

import type { Failure, Observation } from "@manifold-gateway/core";
import { MalformedReply } from "@manifold-gateway/core";
import { billableUsage, isObject, parseJson } from "@manifold-gateway/core/codec";
import { CallerRequest, type CapabilityCheck, Rejection } from "@manifold-gateway/core/plan";
import { NoReason, type Reply, type WholeReply } from "@manifold-gateway/core/reply";
import type { UpstreamResponse } from "@manifold-gateway/providers/fetch-transport";
import { betaFlags } from "@manifold-gateway/providers/provider";
import { Calls } from "../calls/call-candidates.ts";
import { candidateFor, type TextCandidate } from "../models/candidate.ts";
import { candidatesOf } from "../models/candidates.ts";
import { answerHeaders, failureResponse, finalHeaders, reasonlessResponse } from "../reply/failure.ts";
import type { Report } from "../report.ts";
import type { Incoming } from "../request/incoming.ts";
import type { Services } from "../services.ts";
import { replyTo } from "./open-reply.ts";
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
  const { rewritten } = incoming;
  const check = await checkFor(candidates, services);
  const planner = new TextPlanner(request, services.options, {
    rewritten,
    check,
    betas: betaFlags(incoming),
  });
  const opened = new Map<UpstreamResponse, ReplyStream | Failure>();
  const calls = new Calls<TextPlan>(incoming, services, async (plan, response) => {
    if (!plan.stream || response.status >= 400) return response;
    const reply = replyTo(incoming, plan, response, true);
    const stream = new ReplyStream(response.body, reply, incoming.signal, report);
    let failure: Failure | undefined;
    try {
      failure = await stream.begin();
    } catch (error) {
      reportUsage(report, plan, reply.observation());
      throw error;
    }
    const shown = failure ? { ...response, status: failure.status } : response;
    opened.set(shown, failure ?? stream);
    return shown;
  });
  const first = await calls.first(candidates, planner, report);
  const isRefused = first.response.status >= 400 && first.plan.upstream.protocol !== codec.protocol;
  const adapt = isRefused && services.adapt ? await services.adapt() : undefined;
  const refused = { incoming, services, calls, planner, report };
  const { plan, response } = adapt ? await adapt(first, refused) : first;
  report.losses(plan.resolution, "request", plan.losses);
  const stream = opened.get(response);
  if (stream instanceof ReplyStream) return streamed(incoming, plan, stream, report);
  if (stream) return failureResponse(codec, stream, incoming.id, finalHeaders);
  return whole(incoming, plan, response, report);
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

/** The bytes of a token in an estimate. */
const TOKEN_BYTES = 4;
/** Without knowledge of a model, no figure is too high. */
const anyNumber = { input: Number.POSITIVE_INFINITY, output: Number.POSITIVE_INFINITY };

/** Reports what a reply used, as the gateway settles it: figures that its provider does not give are estimated. */
function reportUsage(report: Report, { resolution, body }: TextPlan, observation: Observation): void {
  const { usage } = billableUsage(observation, anyNumber, () => Math.ceil(body.length / TOKEN_BYTES));
  if (usage) report.usage(resolution, usage);
}

function streamed(incoming: Incoming, plan: TextPlan, stream: ReplyStream, report: Report): Response {
  const readable = stream.readable((observation, losses) => {
    report.losses(plan.resolution, "reply", losses);
    reportUsage(report, plan, observation);
  });
  const contentType = incoming.wire.form === "array" ? "application/json" : "text/event-stream";
  return new Response(readable, { headers: answerHeaders(incoming.id, contentType) });
}

/** The answer to a request without a stream, or the provider's error. */
async function whole(
  incoming: Incoming,
  plan: TextPlan,
  response: UpstreamResponse,
  report: Report,
): Promise<Response> {
  const reply = replyTo(incoming, plan, response, false);
  const bytes = await response.body.bytes(LARGEST);
  let answer: WholeReply;
  try {
    answer = reply.whole(response.status, response.headers, bytes);
    if (!plan.translated && answer.status < 400) requireJson(answer, reply);
  } catch (error) {
    if (error instanceof NoReason) return reasonlessResponse(incoming.codec, error, incoming.id);
    throw error;
  }
  report.losses(plan.resolution, "reply", reply.losses);
  reportUsage(report, plan, reply.observation());
  const { status, headers, body } = answer;
  const sent = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  return new Response(sent as BodyInit, {
    status,
    headers: {
      ...answerHeaders(incoming.id, "application/json"),
      ...headers,
      ...(status >= 400 && finalHeaders),
    },
  });
}

/** Throws if a relayed answer is no JSON object, which an SDK would take for a reply. */
function requireJson({ body }: WholeReply, reply: Reply): void {
  const { usage, finish } = reply.observation();
  if (usage || finish) return;
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
  if (typeof text === "string" && !isObject(parseJson(text))) throw new MalformedReply();
}

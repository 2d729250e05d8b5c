import { MalformedReply } from "@manifold-gateway/core";
import { isObject, type JsonObject, parseJson } from "@manifold-gateway/core/codec";
import { CallerRequest, Rejection, readBody } from "@manifold-gateway/core/plan";
import { type CountForm, countForms, plainTextEdits } from "@manifold-gateway/core/wire";
import type { Provider, UpstreamProtocol } from "@manifold-gateway/providers/provider";
import { Calls } from "../calls/call-candidates.ts";
import type { TextCandidate } from "../models/candidate.ts";
import { candidatesOf } from "../models/candidates.ts";
import type { Entry } from "../models/entries.ts";
import { answerHeaders, ClientRefusal } from "../reply/failure.ts";
import { refusedResponse } from "../reply/refused.ts";
import type { Report } from "../report.ts";
import type { Incoming } from "../request/incoming.ts";
import type { Services } from "../services.ts";
import { type TextPlan, TextPlanner } from "./plan-text.ts";

/** The largest answer, in bytes. */
const LARGEST = 1024 * 1024;

/** Counts the input tokens of a request, by a provider that can. */
export async function countTokens(incoming: Incoming, services: Services, report: Report): Promise<Response> {
  const { codec, id, model } = incoming;
  const form: CountForm = countForms[codec.protocol as keyof typeof countForms];
  const { body, edits, isWhole } = requestIn(incoming, form);
  const request = new CallerRequest({ codec, body, model, stream: false, edits });
  const reading = request.whole();
  if (reading instanceof Rejection) throw reading;
  const schemas = request.hasSchemas();
  const candidates = await candidatesOf(incoming, services, (entry, provider) =>
    countCandidate(entry, provider, incoming, services, schemas),
  );
  const planner = new TextPlanner(request, {}, { check: undefined });
  const calls = new Calls<TextPlan>(incoming, services);
  const plan = (candidate: TextCandidate): TextPlan => toCount(planner.plan(candidate), isWhole);
  const { plan: sent, response } = await calls.first(candidates, { plan }, report);
  if (response.status >= 400) return refusedResponse(incoming, sent.resolution, response, services);
  const answer = parseJson(new TextDecoder().decode(await response.body.bytes(LARGEST)));
  const tokens = isObject(answer) ? sent.resolution.codec.count?.read(answer) : undefined;
  if (tokens === undefined) throw new MalformedReply();
  const written = sent.translated ? form.answer(tokens) : answer;
  return new Response(JSON.stringify(written), { headers: answerHeaders(id, "application/json") });
}

/** The request whose tokens are to be counted, which a member may hold. */
function requestIn({ body, wire }: Incoming, { whole = [] }: CountForm) {
  const inner = whole.map((name) => body.value[name]).find(isObject);
  if (!inner) return { body, edits: wire.edits, isWhole: false };
  const read = readBody(JSON.stringify(inner), body.protocols);
  if (read instanceof Rejection) throw read;
  return { body: read, edits: plainTextEdits(inner), isWhole: true };
}

/** An entry in a protocol in which its provider counts: the caller's, or else the first. */
async function countCandidate(
  entry: Entry,
  provider: Provider,
  { codec: { protocol: caller } }: Incoming,
  { codecs }: Services,
  schemas: boolean,
): Promise<TextCandidate> {
  const spoken = Object.keys(provider.speaks) as UpstreamProtocol[];
  for (const protocol of spoken.sort((a, b) => Number(b === caller) - Number(a === caller))) {
    // Platforms with a call format of their own also count differently.
    if (provider.identity || provider.speaks[protocol]?.platform) continue;
    const codec = await codecs.provider(protocol, { schemas });
    if (codec?.count) return { id: `${provider.id}/${entry.name}`, entry, provider, protocol, codec };
  }
  throw new ClientRefusal(
    404,
    "model_not_found",
    `model: the provider '${provider.id}' counts no tokens in the protocols that it is declared with.`,
    "model",
  );
}

/** The plan of a request as one for the count of its tokens. `isWhole`: a member held the request. */
function toCount(plan: TextPlan, isWhole: boolean): TextPlan {
  const { place, resolution, translated, upstream } = plan;
  const { entry, protocol } = resolution;
  const { count } = upstream;
  if (!count) return plan;
  const base = place.provider.speaks[protocol]?.base ?? "";
  const path = base + count.endpoint(encodeURIComponent(entry.name));
  const body =
    translated || isWhole
      ? JSON.stringify(count.ask(parseJson(plan.body) as JsonObject, entry.name))
      : plan.body;
  return { ...plan, body, place: { ...place, path } };
}

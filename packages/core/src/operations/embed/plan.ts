import { askOfBody } from "../../capability/ask-body.ts";
import type { Capabilities } from "../../capability/schema.ts";
import type { Candidate } from "../../capability/suggest-model.ts";
import { validate } from "../../codec/validate.ts";
import { collectLosses, type Loss } from "../../ir/loss.ts";
import type { JsonObject } from "../../json/json.ts";
import { type Findings, noFindings } from "../../plan/capability-check.ts";
import { findingsFor } from "../../plan/findings.ts";
import { type LocatedLoss, type RequestLosses, rejectContent } from "../../plan/loss-rules.ts";
import { Rejection } from "../../plan/rejection.ts";
import { sayIssues } from "../../plan/schema-issues.ts";
import { type Origins, traceOrigins } from "../../translate/origins.ts";
import { callsOf } from "./batch.ts";
import { checkEmbed, type EmbedKnown, type EmbedTakes } from "./check.ts";
import type { EmbedCodec } from "./codec.ts";
import type { EmbedRequest } from "./ir.ts";

/** A caller's request for embeddings. */
export interface EmbedSource {
  /** The caller's protocol. */
  codec: EmbedCodec;
  /** The body, without members that are meant for the program itself. */
  value: JsonObject;
  /** The model's name as the caller wrote it, in the body or in the path. */
  model: string;
}

/** A model of a provider, on the wire on which it embeds. */
export interface EmbedTarget {
  /** The wire on which it embeds. */
  codec: EmbedCodec;
  /** The provider's name for the model. */
  model: string;
  /** What the model embeds. Default: text. */
  takes?: EmbedTakes | undefined;
  /** What the model accepts; default: anything. */
  capabilities?: Capabilities | undefined;
}

/** Settings of `planEmbed`. */
export interface EmbedPlanOptions {
  /** The models that a rejection may suggest instead. Default: none. */
  others?: (() => Iterable<Candidate>) | undefined;
  /** Changes the decoded request, such as by media that were fetched, and says what is known of its parts. */
  adapt?(request: EmbedRequest, origins: Origins): { request: EmbedRequest } & Pick<EmbedKnown, "seconds">;
}

/** A request for embeddings as calls of one provider. */
export interface EmbedPlan extends Pick<EmbedKnown, "seconds"> {
  /** The canonical request that the calls are made of. */
  request: EmbedRequest;
  /** The bodies of the calls with their paths below the provider's base. There is at least one. */
  calls: readonly { path: string; body: string }[];
  /** What the calls do not say of the request. */
  lost: RequestLosses;
  /** Likely mistakes. */
  notes: Findings["notes"];
}

/**
 * Plans a request for embeddings for one target, or rejects it with every rule that it breaks.
 *
 *     const { chatstyle, genstyle } = embedCodecs;
 *     const source = { codec: chatstyle, value: { model: "best", input: ["Hello"] }, model: "best" };
 *     const plan = planEmbed(source, { codec: genstyle, model: "some-model" });
 *     if (plan instanceof Rejection) throw plan; // code, errors, param
 *     plan.calls; // [{ path: "/models/some-model:batchEmbedContents", body: '{"requests":[…]}' }]
 */
export function planEmbed(
  source: EmbedSource,
  target: EmbedTarget,
  { others, adapt }: EmbedPlanOptions = {},
): EmbedPlan | Rejection {
  const { codec, model } = source;
  const value: JsonObject = { ...source.value, model };
  const parsed = validate(codec.request.schema, value);
  if (!parsed.success)
    return new Rejection("invalid_request", sayIssues(parsed.error, model), {
      param: String(parsed.error.issues[0]?.path[0] ?? "body"),
    });
  const origins = traceOrigins();
  const decoded = codec.request.decode(value, origins.trace);
  const { request, seconds } = adapt?.(decoded, origins) ?? { request: decoded };
  const takes = { ...target.takes, tokens: target.codec.tokens };
  const issues = checkEmbed(request, takes, { origins, ...(seconds && { seconds }) });
  if (issues.length > 0)
    return new Rejection(
      "invalid_request",
      issues.map(({ message }) => message),
      { param: issues[0]?.path.split("/")[1] ?? "body" },
    );
  const length = dimensionsPath(source);
  const findings = judge(source, request.dimensions, length, target.capabilities, others);
  if (findings instanceof Rejection) return findings;
  const written = callsOf(requestFor(target, request, findings), target.codec).map((part) =>
    write(part, target.codec),
  );
  const lost = written.flatMap((part) => locate(part, origins, length));
  const content = rejectContent(lost, model);
  if (content) return content;
  const losses = [...findings.losses, ...withoutRepeats(lost.map(({ loss }) => loss))];
  return {
    request,
    calls: written.map(({ call }) => call),
    lost: {
      losses,
      settings: losses,
      parameters: lost.flatMap(({ loss }) => (loss.path === length ? [loss] : [])),
    },
    notes: findings.notes,
    ...(seconds && { seconds }),
  };
}

/** The request under the provider's name for the model, without what its model does not accept. */
function requestFor({ model }: EmbedTarget, request: EmbedRequest, { issues }: Findings): EmbedRequest {
  const { dimensions, ...others } = request;
  const dropped = issues.some(({ effect, name }) => effect === "drop" && name === "dimensions");
  return { ...others, model, ...(dimensions !== undefined && !dropped && { dimensions }) };
}

/** The pointer to the vectors' length in the caller's request: the place that it has, else the usual one. */
function dimensionsPath({ codec: { facts }, value }: EmbedSource): string {
  const has = (pointer: string): boolean => {
    let node: unknown = value;
    for (const key of pointer.slice(1).split("/"))
      node = typeof node === "object" && node !== null ? (node as Record<string, unknown>)[key] : undefined;
    return node !== undefined;
  };
  return facts.dimensions.find(has) ?? (facts.dimensions[0] as string);
}

/** Compares the request with the capabilities of its model. */
function judge(
  { codec, value, model }: EmbedSource,
  dimensions: number | undefined,
  path: string,
  capabilities: Capabilities | undefined,
  models: EmbedPlanOptions["others"],
): Findings | Rejection {
  if (!capabilities) return noFindings;
  const others = [...codec.facts.others, "provider"];
  const read = askOfBody("embed", model, value, { names: { dimensions: path }, others });
  const params = read.params.filter(({ name }) => name !== "dimensions");
  if (dimensions !== undefined) params.push({ name: "dimensions", path, value: dimensions });
  return findingsFor(capabilities, { ...read, params }, models);
}

/** A call, and what its wire cannot express of its part of the request. */
interface Written {
  part: EmbedRequest;
  call: EmbedPlan["calls"][number];
  losses: readonly Loss[];
}

function write(part: EmbedRequest, { endpoint, request }: EmbedCodec): Written {
  const { losses, lose } = collectLosses();
  const body = JSON.stringify(request.encode(part, lose));
  return { part, call: { path: endpoint?.(part) ?? "", body }, losses };
}

/** The losses of a call with the caller's pointers, and the kind of content for those of content. */
const locate = ({ part, losses }: Written, origins: Origins, dimensions: string): LocatedLoss[] =>
  losses.map((loss) => ({
    loss: { ...loss, path: loss.path === "/dimensions" ? dimensions : origins.locate(part, loss.path) },
    content: contentAt(part, loss.path),
  }));

/** Describes the content at a path: without it, a vector would be of something else. */
function contentAt({ inputs }: EmbedRequest, path: string): string | undefined {
  const [, i, j] = /^\/inputs\/(\d+)(?:\/parts\/(\d+)$)?/.exec(path) ?? [];
  const input = inputs[Number(i)];
  if (!input) return undefined;
  if ("tokens" in input) return "token ids";
  const part = input.parts[Number(j)];
  return part?.type === "media" ? `${part.kind} by ${part.source.type}` : "this field";
}

/** A loss that several calls have is one. */
const withoutRepeats = (losses: readonly Loss[]): Loss[] => [
  ...new Map(losses.map((loss) => [`${loss.path} ${loss.why}`, loss])).values(),
];

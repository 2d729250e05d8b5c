import type { RequestedPart } from "../capability/ask.ts";
import { askOfBody } from "../capability/ask-body.ts";
import type { Capabilities } from "../capability/schema.ts";
import type { Candidate } from "../capability/suggest-model.ts";
import type { Operation } from "../capability/terms.ts";
import { validate } from "../codec/validate.ts";
import { collectLosses, type Loss } from "../ir/loss.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { type Findings, noFindings } from "../plan/capability-check.ts";
import { findingsFor } from "../plan/findings.ts";
import { type LocatedLoss, type RequestLosses, rejectContent } from "../plan/loss-rules.ts";
import { Rejection } from "../plan/rejection.ts";
import { describeIssues } from "../plan/schema-issues.ts";
import { type Origins, traceOrigins } from "../translate/origins.ts";
import type { OperationCodec, OperationIssue, OperationRequest } from "./codec.ts";

type Codec<Request extends OperationRequest> = Pick<
  OperationCodec<Request, never>,
  "endpoint" | "facts" | "request"
>;

/** A caller's request for an operation. */
export interface OperationSource<Request extends OperationRequest> {
  /** The caller's wire. */
  codec: Codec<Request>;
  /** The body, without members that are meant for the program itself. */
  value: JsonObject;
  /** The model's name as the caller wrote it, in the body or in the path. */
  model: string;
}

/** A model of a provider, on the wire on which it serves the operation. */
export interface OperationTarget<Request extends OperationRequest> {
  /** The wire on which it is called. */
  codec: Codec<Request>;
  /** The provider's name for the model. */
  model: string;
  /** What the model accepts; default: anything. */
  capabilities?: Capabilities | undefined;
  /** The most inputs that its provider takes in one call, of operations that are divided. Default: as many as the wire. */
  maxInputs?: number | undefined;
}

/** What is particular to an operation when a request is planned. */
export interface OperationRules<Request extends OperationRequest> {
  /** The operation by whose capabilities parameters are checked. */
  operation: Exclude<Operation, "text">;
  /** Compares the canonical request with the model's limits beside its capabilities. Default: there are none. */
  check?(request: Request, origins: Origins): readonly OperationIssue[];
  /** The media of the request, with what was measured. Default: the native content parts of the body. */
  parts?(request: Request): readonly RequestedPart[];
  /** The request as the calls that the target's wire takes. Default: one. */
  callsOf?(request: Request): Request[];
  /**
   * Describes the content at a path of the canonical request, if an answer without it would be to another request.
   * Default: no path is of content.
   */
  contentAt?(request: Request, path: string): string | undefined;
}

/** Settings of `planOperation`. */
export interface OperationPlanOptions<Request> {
  /** The models that a rejection may suggest instead. Default: none. */
  others?: (() => Iterable<Candidate>) | undefined;
  /** Changes the decoded request, such as by media that were fetched. */
  adapt?: ((request: Request, origins: Origins) => Request) | undefined;
}

/** One call of a provider. */
export interface OperationCall {
  /** The path below the provider's base. */
  path: string;
  /** The body. */
  value: JsonObject;
}

/** A request for an operation as calls of one provider. */
export interface OperationPlan<Request> {
  /** The canonical request that the calls are made of. */
  request: Request;
  /** The bodies of the calls with their paths below the provider's base. There is at least one. */
  calls: readonly OperationCall[];
  /** What the calls do not say of the request. */
  lost: RequestLosses;
  /** Likely mistakes. */
  notes: Findings["notes"];
}

/** Plans a request of an operation for one target, or rejects it with every rule that it breaks. */
export function planOperation<Request extends OperationRequest>(
  rules: OperationRules<Request>,
  source: OperationSource<Request>,
  target: OperationTarget<Request>,
  { others, adapt }: OperationPlanOptions<Request> = {},
): OperationPlan<Request> | Rejection {
  const { codec, model } = source;
  const value: JsonObject = { ...source.value, model };
  const parsed = validate(codec.request.schema, value);
  if (!parsed.success)
    return new Rejection("invalid_request", describeIssues(parsed.error, model), {
      param: String(parsed.error.issues[0]?.path[0] ?? "body"),
    });
  const origins = traceOrigins();
  const decoded = codec.request.decode(value, origins.trace);
  const request = adapt?.(decoded, origins) ?? decoded;
  const issues = rules.check?.(request, origins) ?? [];
  if (issues.length > 0)
    return new Rejection(
      "invalid_request",
      issues.map(({ message }) => message),
      { param: issues[0]?.path.split("/")[1] ?? "body" },
    );
  const places = placesOf(source);
  const findings = checkCapabilities(rules, source, {
    request,
    places,
    capabilities: target.capabilities,
    others,
  });
  if (findings instanceof Rejection) return findings;
  const sent = { ...withoutDropped(request, findings), model: target.model };
  const written = (rules.callsOf?.(sent) ?? [sent]).map((part) => write(part, target.codec));
  const lost = written.flatMap((part) => locate(part, { rules, origins, places }));
  const content = rejectContent(lost, model);
  if (content) return content;
  const losses = [...findings.losses, ...withoutRepeats(lost.map(({ loss }) => loss))];
  const params = new Set(Object.values(places));
  return {
    request,
    calls: written.map(({ call }) => call),
    lost: {
      losses,
      settings: losses,
      parameters: lost.flatMap(({ loss }) => (params.has(loss.path) ? [loss] : [])),
    },
    notes: findings.notes,
  };
}

/** The caller's pointers to the parameters, by their canonical names. */
type Places = Readonly<Record<string, string>>;

/** The place of each parameter: of those that it may have, the one where the request has it, else the usual one. */
function placesOf({ codec: { facts }, value }: OperationSource<OperationRequest>): Places {
  const has = (pointer: string): boolean => {
    let node: Json | undefined = value;
    for (const key of pointer.slice(1).split("/"))
      node = typeof node === "object" && node !== null ? (node as JsonObject)[key] : undefined;
    return node !== undefined;
  };
  return Object.fromEntries(
    Object.entries(facts.params).map(([name, pointers]) => [
      name,
      pointers.find(has) ?? (pointers[0] as string),
    ]),
  );
}

/** Compares the request with the capabilities of its model. */
function checkCapabilities<Request extends OperationRequest>(
  { operation, parts }: OperationRules<Request>,
  { codec, value, model }: OperationSource<Request>,
  {
    request,
    places,
    capabilities,
    others: models,
  }: {
    request: Request;
    places: Places;
    capabilities: Capabilities | undefined;
    others: OperationPlanOptions<Request>["others"];
  },
): Findings | Rejection {
  if (!capabilities) return noFindings;
  const others = [...codec.facts.others, "provider"];
  const read = askOfBody(operation, model, value, { names: places, others });
  const params = read.params.filter(({ name }) => !Object.hasOwn(places, name));
  for (const [name, path] of Object.entries(places)) {
    const set = request[name as keyof Request];
    if (set !== undefined) params.push({ name, path, value: set });
  }
  const ask = { ...read, params, ...(parts && { parts: parts(request) }) };
  return findingsFor(capabilities, ask, models);
}

/** The request without the parameters that its model does not accept. */
function withoutDropped<Request extends OperationRequest>(request: Request, { issues }: Findings): Request {
  const sent = { ...request };
  for (const { effect, name } of issues) if (effect === "drop") delete sent[name as keyof Request];
  return sent;
}

/** A call, and what its wire cannot express of its part of the request. */
interface Written<Request> {
  part: Request;
  call: OperationCall;
  losses: readonly Loss[];
}

function write<Request extends OperationRequest>(
  part: Request,
  { endpoint, request }: Codec<Request>,
): Written<Request> {
  const { losses, lose } = collectLosses();
  const value = request.encode(part, lose);
  return { part, call: { path: endpoint?.(part) ?? "", value }, losses };
}

/** The losses of a call with the caller's pointers, and the kind of content for those of content. */
const locate = <Request extends OperationRequest>(
  { part, losses }: Written<Request>,
  { rules, origins, places }: { rules: OperationRules<Request>; origins: Origins; places: Places },
): LocatedLoss[] =>
  losses.map((loss) => ({
    loss: { ...loss, path: places[loss.path.slice(1)] ?? origins.locate(part, loss.path) },
    content: rules.contentAt?.(part, loss.path),
  }));

/** A loss that several calls have is one. */
const withoutRepeats = (losses: readonly Loss[]): Loss[] => [
  ...new Map(losses.map((loss) => [`${loss.path} ${loss.why}`, loss])).values(),
];

import {
  type AnyCodec,
  type Edits,
  encodeRequest,
  type Loss,
  type Protocols,
  type TextRequest,
} from "@manifold-gateway/core";
import { askOf, type Capabilities, withoutDropped } from "@manifold-gateway/core/capability";
import { type Machine, SEAL_MARK, type Traits } from "@manifold-gateway/core/codec";
import type { Event } from "@manifold-gateway/core/ir";
import type { Payload } from "@manifold-gateway/providers";
import type { Endpoint } from "../generation/stages.ts";
import type { JsonBody } from "../http/json-body.ts";
import { LargeString, type LazyJson } from "../http/lazy-json.ts";
import { SEAL_LIMIT } from "../http/skeleton.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { LossPolicy } from "../ports/context.ts";
import type { Candidate, Resolution } from "../routing/candidate.ts";
import { checkCapabilities, type Findings, noFindings } from "../routing/check-capabilities.ts";
import { demandLosses, type RequestLosses, refuseContent } from "../routing/demand-losses.ts";
import { forwarded, type Preferences } from "../routing/preferences.ts";
import { countIgnored, traitsOf } from "../routing/traits.ts";
import { inspect, type Metered } from "./billable-items.ts";
import { type DecodedRequest, RequestDecoder } from "./decode-request.ts";
import { dropEdits } from "./drop-edits.ts";
import { capabilitiesOf } from "./entry-capabilities.ts";
import { explainLosses } from "./explain-losses.ts";
import { type IdOwners, refuseForeign } from "./ids.ts";
import { spelledAs } from "./model-spelling.ts";
import { refuseNested } from "./nested-json.ts";
import { refuseUncovered } from "./refuse-unpriced.ts";

/** The request of a surface to the text pipeline. */
export interface TextAsk {
  /** The caller's protocol. */
  codec: AnyCodec;
  body: JsonBody;
  /** The model's name as the caller wrote it. */
  model: string;
  stream: boolean;
  /** Members to change when the body is forwarded in the same protocol, besides the model. */
  edits?: Edits;
  /** Members to remove before the body is translated to another protocol. */
  drop?: readonly string[];
  /** Throws a refusal if the entry cannot do what is requested. */
  check?(resolution: Resolution): void;
  /** The flags of the caller's beta header. */
  betas?: readonly string[];
}

/** A request ready to be sent. */
export interface Plan<Of extends Resolution = Candidate> {
  resolution: Of;
  endpoint: Endpoint;
  /** The codec of the provider's protocol. */
  upstream: AnyCodec;
  /** Whether the reply must be decoded and encoded: for another protocol, or because of `restore`. */
  translated: boolean;
  /** The items of the sent request that are billed in addition to tokens. */
  metered: Metered;
  body: Payload;
  losses: readonly Loss[];
  hints: readonly string[];
  /** Restores the caller's names in the events of the reply; absent if the body is forwarded. */
  restore?: Machine<Event, Event>;
  /** The decoded request; absent if the body is forwarded. */
  request?: TextRequest;
}

export interface PlanOptions {
  /** The catalog from which a refusal suggests another model. */
  catalog?: Catalog;
  losses?: LossPolicy;
  preferences?: Preferences;
  /** The providers of this service, by id. */
  providers?: ReadonlyMap<string, unknown>;
  /** The items of the caller's request that are billed in addition to tokens. Default: found in the request. */
  metered?: Metered;
  /** The owners of the ids that the request names. */
  idOwners?: IdOwners | undefined;
}

/**
 * Plans one request for any entry: forwards the body if both sides speak one protocol, else translates it. Refuses what
 * the entry's model does not accept, and losses that the caller does not allow.
 */
export class TextPlanner {
  readonly #ask: TextAsk;
  readonly #options: PlanOptions;
  readonly #decoder: RequestDecoder;

  constructor(ask: TextAsk, options: PlanOptions = {}, decoder = new RequestDecoder(ask)) {
    this.#ask = ask;
    this.#options = options;
    this.#decoder = decoder;
  }

  plan<Of extends Resolution>(resolution: Of): Plan<Of> {
    const ask = this.#ask;
    const options = this.#options;
    // A variant of a protocol is forwarded to providers of that protocol.
    const upstream =
      ask.codec.protocol === resolution.protocol ? ask.codec : ask.body.protocols.codecs[resolution.protocol];
    const translated = upstream !== ask.codec;
    ask.check?.(resolution);
    const decoder = this.#decoder;
    const { entry, provider, protocol } = resolution;
    // A seal may only be sent to the vendor that made it, so a body with one is decoded and encoded, which drops foreign
    // seals. So is a body with features that the server ignores: encoding then expresses them otherwise, or reports a
    // loss.
    const traits = traitsOf(entry, provider, protocol);
    const isDecoded = translated || countIgnored(traits, decoder) > 0 || holdsSeal(ask.body);
    const made = isDecoded
      ? translate(ask, resolution, upstream, translated ? decoder.reduced() : decoder.whole(), options)
      : forward(ask, resolution, decoder, options, traits);
    const { lost, restores, ...plan } = made;
    refuseUncovered(plan.metered, { ...resolution, model: ask.model });
    refuseForeign(plan.metered, resolution, options.idOwners);
    const losses = demandLosses(lost, {
      model: ask.model,
      strictParams: entry.capabilities?.strictParams,
      preferences: options.preferences,
      forwardsPreferences: provider.routes === true && !translated,
      policy: options.losses,
    });
    const endpoint = endpointOf(resolution, upstream, ask.stream);
    return { ...plan, losses, resolution, endpoint, upstream, translated: translated || restores };
  }
}

/** The endpoint for text of an entry's provider. */
function endpointOf(
  { provider, protocol, entry }: Resolution,
  upstream: AnyCodec,
  stream: boolean,
): Endpoint {
  const { base = "", platform } = provider.speaks[protocol] ?? {};
  const path = base + (platform ?? upstream).endpoint(encodeURIComponent(entry.name), stream);
  const framing = stream ? platform?.framing : undefined;
  return { provider, origin: provider.origin, path, operation: "chat", stream, framing };
}

/** Finds the items of the caller's request that are billed in addition to tokens. */
export const inspectAsk = ({ codec, body, betas }: TextAsk): Metered =>
  inspect(codec.billing, body.value, body.skeleton.text, betas);

type PlannedBody = Pick<Plan, "body" | "hints" | "restore" | "request" | "metered"> & {
  lost: RequestLosses;
  restores: boolean;
};

function forward(
  ask: TextAsk,
  resolution: Resolution,
  decoder: RequestDecoder,
  { catalog, providers = new Map(), metered = inspectAsk(ask) }: PlanOptions,
  { streamUsage }: Pick<Traits, "streamUsage">,
): PlannedBody {
  const { value } = ask.body;
  const capabilities = capabilitiesOf(resolution);
  const reading = capabilities && decoder.readable();
  const { losses, hints } = reading ? judge(capabilities, reading, catalog) : noFindings;
  const edits: Edits = { ...ask.edits };
  if (streamUsage === false) delete edits.stream_options;
  if (losses.length > 0) Object.assign(edits, dropEdits({ ...value, ...edits } as never, losses));
  // Routing options are meant for a router: this service, or a provider that is one too.
  const options = resolution.provider.routes ? forwarded(value.provider, providers) : undefined;
  if (options !== value.provider) edits.provider = options;
  const name = spelledAs(value.model, ask.model, resolution.entry.name);
  if ("model" in value && value.model !== name) edits.model = name;
  Object.assign(edits, platformEdits(resolution, ask));
  // Without edits the body is forwarded as it is: a large body is not written a second time.
  const body = ask.body.edited(edits);
  const lost = { losses, settings: losses, parameters: [] };
  return { body, metered, lost, hints, restores: false };
}

const judge = (
  capabilities: Capabilities,
  { request, caller }: DecodedRequest,
  catalog: Catalog | undefined,
): Findings => checkCapabilities(capabilities, askOf(request, caller), { catalog, makes: "text" });

/** The members that a provider's platform requires to be changed. */
function platformEdits(
  { provider, protocol }: Resolution,
  { betas = [] }: Pick<TextAsk, "betas">,
): Edits | undefined {
  const { edits, betas: member } = provider.speaks[protocol]?.platform ?? {};
  return member !== undefined && betas.length > 0 ? { ...edits, [member]: [...betas] } : edits;
}

/** Checks whether the body contains a seal of another vendor. Seals are short: inline media is skipped. */
function holdsSeal({ skeleton: { text }, lazy }: JsonBody): boolean {
  if (text.length < SEAL_LIMIT) return text.includes(SEAL_MARK);
  const holds = (node: LazyJson): boolean => {
    if (node instanceof LargeString) return false;
    if (typeof node === "string") return node.length < SEAL_LIMIT && node.includes(SEAL_MARK);
    return typeof node === "object" && node !== null && Object.values(node).some(holds);
  };
  return holds(lazy);
}

/** The places of settings in the canonical request; the others are of content. */
const SETTING = /^\/(params|tools|toolChoice|format|reasoning|extra)(\/|$)/;

function translate(
  ask: TextAsk,
  resolution: Resolution,
  upstream: AnyCodec,
  reading: DecodedRequest,
  { catalog }: PlanOptions,
): PlannedBody {
  const capabilities = capabilitiesOf(resolution);
  const findings = capabilities ? judge(capabilities, reading, catalog) : noFindings;
  const left =
    findings.losses.length > 0 ? withoutDropped(reading.request, findings.issues) : reading.request;
  refuseNested(reading);
  const { entry, provider, learnt } = resolution;
  const request: TextRequest = { ...left, model: entry.name };
  const encode = (traits: Traits) => encodeRequest(request, upstream, traits);
  const encoded = encode(traitsOf(entry, provider, resolution.protocol, learnt));
  const { wire, restores, restore } = encoded;
  const losses = learnt ? explainLosses(encoded.losses, resolution, encode) : encoded.losses;
  const located = losses.map((loss) => ({
    loss: { ...loss, path: reading.locate(request, loss.path) },
    content: contentAt(request, loss.path, ask.body.protocols),
    isSetting: SETTING.test(loss.path),
  }));
  refuseContent(located, ask.model);
  const found = [...reading.dropped, ...findings.losses];
  const lost = located.map(({ loss }) => loss);
  const body = JSON.stringify({ ...wire, ...platformEdits(resolution, ask) });
  return {
    body,
    metered: inspect(upstream.billing, wire, body, ask.betas),
    lost: {
      losses: [...found, ...lost],
      settings: [...found, ...located.flatMap(({ loss, isSetting }) => (isSetting ? [loss] : []))],
      parameters: entry.capabilities?.strictParams ? parametersIn(lost, reading) : [],
    },
    hints: findings.hints,
    restores,
    restore: restore(),
    request: { ...request, model: ask.model },
  };
}

/**
 * The losses of parameters that the capabilities of a model speak of. One that only states a default is none, nor is an
 * unknown field.
 */
function parametersIn(losses: readonly Loss[], { request, caller }: DecodedRequest): Loss[] {
  const checked = askOf(request, caller).params.filter(({ free, extra }) => !free && !extra);
  const paths = new Set(checked.map(({ path }) => path));
  return losses.filter(({ path }) => paths.has(path));
}

/** Describes the content at a path without which the answer would be to another request. */
function contentAt({ messages }: TextRequest, path: string, protocols: Protocols): string | undefined {
  if (path.startsWith("/extra/") && protocols.namesOf("essential").has(path.slice(7))) return "this field";
  const [, message, part] = /^\/messages\/(\d+)\/parts\/(\d+)$/.exec(path) ?? [];
  const lost = message === undefined ? undefined : messages[Number(message)]?.parts[Number(part)];
  return lost?.type === "media" ? `${lost.kind} by ${lost.source.type}` : undefined;
}

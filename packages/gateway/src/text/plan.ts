import {
  type AnyCodec,
  type Edits,
  encodeRequest,
  type Loss,
  type TextRequest,
} from "@manifold-gateway/core";
import { withoutDropped } from "@manifold-gateway/core/capability";
import { each, type Ignorable, type Machine, SEAL_MARK, type Traits } from "@manifold-gateway/core/codec";
import type { Event } from "@manifold-gateway/core/ir";
import type { Payload } from "@manifold-gateway/providers";
import type { Endpoint } from "../generation/stages.ts";
import type { JsonBody } from "../http/json-body.ts";
import { LargeString, type LazyJson } from "../http/lazy-json.ts";
import { quote } from "../http/refusal.ts";
import { SEAL_LIMIT } from "../http/skeleton.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { LossPolicy } from "../ports/context.ts";
import type { Candidate, Resolution } from "../routing/candidate.ts";
import { sayLosses } from "../routing/losses.ts";
import { forwarded, type Preferences, unknownLosses } from "../routing/preferences.ts";
import { EntryRejected } from "../routing/queue.ts";
import { countIgnored, traitsOf } from "../routing/traits.ts";
import { inspect, type Metered } from "./billable-items.ts";
import { dropEdits, judgeText, noFindings } from "./check-capabilities.ts";
import { asksIn, type DecodedRequest, type Reader, readable, requestDecoder } from "./decode-request.ts";
import { capabilitiesOf } from "./entry-capabilities.ts";
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
  losses: Loss[];
  hints: readonly string[];
  /** Restores the caller's names in the events of the reply. */
  restore: Machine<Event, Event>;
  /** The decoded request; absent if the body is forwarded. */
  request?: TextRequest;
}

export interface PlanOptions {
  /** The catalog from which a refusal suggests another model. */
  catalog?: Catalog;
  losses?: LossPolicy;
  preferences?: Preferences;
  /** Checks whether a name is that of a provider of this service. */
  isOfService?(provider: string): boolean;
  /** The owners of the ids that the request names. */
  idOwners?: IdOwners;
}

const unchanged = (): Machine<Event, Event> => each((event: Event) => [event]);

/**
 * Plans one request for any entry: forwards the body if both sides speak one protocol, else translates it. Refuses what
 * the entry's model does not accept, and losses that the caller does not allow.
 */
export class TextPlanner {
  readonly #ask: TextAsk;
  readonly #options: PlanOptions;
  readonly #read: Reader;
  readonly #asks: () => readonly Ignorable[];
  /** The items of the caller's request that are billed in addition to tokens, found when they are needed. */
  #metered: Metered | undefined = undefined;

  constructor(ask: TextAsk, options: PlanOptions = {}, read: Reader = requestDecoder(ask)) {
    this.#ask = ask;
    this.#options = options;
    this.#read = read;
    this.#asks = asksIn(read);
  }

  plan<Of extends Resolution>(resolution: Of): Plan<Of> {
    const ask = this.#ask;
    const options = this.#options;
    // A variant of a protocol is forwarded to providers of that protocol.
    const upstream =
      ask.codec.protocol === resolution.protocol ? ask.codec : ask.body.protocols.codecs[resolution.protocol];
    const translated = upstream !== ask.codec;
    ask.check?.(resolution);
    const made =
      translated || this.#needsDecoding(resolution)
        ? translate(ask, resolution, upstream, this.#read(translated), options)
        : { ...forward(ask, resolution, this.#read, options), metered: this.#requested() };
    const { metered } = made;
    refuseUncovered(metered, { ...resolution, model: ask.model });
    refuseForeign(metered, resolution, options.idOwners);
    if (options.preferences && (!resolution.provider.routes || translated))
      made.losses.push(...unknownLosses(options.preferences));
    demand(made.losses, made.lostParameters, ask.model, options);
    const { lostParameters: _, restores, ...plan } = made;
    const endpoint = endpointOf(resolution, upstream, ask.stream);
    return { ...plan, resolution, endpoint, upstream, translated: translated || restores };
  }

  /**
   * A seal may only be sent to the vendor that made it, so a body with one is decoded and encoded, which drops foreign
   * seals. So is a body with features that the server ignores: encoding then expresses them otherwise, or reports a
   * loss.
   */
  #needsDecoding({ entry, provider, protocol }: Resolution): boolean {
    return (
      countIgnored(traitsOf(entry, provider, protocol), { asks: this.#asks }) > 0 || holdsSeal(this.#ask.body)
    );
  }

  #requested(): Metered {
    this.#metered ??= inspectAsk(this.#ask);
    return this.#metered;
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

type PlannedBody = Pick<Plan, "body" | "losses" | "hints" | "restore" | "request" | "metered"> & {
  lostParameters: boolean;
  restores: boolean;
};

function forward(
  ask: TextAsk,
  resolution: Resolution,
  read: Reader,
  { catalog, isOfService = () => false }: PlanOptions,
): Omit<PlannedBody, "metered"> {
  const { value } = ask.body;
  const reading = capabilitiesOf(resolution) && readable(read);
  const { losses, hints } = reading ? judgeText(resolution, reading, catalog) : noFindings;
  const edits: Edits = { ...ask.edits, ...dropEdits({ ...value, ...ask.edits } as never, losses) };
  // Routing options are meant for a router: this service, or a provider that is one too.
  const options = resolution.provider.routes ? forwarded(value.provider, isOfService) : undefined;
  if (options !== value.provider) edits.provider = options;
  const name = spelledAs(value.model, ask.model, resolution.entry.name);
  if ("model" in value && value.model !== name) edits.model = name;
  Object.assign(edits, platformEdits(resolution, ask));
  // Without edits the body is forwarded as it is: a large body is not written a second time.
  const body = ask.body.edited(edits);
  const lostParameters = losses.length > 0;
  return { body, losses: [...losses], hints, restores: false, restore: unchanged(), lostParameters };
}

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

/** The places in the canonical request to which `require_parameters` applies. */
const PARAMETER = /^\/(params|tools|toolChoice|format|reasoning|extra)(\/|$)/;

function translate(
  ask: TextAsk,
  resolution: Resolution,
  upstream: AnyCodec,
  reading: DecodedRequest,
  { catalog }: PlanOptions,
): PlannedBody {
  const findings = capabilitiesOf(resolution) ? judgeText(resolution, reading, catalog) : noFindings;
  const left =
    findings.losses.length > 0 ? withoutDropped(reading.request, findings.issues) : reading.request;
  refuseNested(reading);
  const { entry, provider } = resolution;
  const request: TextRequest = { ...left, model: entry.name };
  const most = entry.capabilities?.text?.maxOutputTokens;
  const traits: Traits = {
    ...(most !== undefined && { maxOutput: most }),
    ...traitsOf(entry, provider, resolution.protocol),
  };
  const { wire, losses, restores, restore } = encodeRequest(request, upstream, traits);
  refuseEssential(request, losses, reading, ask);
  const body = JSON.stringify({ ...wire, ...platformEdits(resolution, ask) });
  return {
    body,
    metered: inspect(upstream.billing, wire, body, ask.betas),
    losses: [
      ...reading.dropped,
      ...findings.losses,
      ...losses.map((loss) => ({ ...loss, path: reading.locate(request, loss.path) })),
    ],
    hints: findings.hints,
    restores,
    restore: restore(),
    request: { ...request, model: ask.model },
    lostParameters:
      reading.dropped.length + findings.losses.length > 0 ||
      losses.some(({ path, why }) => why === "unsupported" && PARAMETER.test(path)),
  };
}

/** Refuses losses that the caller does not allow. */
function demand(losses: readonly Loss[], parameters: boolean, model: string, options: PlanOptions): void {
  if (options.preferences?.parameters && parameters)
    throw new EntryRejected(
      "parameters",
      "unsupported_parameter",
      sayLosses(
        losses.filter(({ why }) => why === "unsupported"),
        model,
      ),
      { param: "provider.require_parameters" },
    );
  if (options.losses === "strict" && losses.length > 0)
    throw new EntryRejected("losses", "losses", sayLosses(losses, model));
}

/** Fields whose absence changes the request, so that answering without them would be wrong. */
const isEssential = ({ path }: Loss, essential: ReadonlySet<string>): boolean =>
  path.startsWith("/extra/") && essential.has(path.slice(7));

/** Refuses a request with content that the target does not accept; lesser losses are only reported. */
function refuseEssential(
  request: TextRequest,
  losses: readonly Loss[],
  { locate }: DecodedRequest,
  { model, body: { protocols } }: Pick<TextAsk, "model" | "body">,
): void {
  const essential = protocols.namesOf("essential");
  const errors: string[] = [];
  for (const loss of losses) {
    if (loss.why !== "unsupported") continue;
    const [, message, part] = /^\/messages\/(\d+)\/parts\/(\d+)$/.exec(loss.path) ?? [];
    const lost = message === undefined ? undefined : request.messages[Number(message)]?.parts[Number(part)];
    if (lost?.type !== "media" && !isEssential(loss, essential)) continue;
    const what = lost?.type === "media" ? `${lost.kind} by ${lost.source.type}` : "this field";
    errors.push(
      `${locate(request, loss.path).slice(1).replaceAll("/", ".")}: the model ${quote(model)} does not accept ${what}${loss.detail ? ` (${loss.detail})` : ""}.`,
    );
  }
  if (errors.length > 0) throw new EntryRejected("refused", "unsupported_content", errors);
}

import {
  type AnyCodec,
  codecs,
  type Edits,
  type Event,
  each,
  encodeRequest,
  type Json,
  type Loss,
  type Machine,
  SEAL_MARK,
  splice,
  type TextRequest,
  type Traits,
  traceOrigins,
} from "@manifold/core";
import type { Resolution } from "../catalog.ts";
import type { JsonBody } from "../http/body.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { issuesOf } from "../issues.ts";

/** What a surface asks of the text pipeline. */
export interface TextAsk {
  /** The caller's protocol. */
  codec: AnyCodec;
  body: JsonBody;
  /** As the caller named it. */
  model: string;
  stream: boolean;
  /** Members to change where the body is forwarded as it is; the model is always among them. */
  edits?: Edits;
  /** Members that are taken out before the body is translated for another protocol. */
  drop?: readonly string[];
  /** Refuses what the chosen entry cannot do. */
  check?(resolution: Resolution): void;
}

/** A request ready to be sent. */
export interface Plan {
  resolution: Resolution;
  /** The codec that upstream speaks. */
  upstream: AnyCodec;
  translated: boolean;
  body: string | Uint8Array;
  losses: Loss[];
  /** Gives events of the reply the caller's own names. */
  restore: Machine<Event, Event>;
  /** Present where the request was decoded. */
  request?: TextRequest;
}

/** Characters that no seal is longer than. */
const SHORT = 256 * 1024;

const unchanged = (): Machine<Event, Event> => each((event: Event) => [event]);

/** Forwards the body where both sides speak one protocol, translates it where they do not. */
export function planText(ask: TextAsk, resolution: Resolution): Plan {
  const upstream = codecs[resolution.protocol] as AnyCodec;
  const translated = upstream !== ask.codec;
  ask.check?.(resolution);
  // A seal of another vendor may only be sent back to it: such a body is read and written anew.
  if (!translated && !holdsSeal(ask.body)) {
    const edits: Edits = { ...ask.edits };
    // Routing options are addressed to a router: this one, or a provider that is one too.
    if ("provider" in ask.body.value && !resolution.provider.routes) edits.provider = undefined;
    if ("model" in ask.body.value && ask.body.value.model !== resolution.entry.name)
      edits.model = resolution.entry.name;
    // What is not edited goes on as it came: a large body is not written a second time.
    const body = Object.keys(edits).length > 0 ? splice(ask.body.text, edits) : ask.body.bytes;
    return { resolution, upstream, translated, body, losses: [], restore: unchanged() };
  }
  return { ...translate(ask, resolution, upstream), translated };
}

/** Whether a seal of another vendor is somewhere in the body. Seals are short: inline media is passed over. */
function holdsSeal({ text, value }: JsonBody): boolean {
  if (text.length < SHORT) return text.includes(SEAL_MARK);
  const holds = (node: Json): boolean => {
    if (typeof node === "string") return node.length < SHORT && node.includes(SEAL_MARK);
    return typeof node === "object" && node !== null && Object.values(node).some(holds);
  };
  return holds(value);
}

function translate(ask: TextAsk, resolution: Resolution, upstream: AnyCodec): Omit<Plan, "translated"> {
  const { entry, provider } = resolution;
  const { provider: _, ...value } = ask.body.value;
  const dropped: Loss[] = [];
  for (const name of upstream === ask.codec ? [] : (ask.drop ?? [])) {
    if (value[name] === undefined) continue;
    delete value[name];
    dropped.push({ path: `/${name}`, why: "unsupported" });
  }
  const parsed = ask.codec.request.schema.safeParse(value);
  if (!parsed.success) throw new Refusal(400, issuesOf(parsed.error, ask.model), { param: "messages" });
  const origins = traceOrigins(ask.codec.params);
  const decoded = ask.codec.request.decode(parsed.data, origins.trace);
  const request: TextRequest = { ...decoded, model: entry.name, stream: ask.stream };
  const traits: Traits = { ...provider.traits, ...entry.traits };
  const { wire, losses, restore } = encodeRequest(request, upstream, traits);
  refuseMeaningful(request, losses, (path) => origins.locate(request, path), ask.model);
  return {
    resolution,
    upstream,
    body: JSON.stringify(wire),
    losses: [...dropped, ...losses.map((loss) => ({ ...loss, path: origins.locate(request, loss.path) }))],
    restore: restore(),
    request: { ...request, model: ask.model },
  };
}

/** Fields whose absence changes what is being asked, so that answering without them would be wrong. */
const meaningful = new Set(["/extra/cachedContent", "/extra/previous_response_id", "/extra/conversation"]);

/** Refuses a request whose content the target cannot take; lesser losses are only told. */
function refuseMeaningful(
  request: TextRequest,
  losses: readonly Loss[],
  locate: (path: string) => string,
  model: string,
): void {
  const errors: string[] = [];
  for (const loss of losses) {
    if (loss.why !== "unsupported") continue;
    const [, message, part] = /^\/messages\/(\d+)\/parts\/(\d+)$/.exec(loss.path) ?? [];
    const lost = message === undefined ? undefined : request.messages[Number(message)]?.parts[Number(part)];
    if (lost?.type !== "media" && !meaningful.has(loss.path)) continue;
    const what = lost?.type === "media" ? `${lost.kind} by ${lost.source.type}` : "this field";
    errors.push(
      `${locate(loss.path).slice(1).replaceAll("/", ".")}: the model ${quote(model)} cannot take ${what}${loss.detail ? ` (${loss.detail})` : ""}.`,
    );
  }
  if (errors.length > 0) throw new Refusal(400, errors, { code: "unsupported_content" });
}

import {
  type AnyCodec,
  chatstyle,
  encodeRequest,
  genstyle,
  ignoreLosses,
  type Loss,
  msgstyle,
  native,
  parseWire,
  responses,
  type TextRequest,
} from "@manifold-gateway/core";
import { chatExtensions, run, type Traits } from "@manifold-gateway/core/codec";
import { type Reply, unfold } from "@manifold-gateway/core/ir";
import { type Draft, emptyDraft } from "../play/draft.ts";
import { differencesOf, sameJson } from "./differences.ts";
import { readDraft } from "./read-draft.ts";
import type { WireName } from "./wires.ts";

export const CODECS: Record<WireName, AnyCodec> = {
  chat: chatstyle,
  messages: msgstyle,
  generate: genstyle,
  responses,
  native,
};

/** The surfaces read all that their wires have words for; what a model takes is checked behind them. */
const SURFACE: Traits = {
  reasoningBack: true,
  resultMedia: true,
  freeform: true,
  toolSets: true,
  developer: true,
  midSystem: true,
  extensions: [...chatExtensions],
  modelFields: ["top_k", "thinking"],
  cacheMarks: true,
  forcedChoice: true,
  format: true,
};

/** A surface takes names and ids in any alphabet. */
const ANY = { pattern: /^[\s\S]+$/, max: Number.MAX_SAFE_INTEGER };

/** A codec as that of this service's own surface. */
const onSurface = (protocol: WireName): AnyCodec => ({
  ...CODECS[protocol],
  defaults: SURFACE,
  names: ANY,
  ids: ANY,
});

const toText = (wire: unknown): string => JSON.stringify(wire, null, 2);

/** A request as the text of a body, and what the protocol cannot say of it. */
export function encode(request: TextRequest, protocol: WireName): { text: string; losses: Loss[] } {
  const { wire, losses } = encodeRequest(request, onSurface(protocol));
  return { text: toText(wire), losses };
}

/** The request that a body is, or why it is none. Model and stream count where the path has them. */
export function decode(
  text: string,
  protocol: WireName,
  { model, stream }: { model: string; stream: boolean },
): { request: TextRequest } | { fault: string } {
  const codec = CODECS[protocol];
  let wire: unknown;
  try {
    JSON.parse(text);
    wire = parseWire(text);
  } catch (error) {
    return { fault: `The body is no JSON: ${(error as Error).message}` };
  }
  const read = codec.request.schema.safeParse(wire);
  if (!read.success) {
    const { issues } = read.error;
    return {
      fault: issues.map((issue) => `${issue.path.join(".") || "The body"}: ${issue.message}`).join(" "),
    };
  }
  const request = codec.request.decode(read.data);
  const isInPath = codec.endpoint("m", true) !== codec.endpoint("m", false);
  return { request: isInPath ? { ...request, model, stream } : request };
}

/** The body of a pane, as it would be sent. */
export interface PaneBody {
  text: string;
  /** What of the draft the protocol cannot say. */
  losses: readonly Loss[];
  /** In what a body that was typed differs from the draft; absent where the body is encoded from it. */
  differs?: readonly string[];
  /** Why a body that was typed is no request. */
  fault?: string;
}

/** The body of a draft's pane: what was typed for it, compared with the draft, or else the draft in its protocol. */
export function bodyOf(draft: TextRequest, protocol: WireName, typed: string | undefined): PaneBody {
  const encoded = encode(draft, protocol);
  if (typed === undefined) return encoded;
  const read = decode(typed, protocol, draft);
  if ("fault" in read) return { text: typed, losses: [], fault: read.fault };
  // What the protocol cannot say of the draft is no difference of the body.
  const sayable = decode(encoded.text, protocol, draft);
  const differs = "fault" in sayable ? [] : differencesOf(read.request, sayable.request);
  return { text: typed, losses: [], differs };
}

/** The draft of a request that was sent: its pane has the same body, to the member. */
export function restore(
  body: unknown,
  protocol: WireName,
  path: { model: string; stream: boolean },
): { draft: Draft } | { fault: string } {
  const text = toText(body);
  const read = decode(text, protocol, path);
  if ("fault" in read) return read;
  const { model } = read.request;
  const { text: encoded } = encode(read.request, protocol);
  const isSame = sameJson(JSON.parse(encoded), JSON.parse(text));
  const bodies = isSame ? {} : { [protocol]: text };
  const request = { ...read.request, model: "" };
  return { draft: { ...emptyDraft, request, models: [{ id: 1, model, protocols: [protocol], bodies }] } };
}

/** A body of one protocol as a provider of another would be sent it; nothing where it cannot be read as such. */
export function translated(
  body: object,
  { from, to, ...path }: { from: WireName; to: string; model: string; stream: boolean },
): { body: unknown; losses: Loss[] } | undefined {
  const source = CODECS[from];
  const target = Object.values(CODECS).find(({ protocol }) => protocol === to);
  const read = source.request.schema.safeParse(body);
  if (!target || !read.success) return undefined;
  if (source.protocol === target.protocol) return { body, losses: [] };
  // The path says both where the body does not.
  const { wire, losses } = encodeRequest({ ...source.request.decode(read.data), ...path }, target);
  return { body: wire, losses };
}

/** A reply as its record keeps it: the choices are those of the canonical form. */
interface KeptReply extends Pick<Reply, "usage"> {
  choices: readonly object[];
}

/** A kept reply as a unary body of each of these protocols; one without a codec here is left out. */
export function replyBodies(
  { choices, usage }: KeptReply,
  protocols: readonly string[],
  head: { id: string; model: string; created: number },
): Record<string, unknown> {
  const reply = { choices: choices as Reply["choices"], ...(usage && { usage }) };
  const known = Object.values(CODECS).filter(({ protocol }) => protocols.includes(protocol));
  return Object.fromEntries(
    known.map(({ protocol, reply: { encode: begin, gather } }) => [
      protocol,
      gather(run(begin(head, ignoreLosses), unfold(reply))),
    ]),
  );
}

/** What the page calls of the codecs, in their worker. */
export const CALLS = { bodyOf, decode, encode, readDraft, replyBodies, restore, translated };

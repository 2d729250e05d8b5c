import {
  type AnyCodec,
  codecs,
  type Head,
  type Protocol,
  parseWire,
  type TextRequest,
} from "@manifold-gateway/core";
import { chatExtensions, type Traits } from "@manifold-gateway/core/codec";
import { fixturesOf } from "@manifold-gateway/testing";

/** A recorded or minimal piece of wire, and where it stands. */
export interface Fixture<T> {
  protocol: Protocol;
  codec: AnyCodec;
  name: string;
  value: T;
}

export const every = Object.values(codecs) as AnyCodec[];

const all = every.flatMap((codec) => {
  const own = fixturesOf(codec.protocol);
  const named = <T>(fixtures: { name: string; value: T }[]): Fixture<T>[] =>
    fixtures.map((fixture) => ({ protocol: codec.protocol, codec, ...fixture }));
  return { requests: named(own.requests), bodies: named(own.bodies), streams: named(own.streams) };
});

export const requests = all.flatMap((one) => one.requests);
export const bodies = all.flatMap((one) => one.bodies);
export const streams = all.flatMap((one) => one.streams);

export const of = <T>(fixtures: Fixture<T>[], codec: AnyCodec): Fixture<T>[] =>
  fixtures.filter((fixture) => fixture.codec === codec);
export const title = ({ protocol, name }: Fixture<unknown>): string => `${protocol}/${name}`;
/** Rows for `test.each`: a title and the fixture. */
export const rows = <T>(fixtures: Fixture<T>[]): [string, Fixture<T>][] =>
  fixtures.map((fixture) => [title(fixture), fixture]);

/** Every ordered pair of different protocols. */
export const pairs = every.flatMap((from) =>
  every
    .filter((to) => to !== from)
    .map((to): [string, string, AnyCodec, AnyCodec] => [from.protocol, to.protocol, from, to]),
);

export const head: Head = { id: "law", model: "a-model", created: 1_700_000_000 };

/** A model that takes everything that its wire has a word for. */
export const generous: Traits = {
  reasoningBack: true,
  resultMedia: true,
  freeform: true,
  toolSets: true,
  resultTexts: true,
  developer: true,
  midSystem: true,
  maxOutput: 64_000,
  extensions: chatExtensions,
  modelFields: ["top_k", "thinking"],
  cacheMarks: true,
  forcedChoice: true,
  format: true,
};

/** The generous model that a request was meant for: where it thinks by levels, one that does. */
export const generousFor = (wire: unknown): Traits =>
  /thinking_?level/i.test(JSON.stringify(wire)) ? { ...generous, thinkingBy: "level" } : generous;

/** What a wire request asks. Where the path says the model and the stream, the body does not. */
export function readRequest(codec: AnyCodec, wire: unknown, model = "a-model", stream = false): TextRequest {
  const request = codec.request.decode(codec.request.schema.parse(parseWire(JSON.stringify(wire))));
  const isInPath = codec.endpoint(model, true) !== codec.endpoint(model, false);
  return isInPath ? { ...request, model, stream } : request;
}

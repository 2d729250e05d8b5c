import {
  type AnyCodec,
  type Encoded,
  encodeRequest,
  parseWire,
  readChunk,
  readFrames,
  type TextRequest,
  writeChunk,
} from "@manifold-gateway/core";
import {
  chatExtensions,
  type Json,
  type JsonObject,
  parseArguments,
  run,
  SEAL_MARK,
  type Traits,
} from "@manifold-gateway/core/codec";
import { fold, type Reply, unfold } from "@manifold-gateway/core/ir";
import { type Fixture, type Fixtures, isEmpty } from "../fixtures.ts";
import { everySplit } from "./bytes.ts";
import { differences, leaves } from "./differences.ts";
import { grammarFaults } from "./grammar.ts";

/** A property that a codec must have. */
export interface Law {
  /** A sentence that is true while the law holds. */
  title: string;
  /** The breaches, fixture by fixture; empty while the law holds. */
  breaches(codec: AnyCodec, fixtures: Fixtures): string[];
}

const head = { id: "law", model: "a-model", created: 1_700_000_000 };

/** A model that takes every extension of a wire that only some providers support. */
const generous: Traits = {
  reasoningBack: true,
  resultMedia: true,
  developer: true,
  freeform: true,
  toolSets: true,
  resultTexts: true,
  messageTexts: true,
  midSystem: true,
  maxOutput: 64_000,
  extensions: chatExtensions,
  modelFields: ["top_k", "thinking"],
  cacheMarks: true,
  forcedChoice: true,
  format: true,
};
const generousFor = (wire: JsonObject): Traits =>
  /thinking_?level/i.test(JSON.stringify(wire)) ? { ...generous, thinkingBy: "level" } : generous;

const clone = <Value>(value: Value): Value => parseWire(JSON.stringify(value)) as Value;

/** A request as the codec reads it; where the path says the model and the stream, the body does not. */
function readRequest(codec: AnyCodec, wire: JsonObject): TextRequest {
  const request = codec.request.decode(codec.request.schema.parse(clone(wire)));
  const isInPath = codec.endpoint("a-model", true) !== codec.endpoint("a-model", false);
  return isInPath ? { ...request, model: "a-model", stream: false } : request;
}

/** A request without turns of the model that say nothing: they are left out for every target, and reported. */
const withoutEmptyTurns = (request: TextRequest): TextRequest => ({
  ...request,
  messages: request.messages.filter(({ role, parts }) => role !== "assistant" || parts.length > 0),
});

/** A request that the codec has read and written again. */
const rewrite = (codec: AnyCodec, wire: JsonObject): Encoded =>
  encodeRequest(withoutEmptyTurns(readRequest(codec, wire)), codec, generousFor(wire));

/** Several words are a person's or a model's; a single one may be a word of the wire, which has others for the same. */
const isText = (value: unknown): value is string => typeof value === "string" && /\S\s+\S/.test(value);

const read = (codec: AnyCodec, chunks: Iterable<Json>): Reply => fold(run(codec.reply.decode(), chunks));

const write = (codec: AnyCodec, reply: Reply): Json[] =>
  clone(
    run(
      codec.reply.encode(head, () => {}),
      unfold(reply),
    ),
  );

/** A reply without the members that every writer sets itself. */
const withoutHead = ({ id: _, model: _m, created: _c, ...reply }: Reply): unknown => reply;

/** The content of a reply by kind, because not every wire keeps the order among kinds. */
function contentOf(reply: Reply): unknown {
  return {
    // A count of 0 equals an absent one.
    usage: Object.entries(reply.usage ?? {}).filter(([name, count]) => count !== 0 || name === "output"),
    choices: reply.choices.map(({ parts, finish }) => ({
      finish: finish?.reason,
      text: parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
      calls: parts.flatMap((part) =>
        part.type === "call"
          ? [{ name: part.name, arguments: parseArguments(part.arguments) ?? part.arguments }]
          : [],
      ),
    })),
  };
}

const compare = (sent: unknown, arrived: unknown): string[] =>
  differences(sent, arrived).map(
    (one) => `${one.path || "/"}: ${JSON.stringify(one.sent)} became ${JSON.stringify(one.arrived)}`,
  );

/** A law over each fixture of some kind. */
const forEach = <Value>(
  title: string,
  choose: (fixtures: Fixtures, codec: AnyCodec) => Fixture<Value>[],
  check: (codec: AnyCodec, value: Value) => string[],
): Law => ({
  title,
  breaches: (codec, fixtures) =>
    choose(fixtures, codec).flatMap(({ name, value }) =>
      check(codec, value).map((fault) => `${name}: ${fault}`),
    ),
});

/** Requests without seals that clients carry for another protocol: those are not part of this wire. */
const requests = (fixtures: Fixtures): Fixture<JsonObject>[] =>
  fixtures.requests.filter(({ value }) => !JSON.stringify(value).includes(SEAL_MARK));

/** Every reply as chunks, whether it came whole or in a stream. */
const replies = ({ streams, bodies }: Fixtures, codec: AnyCodec): Fixture<Json[]>[] => [
  ...streams,
  ...bodies.map(({ name, value }) => ({ name, value: [...codec.reply.burst(value)] as Json[] })),
];

/** The laws of every codec, for every fixture of its wire. */
export const laws: readonly Law[] = [
  forEach("a request that is written again loses nothing", requests, (codec, wire) => {
    const { losses } = rewrite(codec, wire);
    return losses.map(({ path, why, detail }) => `${path}: ${why}${detail ? `, ${detail}` : ""}`);
  }),
  forEach("a request that is written again has its texts and numbers", requests, (codec, wire) => {
    const { wire: written } = rewrite(codec, wire);
    const text = JSON.stringify(written);
    const values = new Set(leaves(written).map(([, value]) => value));
    const isKept = (value: unknown): boolean =>
      isText(value) ? text.includes(JSON.stringify(value).slice(1, -1)) : values.has(value);
    return leaves(wire).flatMap(([path, value]) =>
      (isText(value) || typeof value === "number") && !isKept(value)
        ? [`${path}: ${JSON.stringify(value)} is not there`]
        : [],
    );
  }),
  forEach("a request that was written once is written the same again", requests, (codec, wire) => {
    const again = (request: TextRequest): TextRequest => {
      const written = readRequest(codec, encodeRequest(request, codec, generousFor(wire)).wire);
      return { ...written, ...(request.model && { model: request.model }) };
    };
    const once = again(readRequest(codec, wire));
    return compare(once, again(once));
  }),
  forEach(
    "a body is what its chunks gather to",
    (fixtures) => fixtures.bodies,
    (codec, body) => compare(body, clone(codec.reply.gather(codec.reply.burst(body)))),
  ),
  {
    title: "a streamed reply is the whole one of the same name",
    breaches: (codec, { streams, bodies }) =>
      streams.flatMap(({ name, value }) => {
        const twin = bodies.find((body) => body.name === name);
        if (!twin) return [];
        const whole = withoutHead(read(codec, codec.reply.burst(twin.value)));
        return compare(whole, withoutHead(read(codec, value))).map((fault) => `${name}: ${fault}`);
      }),
  },
  forEach("the events of a reply keep their grammar", replies, (codec, chunks) =>
    grammarFaults(run(codec.reply.decode(), chunks)),
  ),
  forEach("a reply that is written and read again says the same", replies, (codec, chunks) => {
    const reply = read(codec, chunks);
    // No wire has usage in its errors, and content before an error need not be repeated.
    if (reply.failure)
      return compare(reply.failure.message, read(codec, write(codec, reply)).failure?.message);
    return compare(contentOf(reply), contentOf(read(codec, write(codec, reply))));
  }),
  forEach(
    "any split of the bytes of a stream gives the same events",
    ({ streams }) => streams,
    (codec, chunks) => {
      const text = chunks.map((chunk) => writeChunk(chunk, codec)).join("");
      const whole = JSON.stringify(run(codec.reply.decode(), chunks));
      return ["\n", "\r\n"].flatMap((lineEnd) => {
        const bytes = new TextEncoder().encode(text.replaceAll("\n", lineEnd));
        const frames = run(readFrames(), [bytes]);
        if (JSON.stringify(run(codec.reply.decode(), frames.map(readChunk))) !== whole)
          return ["in one piece it says something else than its chunks"];
        const same = JSON.stringify(frames);
        const other = everySplit(bytes).find((split) => JSON.stringify(run(readFrames(), split)) !== same);
        return other ? [`its first ${other[0]?.length} bytes apart give other frames`] : [];
      });
    },
  ),
];

/** The most breaches of a law that are listed. */
const MAX_SHOWN = 5;

/** Throws an error that lists the laws that a codec breaks on the fixtures, and how; or that there are no fixtures. */
export function assertLaws(codec: AnyCodec, fixtures: Fixtures): void {
  if (isEmpty(fixtures)) throw new Error(`the codec of '${codec.protocol}' was given no fixtures`);
  const broken = laws.flatMap(({ title, breaches }) => {
    const found = breaches(codec, fixtures);
    if (found.length === 0) return [];
    const more = found.length > MAX_SHOWN ? [`and ${found.length - MAX_SHOWN} more`] : [];
    return [[`${title}, which does not hold:`, ...found.slice(0, MAX_SHOWN), ...more].join("\n  ")];
  });
  if (broken.length > 0)
    throw new Error(`the codec of '${codec.protocol}' breaks laws\n${broken.join("\n")}`);
}

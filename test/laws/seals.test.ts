import { type AnyCodec, encodeRequest, type TextRequest } from "@manifold-gateway/core";
import { type Json, type JsonObject, run, SEAL_MARK } from "@manifold-gateway/core/codec";
import { type Reply, type Seal, unfold } from "@manifold-gateway/core/ir";
import type { UpstreamProtocol } from "@manifold-gateway/providers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { upstreamWires } from "../support/wires/index.ts";
import { replyOf } from "./arbitraries/replies.ts";
import { request as anyRequest } from "./arbitraries/requests.ts";
import { every, generous, head, readRequest } from "./fixtures.ts";

const clone = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const quiet = (): void => {};
const list = (value: Json | undefined): JsonObject[] => (value ?? []) as JsonObject[];

/** Chat clients that keep of a call what the standard names. */
const strict = (wire: JsonObject): JsonObject => ({
  ...wire,
  messages: list(wire.messages).map((message): JsonObject => {
    if (message.role !== "assistant") return message;
    const calls = list(message.tool_calls).map(
      ({ id, type, function: called }) => ({ id, type, function: called }) as JsonObject,
    );
    return {
      role: "assistant",
      content: message.content ?? null,
      ...(calls.length > 0 && { tool_calls: calls }),
    };
  }),
});

/** The request that follows on a reply of `upstream` which a client of `client` was given. */
function secondTurn(
  reply: Reply,
  upstream: AnyCodec,
  client: AnyCodec,
  keep = (wire: JsonObject) => wire,
): TextRequest {
  const told = clone(run(upstream.reply.encode(head, quiet), unfold(reply)));
  const heard = run(upstream.reply.decode(), told);
  const body = clone(client.reply.gather(run(client.reply.encode(head, quiet), heard)));
  const { echo } = upstreamWires[client.protocol as UpstreamProtocol];
  return readRequest(client, keep(clone(echo.next(body as JsonObject))));
}

interface Sealed {
  type: string;
  text: string | undefined;
  seal: Seal | undefined;
}

/** The sealed parts of the model's turns, in order. */
const sealedIn = (parts: readonly { type: string }[]): Sealed[] =>
  (parts as { type: string; text?: string; name?: string; seal?: Seal }[]).flatMap(
    ({ type, text, name, seal }) => (seal ? [{ type, text: text ?? name, seal }] : []),
  );
const modelSaid = (request: TextRequest) =>
  request.messages.flatMap((message) => (message.role === "assistant" ? message.parts : []));

const speakers = every.filter(({ protocol }) => protocol !== "native");
const pairs = speakers.flatMap((upstream) =>
  speakers.map((client) => [upstream.protocol, client.protocol, upstream, client] as const),
);

/** Replies that a conversation goes on with: some wires refuse a thought that nothing of its turn follows. */
const repliesOf = ({ protocol, facts }: AnyCodec) =>
  replyOf(protocol).filter(
    ({ choices: [choice] }) => !facts.refusesLastThoughts || choice?.parts.at(-1)?.type !== "reasoning",
  );

describe("seals through clients", () => {
  test.each(pairs)(
    "a seal returns to its upstream, unchanged and in its place: %s through %s",
    (_, _client, upstream, client) => {
      fc.assert(
        fc.property(repliesOf(upstream), (reply) => {
          const { wire } = encodeRequest(secondTurn(reply, upstream, client), upstream, generous);
          const arrived = readRequest(upstream, wire);
          expect(sealedIn(modelSaid(arrived))).toEqual(sealedIn(reply.choices[0]?.parts ?? []));
          expect(JSON.stringify(wire)).not.toContain(SEAL_MARK);
        }),
        { numRuns: 60 },
      );
    },
  );

  const keepers = every.filter(({ protocol }) => protocol === "chatstyle");
  test.each(
    speakers.flatMap((upstream) => keepers.map((client) => [upstream.protocol, upstream, client] as const)),
  )(
    "a seal of %s returns through a chat client that keeps only what is standard of a call",
    (_, upstream, client) => {
      const calls = (parts: readonly { type: string }[]) =>
        sealedIn(parts).filter(({ type }) => type === "call");
      fc.assert(
        fc.property(replyOf(upstream.protocol), (reply) => {
          const { wire } = encodeRequest(secondTurn(reply, upstream, client, strict), upstream, generous);
          const arrived = readRequest(upstream, wire);
          const sent = calls(reply.choices[0]?.parts ?? []);
          // What was lost on the way may have been stood in for; what came through is what was issued.
          expect(
            calls(modelSaid(arrived)).filter(({ seal }) =>
              sent.some((one) => one.seal?.value === seal?.value),
            ),
          ).toEqual(sent);
          expect(JSON.stringify(wire)).not.toContain(SEAL_MARK);
        }),
        { numRuns: 60 },
      );
    },
  );
});

describe("foreign seals", () => {
  /** Seals that are found again in any text. */
  const marked = (request: TextRequest): { request: TextRequest; seals: Seal[] } => {
    const seals: Seal[] = [];
    const messages = request.messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) => {
        if (!("seal" in part) || !part.seal) return part;
        const seal = { ...part.seal, value: `Sealed${seals.length}By${part.seal.protocol}==` };
        seals.push(seal);
        return { ...part, seal };
      }),
    })) as TextRequest["messages"];
    return { request: { ...request, messages }, seals };
  };
  // The signatures of one wire's models have a place of their own on the chat wire of their vendor.
  const atHome = (seal: Seal, codec: AnyCodec): boolean =>
    seal.protocol === codec.protocol || (codec.protocol === "chatstyle" && seal.protocol === "genstyle");

  test.each(every.map((codec) => [codec.protocol, codec] as const))(
    "a seal is sent only to its issuer: %s",
    (_, codec) => {
      fc.assert(
        fc.property(anyRequest.map(marked), ({ request, seals }) => {
          for (const traits of [{}, generous]) {
            const written = JSON.stringify(encodeRequest(request, codec, traits).wire);
            expect(seals.filter((seal) => written.includes(seal.value) && !atHome(seal, codec))).toEqual([]);
            expect(written).not.toContain(SEAL_MARK);
          }
        }),
        { numRuns: 150 },
      );
    },
  );
});

import { collectLosses, encodeRequest, type TextRequest } from "@manifold-gateway/core";
import { type JsonObject, SEAL_MARK, type Traits } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toTurns } from "../../packages/core/src/ir/turns.ts";
import { request as anyRequest } from "./arbitraries/requests.ts";
import { compareRequests } from "./compare.requests.ts";
import { leaves } from "./compare.ts";
import { untold } from "./facts.ts";
import { every, generous, generousFor, pairs, readRequest, requests, rows, title } from "./fixtures.ts";
import { send } from "./send.ts";

/** Models of every kind: what a protocol says by default, all that its wire has, and as little as some take. */
const models: [string, Traits][] = [
  ["a plain model", {}],
  ["a generous model", generous],
  [
    "an old model",
    {
      maxTokensField: "max_tokens",
      developer: false,
      thinking: ["manual"],
      midSystem: false,
      jsonSchema: false,
      thinkingBy: "budget",
      callIds: false,
      resultMedia: false,
      freeform: false,
      maxOutput: 8192,
    },
  ],
  ["a model without sampling or thinking", { sampling: false, thinking: ["adaptive"] }],
];

/** Neighbours of one role may be joined; no arguments and an empty object of them are one thing. */
const settled = (request: TextRequest): TextRequest => ({
  ...request,
  messages: toTurns(request.messages).map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      part.type === "call" ? { ...part, arguments: part.arguments.trim() || "{}" } : part,
    ),
  })) as TextRequest["messages"],
});

/** Seals that clients carry for another protocol are no words of theirs. */
const isOwn = ({ value }: { value: JsonObject }): boolean => !JSON.stringify(value).includes(SEAL_MARK);

describe("requests in the same protocol", () => {
  test.each(rows(requests.filter(isOwn)))(
    "the same protocol reads back the request that it wrote, and loses nothing: %s",
    (_, { codec, value }) => {
      const request = readRequest(codec, value);
      const { losses, lose } = collectLosses();
      expect(settled(readRequest(codec, codec.request.encode(request, lose, generousFor(value))))).toEqual(
        settled(request),
      );
      expect(losses).toEqual([]);
    },
  );

  test.each(every.map((codec) => [codec.protocol, codec] as const))(
    "the same protocol loses nothing of %s, whatever was sent once",
    (_, codec) => {
      fc.assert(
        fc.property(anyRequest, (request) => {
          const once = send(request, codec, generous).arrived;
          const { lose, losses } = collectLosses();
          expect(
            readRequest(codec, codec.request.encode(once, lose, generous), once.model, once.stream),
          ).toEqual(once);
          expect(losses).toEqual([]);
        }),
        { numRuns: 100 },
      );
    },
  );
});

describe("words and numbers of a request", () => {
  /** Tags, and values that the wire means when it says nothing. */
  const isTag = (path: string): boolean => /\/(type|role)$/.test(path);
  const said = (leaf: unknown): boolean =>
    typeof leaf === "number" ||
    (typeof leaf === "string" && leaf.trim() !== "" && !["auto", "none"].includes(leaf));
  test.each(rows(requests.filter(isOwn)))(
    "every word and number of a wire request is written again: %s",
    (_, { codec, value }) => {
      const { wire } = encodeRequest(readRequest(codec, value), codec, generousFor(value));
      const written = JSON.stringify(leaves(wire).map(([, leaf]) => leaf)).toLowerCase();
      const lost = leaves(value).filter(
        ([path, leaf]) =>
          said(leaf) &&
          !isTag(path) &&
          !written.includes(JSON.stringify(leaf).replace(/^"|"$/g, "").toLowerCase()),
      );
      expect(lost).toEqual([]);
    },
  );
});

describe("requests in another protocol", () => {
  const cases = pairs.flatMap(([, , from, to]) =>
    requests.filter((fixture) => fixture.codec === from).map((fixture) => ({ fixture, to })),
  );
  test.each(cases.map(({ fixture, to }) => [title(fixture), to.protocol, fixture, to] as const))(
    "a request in another protocol arrives, or a loss names it: %s to %s",
    (_, _to, { codec, value }, to) => {
      const request = readRequest(codec, value);
      for (const [model, traits] of models) {
        const { sent, arrived, losses } = send(request, to, traits);
        expect({
          model,
          untold: untold(compareRequests(sent, arrived, to.protocol, losses), losses, traits),
          losses,
        }).toEqual({
          model,
          untold: [],
          losses,
        });
      }
    },
  );

  test.each(
    every.flatMap((to) => models.map(([model, traits]) => [to.protocol, model, to, traits] as const)),
  )("any request to %s, %s, arrives, or a loss names it", (_, _model, to, traits) => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const { sent, arrived, losses } = send(request, to, traits);
        expect({
          untold: untold(compareRequests(sent, arrived, to.protocol, losses), losses, traits),
          losses,
        }).toEqual({
          untold: [],
          losses,
        });
      }),
      { numRuns: 80 },
    );
  });
});

describe("losses of requests", () => {
  test.each(every.map((codec) => [codec.protocol, codec] as const))(
    "losses to %s name places of the request as it came",
    (_, codec) => {
      fc.assert(
        fc.property(anyRequest, (request) => {
          const before = structuredClone(request);
          const { losses } = encodeRequest(request, codec);
          expect(request).toEqual(before);
          for (const { path } of losses) {
            const [, area, at, member, index] = path.split("/");
            const part = member === "parts" ? index : undefined;
            if (area !== "messages" || at === undefined) continue;
            const message = request.messages[Number(at)];
            expect(message, path).toBeDefined();
            if (part !== undefined) expect(message?.parts[Number(part)], path).toBeDefined();
          }
        }),
        { numRuns: 60 },
      );
    },
  );
});

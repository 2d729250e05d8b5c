import { type AnyCodec, codecs, encodeRequest, type TextRequest } from "@manifold-gateway/core";
import type { Part } from "@manifold-gateway/core/ir";
import { knownTraits } from "@manifold-gateway/providers";
import { createSimulator } from "@manifold-gateway/simulator";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { familyRules } from "../../packages/simulator/src/families/index.ts";
import { request as anyRequest } from "./arbitraries/requests.ts";
import { every, generous, readRequest } from "./fixtures.ts";

/** A model of each family, by its vendor's name for it. */
const MODELS = [
  "claude-3-5-sonnet-20241022",
  "claude-3-7-sonnet-20250219",
  "claude-sonnet-4-20250514",
  "claude-opus-4-1",
  "claude-sonnet-4-5",
  "claude-opus-4-5",
  "claude-sonnet-4-6",
  "claude-opus-4-7",
  "claude-opus-4-8",
  "claude-sonnet-5",
  "claude-opus-5",
  "claude-fable-5-1",
  "claude-opus-5-5",
  "claude-sonnet-5-5",
  "claude-haiku-5-5",
  "gpt-4o",
  "gpt-oss-120b",
  "o1",
  "o4-mini",
  "gpt-5-mini",
  "gpt-5-chat-latest",
  "gpt-5.1",
  "gpt-5.2",
  "gpt-5.4",
  "gpt-5.5",
  "gpt-5.6-luna",
  "gpt-6-luna",
  "gpt-6-astra",
  "gemini-2.0-flash",
  "gemini-2.5-pro",
  "gemini-2.5-flash",
  "gemini-2.5-flash-lite",
  "gemini-3-pro-preview",
  "gemini-3.1-pro-preview",
  "gemini-3-flash-preview",
  "gemini-3.8-flash",
  "deepseek-v4-pro",
  "mistral-large-latest",
  "mistral-small-2603",
  "kimi-k2.6",
  "kimi-k3",
  "grok-3-mini",
  "grok-4.20-0309-reasoning",
  "grok-4.3",
  "grok-4.5",
  "qwen3.8-max",
  "qwen3.6-plus",
  "glm-5.3",
  "minimax-m2",
  "command-a-03-2025",
];

/** Models that read text only: a request with media does not reach them. */
const TEXT_ONLY = /deepseek|glm-5/;
/** Models whose functions the chat wire does not take at all. */
const ON_RESPONSES = /gpt-6-astra/;

const simulator = createSimulator();
const HEADERS = { "content-type": "application/json", authorization: "Bearer key", "x-goog-api-key": "key" };

async function send(to: AnyCodec, model: string, wire: object): Promise<string | undefined> {
  const body = to.protocol === "genstyle" ? wire : { ...wire, model };
  const answer = await simulator.fetch(
    new Request(
      `https://vendor.test/v1${to.protocol === "genstyle" ? "beta" : ""}${to.endpoint(model, false)}`,
      {
        method: "POST",
        headers: { ...HEADERS, "anthropic-version": "2023-06-01", "x-api-key": "key" },
        body: JSON.stringify(body),
      },
    ),
  );
  const text = await answer.text();
  return answer.status === 200 ? undefined : `${answer.status} ${text}`;
}

/** A request without the members that no wire has: a strict server refuses these everywhere. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === "extra" ? undefined : inner))) as T;
}

const requests = anyRequest.map(plain);
const RUNS = 8;

const isMedia = ({ type }: { type: string }): boolean => type === "media";
const withoutMedia = (request: TextRequest): TextRequest => ({
  ...request,
  messages: request.messages.map((message) => ({
    ...message,
    parts: (message.parts as Part[])
      .filter((part) => !isMedia(part))
      .map((part) =>
        part.type === "result" ? { ...part, parts: part.parts.filter((inner) => !isMedia(inner)) } : part,
      ),
  })) as TextRequest["messages"],
});

/** The callers of other wires than the provider's. */
const cases = MODELS.flatMap((model) =>
  every
    .filter((to) => familyRules(`sim-as/${model}`, to.protocol))
    .filter((to) => to.protocol !== "chatstyle" || !ON_RESPONSES.test(model))
    .flatMap((to) =>
      every.filter((from) => from !== to).map((from) => [from.protocol, model, from, to] as const),
    ),
);

describe("requests of one wire to a family of models on another", () => {
  test.each(cases)(
    "the vendor refuses no request of %s that was translated for %s",
    async (_, model, from, to) => {
      let taken = 0;
      await fc.assert(
        fc.asyncProperty(requests, async (request: TextRequest) => {
          const asked = readRequest(
            from,
            from.request.encode(TEXT_ONLY.test(model) ? withoutMedia(request) : request, () => {}, generous),
            "a-model",
            false,
          );
          const { wire } = encodeRequest({ ...asked, stream: false }, to, knownTraits(model));
          const refusal = await send(to, `sim-as/${model}`, wire);
          if (refusal === undefined) {
            taken += 1;
            return;
          }
          // What a strict server of the wire refuses of every model is tried elsewhere.
          const members = familyRules(`sim-as/${model}`, to.protocol)?.members ?? [];
          const standard = Object.fromEntries(
            Object.entries(wire).filter(([name]) => !members.includes(name)),
          );
          const general = await send(to, "sim-text", standard);
          if (general === undefined) expect({ refusal, wire }).toBeUndefined();
        }),
        { numRuns: RUNS },
      );
      expect(taken).toBeGreaterThan(RUNS / 3);
    },
  );
});

test("every wire of a vendor's own server has a family", () => {
  const served = new Set<string>(cases.map(([, , , to]) => to.protocol));
  // A platform serves the models of others on its own wire, and no client speaks the native one to a provider.
  const others = ["native", "conversestyle"];
  expect(served).toEqual(new Set(Object.keys(codecs).filter((protocol) => !others.includes(protocol))));
});

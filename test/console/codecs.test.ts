import type { TextRequest } from "@manifold-gateway/core";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bodyOf, CODECS, translated } from "../../packages/console/web/src/codecs/calls.ts";
import { WIRE_NAMES, WIRES } from "../../packages/console/web/src/codecs/wires.ts";
import { type Desk, startDesk } from "../gateway/routing/desk.ts";
import { model, modelOf, PROTOCOLS } from "../support/text.ts";

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk(Object.fromEntries(PROTOCOLS.map((protocol) => [protocol, { protocol }])), {
    models: PROTOCOLS.map((protocol) => model(modelOf(protocol), protocol)),
  });
});
afterAll(() => desk.close());

const text = (of: string) => [{ type: "text" as const, text: of }];
const requests: fc.Arbitrary<TextRequest> = fc
  .record({
    system: fc.constantFrom("", "Be brief.", "<b>Be brief</b>"),
    user: fc.string({ minLength: 1, maxLength: 40 }).map((said) => `${said}?`),
    maxTokens: fc.constantFrom(64, 1000),
    temperature: fc.constantFrom(undefined, 0, 0.5, 1),
  })
  .map(({ system, user, maxTokens, temperature }) => ({
    model: "",
    stream: true,
    messages: [
      ...(system === "" ? [] : [{ role: "system" as const, parts: text(system) }]),
      { role: "user", parts: text(user) },
    ],
    params: { maxTokens, ...(temperature !== undefined && { temperature }) },
  }));

it("what the page encodes is what the service would send, in every protocol", async () => {
  const known = new Set<string>(Object.values(CODECS).map(({ protocol }) => protocol));
  await fc.assert(
    fc.asyncProperty(
      requests,
      fc.constantFrom(...WIRE_NAMES),
      fc.constantFrom(...PROTOCOLS.filter((protocol) => known.has(protocol))),
      async (request, name, upstream) => {
        const id = modelOf(upstream);
        const body = JSON.parse(bodyOf({ ...request, model: id }, name, undefined).text) as object;
        const headers = { "x-explain": "true" };
        const response = await desk.call(WIRES[name].path(id, true), body, { headers });
        const explained = (await response.json()) as { upstream: { body: Record<string, unknown> } };
        const shown = translated(body, { from: name, to: upstream, model: id, stream: true })?.body;
        expect(explained.upstream.body, JSON.stringify(explained)).toEqual(shown);
      },
    ),
    { numRuns: 100 },
  );
});

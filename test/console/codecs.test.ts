import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Draft, emptyDraft } from "../../packages/console/web/src/play/draft.ts";
import {
  encode,
  type ProtocolName,
  SPOKEN,
  translated,
} from "../../packages/console/web/src/play/protocols.ts";
import { type Desk, startDesk } from "../gateway/routing/desk.ts";
import { model, modelOf, PROTOCOLS } from "../support/text.ts";

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk(Object.fromEntries(PROTOCOLS.map((protocol) => [protocol, { protocol }])), {
    models: PROTOCOLS.map((protocol) => model(modelOf(protocol), protocol)),
  });
});
afterAll(() => desk.close());

const drafts: fc.Arbitrary<Draft> = fc.record({
  model: fc.constant(""),
  system: fc.constantFrom("", "Be brief.", "<b>Be brief</b>"),
  user: fc.string({ minLength: 1, maxLength: 40 }).map((text) => `${text}?`),
  maxTokens: fc.constantFrom("64", "1000"),
  temperature: fc.constantFrom("", "0", "0.5", "1"),
});

it("what the page encodes is what the service would send, in every protocol", async () => {
  const names = Object.keys(SPOKEN) as ProtocolName[];
  const spoken = new Set<string>(Object.values(SPOKEN).map(({ codec }) => codec.protocol));
  await fc.assert(
    fc.asyncProperty(
      drafts,
      fc.constantFrom(...names),
      fc.constantFrom(...PROTOCOLS.filter((protocol) => spoken.has(protocol))),
      async (draft, name, upstream) => {
        const id = modelOf(upstream);
        const { body } = encode({ ...emptyDraft, ...draft, model: id }, name);
        const headers = { "x-explain": "true" };
        const response = await desk.call(SPOKEN[name].path(id), body, { headers });
        const explained = (await response.json()) as { upstream: { body: Record<string, unknown> } };
        const shown = translated(body as object, { from: name, to: upstream, model: id, stream: true })
          ?.body as Record<string, unknown>;
        expect(explained.upstream.body, JSON.stringify(explained)).toEqual(shown);
      },
    ),
    { numRuns: 100 },
  );
});

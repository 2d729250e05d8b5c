import { createCatalog, createMemoryCache } from "@manifold-gateway/gateway";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { callerOf } from "../../support/caller.ts";
import { ADA, OTHER } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model, textModels } from "../../support/text.ts";
import { askOf, callers } from "../../support/wires/index.ts";

let h: Stage;
/** Of the model, which a change in the catalog raises. */
let revision = 1;
beforeAll(async () => {
  const catalog = createCatalog([...textModels, model("kept", "chatstyle", { aliases: ["also-kept"] })]);
  h = await startStage({
    listens: false,
    holders: [ADA, OTHER],
    answers: { cache: createMemoryCache(10_000_000, Date.now), share: 0 },
    catalog: {
      ...catalog,
      get(name) {
        const found = catalog.get(name);
        return found && { ...found, revision };
      },
    },
  });
});
afterAll(() => h.close());

/** Everything of a request that decides its answer; the first of each is the usual one. */
const members = {
  account: [ADA, OTHER],
  protocol: callers,
  name: ["kept", "also-kept"],
  stream: [false, true],
  /** Of streams of generate content: events, or one array. */
  form: ["?alt=sse", ""],
  text: ["Hello", "Hullo"],
  body: [{}, { metadata: { a: "1" } }, { x_unknown: 1 }, { models: ["sim-chatstyle"] }],
  losses: [undefined, "strict", "warn"],
  beta: [undefined, "one", "one,two"],
  version: [undefined, "2023-01-01"],
  revision: [1, 2],
} as const;
type Member = keyof typeof members;
type Asked = { [name in Member]: (typeof members)[name][number] };

const usual = Object.fromEntries(
  Object.entries(members).map(([name, [first]]) => [name, first]),
) as unknown as Asked;
/** A request that differs from the usual one in two members at most, so that equal ones are many. */
const change = fc
  .constantFrom(...(Object.keys(members) as Member[]))
  .chain((name) => fc.constantFrom<unknown>(...members[name]).map((value) => ({ [name]: value })));
const asked = fc
  .tuple(fc.constantFrom(...callers), fc.boolean(), change, fc.option(change, { nil: {} }))
  .map(([protocol, stream, one, other]): Asked => ({ ...usual, protocol, stream, ...one, ...other }));

let run = 0;
async function ask(asked: Asked): Promise<{ isHit: boolean; isAnswered: boolean }> {
  const { account, protocol, name, stream, form, text, body, losses, beta, version } = asked;
  const [path] = askOf(protocol, name, stream);
  // Two surfaces take the same body.
  const [, said] = askOf(protocol === "chatstyle" ? "msgstyle" : protocol, name, stream);
  revision = asked.revision;
  const written = JSON.stringify({ ...said, ...body }).replace(/hello/i, `${text} ${run}`);
  const headers = {
    "x-cache": "max-age=60, any",
    ...(losses && { "x-loss-policy": losses }),
    ...(beta && { "anthropic-beta": beta }),
    ...(version && { "anthropic-version": version }),
  };
  const caller = callerOf(h.origin, async (request) => h.gateway.fetch(request as Request), account.key);
  const response = await caller.call(
    path.replace(/\?.*/, "") + (protocol === "genstyle" ? form : ""),
    written,
    {
      headers,
    },
  );
  await response.text();
  return { isHit: /^hit/.test(response.headers.get("x-cache") ?? ""), isAnswered: response.status === 200 };
}

/** The members that a request on its surface has. */
const essence = ({ form, losses, ...rest }: Asked): string =>
  JSON.stringify({
    ...rest,
    ...(rest.protocol === "genstyle" && rest.stream && { form }),
    losses: losses ?? "warn",
  });

it("an answer is given once more exactly to requests of its account that are equal in all that decides it", async () => {
  let hits = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { minLength: 20, maxLength: 40 }), async (requests) => {
      run += 1;
      const answered = new Set<string>();
      for (const request of requests) {
        const { isHit, isAnswered } = await ask(request);
        expect({ request, isHit }).toEqual({ request, isHit: answered.has(essence(request)) });
        if (isAnswered) answered.add(essence(request));
        hits += Number(isHit);
      }
    }),
    { numRuns: 10 },
  );
  expect(hits).toBeGreaterThan(50);
});

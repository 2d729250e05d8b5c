import { FALLBACK_CAUSES } from "@manifold-gateway/gateway";
import { createFetchTransport, defineProvider, refusedContent } from "@manifold-gateway/providers";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { ADMIN, type Json } from "../../support/caller.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT, model } from "../../support/text.ts";
import { askOf, callers, upstreamWires } from "../../support/wires/index.ts";

/** What a provider may do with a request for a model. */
const outcomes = {
  answer: undefined,
  down: { status: 503, body: { error: { message: "overloaded" } } },
  limited: { status: 429, body: { error: { message: "slow down" } } },
  long: { status: 400, body: { error: { message: "no", code: "context_length_exceeded" } } },
  filtered: { status: 400, body: { error: { message: "no", code: "content_filter" } } },
  wrong: { status: 400, body: { error: { message: "'a' must not be 'b'" } } },
  /** It may have been charged. */
  broken: { status: 500, body: { error: { message: "oops" } } },
  /** A good answer whose text is no JSON. */
  unread: { status: 200, body: undefined },
} as const;
type Outcome = keyof typeof outcomes;
type Cause = (typeof FALLBACK_CAUSES)[number];
const causes: { [name in Outcome]?: Cause } = {
  down: "unavailable",
  limited: "rate_limited",
  long: "context",
  filtered: "filtered",
};

const NAMES = ["a", "b", "c", "d"] as const;
type Name = (typeof NAMES)[number];
const protocolOf: Record<Name, "chatstyle" | "msgstyle"> = {
  a: "chatstyle",
  b: "msgstyle",
  c: "chatstyle",
  d: "msgstyle",
};

let now: Partial<Record<Name, Outcome>> = {};
let calls: Name[] = [];
let h: Stage;
const logged: Json[] = [];

const answerOf = async (request: Request): Promise<Response> => {
  const body = (await request.json()) as { model: Name; stream?: boolean };
  calls.push(body.model);
  const failure = outcomes[now[body.model] ?? "answer"];
  if (failure?.status === 200)
    return new Response(body.stream ? 'data: {"a\n\n' : '{"a', {
      headers: { "content-type": body.stream ? "text/event-stream" : "application/json" },
    });
  if (failure) return Response.json(failure.body, { status: failure.status });
  const protocol = protocolOf[body.model];
  const wire = upstreamWires[protocol];
  const { codecs } = await import("@manifold-gateway/core");
  const codec = codecs[protocol];
  if (body.stream !== true) return Response.json(codec.reply.gather(wire.named(body.model) as never));
  const text = (wire.named(body.model) as (object | string)[])
    .map((chunk) => {
      const data = typeof chunk === "string" ? chunk : JSON.stringify(chunk);
      const event = typeof chunk === "string" ? undefined : codec.frame.event?.(chunk as never);
      return `${event ? `event: ${event}\n` : ""}data: ${data}\n\n`;
    })
    .join("");
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
};

beforeAll(async () => {
  h = await startStage({
    listens: false,
    admission: "strict",
    log: { info: (fields) => void logged.push(fields), warn() {}, error() {} },
    transport: createFetchTransport({
      fetch: ((input, init) => answerOf(new Request(input as Request, init))) as typeof fetch,
    }),
    routing: { circuit: { failures: 1_000_000 } },
    models: [
      ...NAMES.map((name) => model(name, protocolOf[name])),
      model("own", "chatstyle", {
        entries: [
          { provider: "chatstyle", name: "a", priority: 1, isActive: true, price: { input: 1, output: 1 } },
        ],
        fallbacks: [
          { model: "gone", on: FALLBACK_CAUSES },
          { model: "b", on: ["rate_limited"] },
          { model: "c", on: ["unavailable"] },
        ],
      }),
      model("dear", "chatstyle", {
        entries: [
          {
            provider: "chatstyle",
            name: "a",
            priority: 1,
            isActive: true,
            price: { input: 1e12, output: 1e12 },
          },
        ],
      }),
      model("textless", "chatstyle", {
        entries: [
          {
            ...{ provider: "chatstyle", name: "d", priority: 1, isActive: true, price: {} },
            capabilities: { strictParams: true, text: { supportedParameters: ["maxTokens"] } },
          },
        ],
      }),
    ],
    providers: new Map(
      (["chatstyle", "msgstyle"] as const).map((protocol) => [
        protocol,
        defineProvider(protocol, { origin: "http://vendor.test", speaks: [protocol] }),
      ]),
    ),
  });
});
afterAll(() => h.close());

const run = async (outcomesNow: typeof now, path: string, body: object, headers = {}): Promise<Response> => {
  now = outcomesNow;
  calls = [];
  return h.call(path, body, { headers });
};
const records = async (response: Response): Promise<Json[]> => {
  const id = response.headers.get("x-request-id");
  const { results } = await h.json("/api/compat/v1/usage?limit=20");
  return results.filter((one: Json) => one.requestId === id).reverse();
};

it("the log names the provider that answered, and each that failed before it", async () => {
  await run({ a: "down" }, CHAT, { model: "own", messages: [{ role: "user", content: "Hi" }] });
  expect(logged.at(-1)).toMatchObject({
    model: "c",
    fallbackFrom: "own",
    provider: "chatstyle",
    attempts: 2,
    failed: ["chatstyle 503"],
  });
  await run({}, CHAT, { model: "a", messages: [{ role: "user", content: "Hi" }] });
  expect(logged.at(-1)).toMatchObject({ provider: "chatstyle", attempts: 1, failed: undefined });
});

/** Which models are asked for a line of them, and which of them answers, by the rules of the page. */
function expected(line: readonly Name[]): { asked: Name[]; last: Name } {
  const asked: Name[] = [];
  for (const name of line) {
    asked.push(name);
    if (causes[now[name] ?? "answer"] === undefined) break;
  }
  return { asked, last: asked.at(-1) as Name };
}

const lines = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 });
const states = fc.record(
  Object.fromEntries(
    NAMES.map((name) => [
      name,
      fc.constantFrom(...(Object.keys(outcomes) as Outcome[]).filter((outcome) => outcome !== "unread")),
    ]),
  ),
) as fc.Arbitrary<Record<Name, Outcome>>;

describe("models that answer in place of others", () => {
  it("are asked in turn after a failure that charged nothing, and the answering one is charged and named", async () => {
    await fc.assert(
      fc.asyncProperty(
        ...[fc.constantFrom(...callers), fc.boolean(), lines, states],
        async (surface, stream, line, state) => {
          const [path, body] = askOf(surface, line[0] as string, stream);
          const before = await h.balance();
          const response = await run(state, path, { ...body, models: line.slice(1) });
          const text = await response.text();
          await h.settled();
          const { asked, last } = expected(line);
          // The last model left may be called once more.
          expect(calls.filter((name, at) => name !== calls[at - 1])).toEqual(asked);
          const isServed = now[last] === "answer";
          expect(response.status, text).toBe(isServed ? 200 : outcomes[now[last] as Outcome]?.status);
          expect(response.headers.get("x-model")).toBe(last);
          // Ids of one millisecond have no order.
          const kept = (await records(response)).sort(
            (one, other) => asked.indexOf(one.model) - asked.indexOf(other.model),
          );
          expect(kept.map(({ model: name }) => name)).toEqual(asked);
          expect(kept.map(({ status }) => status)).toEqual(
            asked.map((name) => (now[name] === "answer" ? "succeeded" : "failed")),
          );
          for (const [at, { fallback }] of kept.entries())
            expect(fallback).toEqual(
              at === 0 ? undefined : { from: asked[0], cause: causes[now[asked[at - 1] as Name] as Outcome] },
            );
          const cost = kept.reduce((sum, { usdCost = 0 }) => sum + Math.round(usdCost * 1e6), 0);
          expect(cost > 0).toBe(isServed);
          expect(before.balance - (await h.balance()).balance).toBe(cost);
        },
      ),
      { numRuns: 60 },
    );
  });

  const translated = [...callers, "native" as const].flatMap((surface) =>
    [false, true].map((stream) => ({ surface, stream })),
  );
  test.each(translated)(
    "none is asked once an answer has begun, though it cannot be read: $surface, streamed: $stream",
    async ({ surface, stream }) => {
      // Of the other protocol, so that it is read here.
      const name = surface === "msgstyle" ? "a" : "b";
      const [path, body] = askOf(surface, name, stream);
      const response = await run({ [name]: "unread" }, path, { ...body, models: ["c"] });
      expect(await response.text()).toContain("error");
      await h.settled();
      expect(calls).toEqual([name]);
      expect(await records(response)).toMatchObject([{ model: name, status: "failed", usdCost: 0 }]);
    },
  );

  test.each([
    ["down", "c"],
    ["limited", "b"],
    ["long", "own"],
  ] as const)("a model's own line is asked after its causes only: %s leads to %s", async (state, served) => {
    const response = await run({ a: state }, CHAT, { ...askOf("chatstyle", "own", false)[1] });
    expect(response.headers.get("x-model")).toBe(served);
    expect(response.status).toBe(served === "own" ? 400 : 200);
  });

  it("one without credit for the first is answered by the next that it can pay", async () => {
    const response = await run({}, CHAT, { ...askOf("chatstyle", "dear", false)[1], models: ["b"] });
    expect([response.status, response.headers.get("x-model"), calls]).toEqual([200, "b", ["b"]]);
    expect((await records(response))[0].fallback).toEqual({ from: "dear", cause: "budget" });
  });

  it("a model that does not take the request is left out, and the caller hears of the one that failed", async () => {
    const body = { ...askOf("chatstyle", "a", false)[1], temperature: 0.5 };
    const next = await run({ a: "down" }, CHAT, { ...body, models: ["textless", "c"] });
    expect([next.status, next.headers.get("x-model")]).toEqual([200, "c"]);
    const none = await run({ a: "down" }, CHAT, { ...body, models: ["textless"] });
    expect(none.status).toBe(503);
    expect(await none.json()).toMatchObject({ error: { message: "overloaded" } });
  });

  test.each([
    [["b", "nobody"], "models[1]"],
    [["b", 3], "models[1]"],
    ["b", "models"],
    [Array.from({ length: 9 }, () => "b"), "models"],
  ])("%j is refused before any call", async (models, param) => {
    const response = await run({}, CHAT, { ...askOf("chatstyle", "a", false)[1], models });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: "invalid_request",
      errors: [expect.stringContaining(param)],
    });
    expect(calls).toEqual([]);
  });

  it("an idempotency key stays in use for a stream that the second model gave", async () => {
    const body = { ...askOf("chatstyle", "a", true)[1], models: ["c"] };
    const headers = { "idempotency-key": "once" };
    expect(await (await run({ a: "down" }, CHAT, body, headers)).text()).toContain("[DONE]");
    const again = await run({ a: "down" }, CHAT, body, headers);
    expect([again.status, calls]).toEqual([409, []]);
  });

  it("a key's place is given up once, after the last model", async () => {
    const limited = { name: "one at a time", restrictions: { concurrentRequests: 1 } };
    const { key } = await h.json("/api/admin/accounts/acc/api-keys", limited, 201, {
      headers: { "x-admin-key": ADMIN },
    });
    const headers = { "x-api-key": key };
    for (let round = 0; round < 3; round++) {
      const response = await run(
        { a: "down" },
        CHAT,
        { ...askOf("chatstyle", "a", false)[1], models: ["c"] },
        headers,
      );
      expect(response.status).toBe(200);
    }
  });

  it("an explanation says of each whether it would take the request", async () => {
    const body = { ...askOf("chatstyle", "a", false)[1], temperature: 0.5, models: ["textless", "b"] };
    const { verdict, fallbacks } = await h.json(CHAT, body, 200, { headers: { "x-explain": "true" } });
    expect([verdict, ...fallbacks.map((one: Json) => [one.model, one.verdict])]).toEqual([
      "accepted",
      ["textless", "refused"],
      ["b", "accepted"],
    ]);
  });
});

describe("the reader of refused content", () => {
  const error = (message: string, more = {}) => ({ error: { message, ...more } });
  test.each([
    [
      error(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
      ),
      "context",
    ],
    [error("prompt is too long: 213462 tokens > 200000 maximum"), "context"],
    [
      error("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
      "context",
    ],
    [error("Input is too long for requested model."), "context"],
    [error("Invalid request: Your request exceeded model token limit: 131072"), "context"],
    [
      error("Please reduce the length of the messages or completion.", { code: "context_length_exceeded" }),
      "context",
    ],
    [
      error("the request exceeds the available context size", { type: "exceed_context_size_error" }),
      "context",
    ],
    [
      {
        object: "error",
        message: "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
      },
      "context",
    ],
    [error("The response was filtered", { code: "content_filter" }), "filtered"],
    [error("Input data may contain inappropriate content.", { code: "data_inspection_failed" }), "filtered"],
    [error("Your request was rejected as a result of our safety system."), "filtered"],
    [error("'temperature' must be below 2", { code: "invalid_value" }), undefined],
    [
      error("max_tokens is too large: 999999. This model supports at most 16384 completion tokens"),
      undefined,
    ],
    [undefined, undefined],
  ] as const)("%j is %s", (body, kind) => {
    expect(refusedContent(body as never)).toBe(kind);
  });
});

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Guard } from "@manifold-gateway/gateway";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import type { Json } from "../../support/caller.ts";
import { type Listening, listen } from "../../support/listen.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT, model, modelOf, PROTOCOLS } from "../../support/text.ts";
import { askOf, callers } from "../../support/wires/index.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
/** What the guard of these tests masks. */
const NAME = "Rosalind";
const MASK = "[name]";

type Answering = (body: Json) => { status?: number; body: unknown } | "silence";
const masking: Answering = ({ texts }) => {
  const masked = texts
    .filter(({ text }: Json) => text.includes(NAME))
    .map(({ place, text }: Json) => ({ place, text: text.replaceAll(NAME, MASK) }));
  return { body: masked.length > 0 ? { decision: "mask", texts: masked } : { decision: "allow" } };
};

let answering: Answering = masking;
let heard: Json[] = [];
/** The ids of the questions. */
let asked: string[] = [];
let h: Stage;
let server: Listening;
const check = async (request: IncomingMessage, response: ServerResponse) => {
  const body = await textOf(request);
  // Throws for a signature that is not ours.
  const read = new Webhook(SECRET).verify(body, request.headers as Record<string, string>) as Json;
  heard.push(read);
  asked.push(String(request.headers["webhook-id"]));
  const answer = answering(read);
  if (answer === "silence") return;
  response.writeHead(answer.status ?? 200, { "content-type": "application/json" });
  response.end(JSON.stringify(answer.body));
};
async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request) text += piece;
  return text;
}

beforeAll(async () => {
  server = await listen(check);
  const guard: Guard = {
    ...{ id: "names", url: `${server.origin}/check`, secrets: [SECRET], phases: ["request", "reply"] },
    ...{ timeout: 1_000, onFailure: "refuse" },
  };
  h = await startStage({
    guards: [guard, { ...guard, id: "lenient", accounts: ["other"], onFailure: "allow" }],
    routing: { circuit: { failures: 1_000_000 } },
    models: [
      model("ranks", "chatstyle", { outputModalities: ["ranking"] }),
      model("moderates", "chatstyle", { outputModalities: ["moderation"] }),
    ],
  });
});
afterAll(async () => {
  await h.close();
  await server.close();
});
beforeEach(() => {
  answering = masking;
  heard = [];
  asked = [];
});

const named = (path: [string, object], text: string): [string, string] => [
  path[0],
  JSON.stringify(path[1]).replace(/hello/i, text),
];
const cells = callers.flatMap((surface) =>
  PROTOCOLS.flatMap((protocol) => [false, true].map((stream) => ({ surface, protocol, stream }))),
);

describe.each(cells)("a guard between $surface and a model of $protocol, streamed: $stream", (cell) => {
  it("masks what it finds, so that neither provider, caller nor record has it, and all else stays", async () => {
    const { surface, protocol, stream } = cell;
    const said = `[[text:It was ${NAME} Franklin who saw it. Ask ${NAME} yourself, please.]] Who is ${NAME}?`;
    const [path, body] = named(askOf(surface, modelOf(protocol), stream), said);
    expect(body).toContain(NAME);
    const response = await h.call(path, body);
    const text = await response.text();
    expect(response.status, text).toBe(200);
    await h.settled();
    const { request } = h.simulator.ledger.entries.at(-1) as { request: unknown };
    expect(JSON.stringify(request)).not.toContain(NAME);
    expect(JSON.stringify(request)).toContain(`Who is ${MASK}?`);
    expect(text).not.toContain(NAME);
    const record = await h.json(`/api/compat/v1/usage/${response.headers.get("x-generation-id")}`);
    expect(JSON.stringify(record)).not.toContain(NAME);
    expect(record.guards[0]).toMatchObject({ guard: "names", phase: "request", decision: "masked" });
    expect(response.headers.get("x-guard")).toContain("names;request=masked");
  });
});

/** The text of a stream of chat chunks, or of a body. */
const spoken = (text: string): string =>
  text.startsWith("{")
    ? JSON.parse(text).choices[0].message.content
    : text
        .split("\n")
        .filter((line) => line.startsWith("data: {"))
        .map((line) => JSON.parse(line.slice(6)).choices[0]?.delta?.content ?? "")
        .join("");
const chat = (text: string, more: object = {}) => ({
  model: "sim-chatstyle",
  messages: [{ role: "user", content: text }],
  ...more,
});

describe.each([false, true])("a guard of replies, streamed: %s", (stream) => {
  const reply = "One thing. Two things, at 3.5 m. And the third!";

  it("is asked before a text is sent, and lets it pass unchanged", async () => {
    const response = await h.call(CHAT, chat(`[[text:${reply}]]`, { stream }));
    expect(spoken(await response.text())).toBe(reply);
    const checked = heard.filter(({ type }) => type === "guard.reply").flatMap(({ texts }) => texts);
    expect(checked.map(({ text }: Json) => text).join("")).toBe(reply);
    expect(response.headers.get("x-guard")).toBe(
      stream
        ? "names;request=allowed, names;reply=by sentence"
        : "names;request=allowed, names;reply=allowed",
    );
  });

  it("each question has an id of its own, by which a receiver finds replays", async () => {
    await (await h.call(CHAT, chat(`[[text:${reply}]]`, { stream }))).text();
    expect(asked.length).toBeGreaterThan(1);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it("changes what the caller gets, and the reply is charged as it was generated", async () => {
    answering = ({ type, texts }) =>
      type === "guard.reply"
        ? {
            body: {
              decision: "mask",
              texts: texts.map(({ place, text }: Json) => ({ place, text: text.replaceAll("thing", "***") })),
            },
          }
        : { body: { decision: "allow" } };
    const response = await h.call(CHAT, chat(`[[text:${reply}]]`, { stream }));
    expect(spoken(await response.text())).toBe(reply.replaceAll("thing", "***"));
    await h.settled();
    const record = await h.json(`/api/compat/v1/usage/${response.headers.get("x-generation-id")}`);
    expect(record.guards.at(-1)).toMatchObject({ phase: "reply", decision: "masked" });
    expect(record.usdCost).toBeGreaterThan(0);
  });

  it("refuses a reply: nothing of it is sent behind that, and what was generated is charged", async () => {
    answering = ({ type, texts }) =>
      type === "guard.reply" && texts.some(({ text }: Json) => text.includes("Two"))
        ? { body: { decision: "refuse", reason: "no twos" } }
        : { body: { decision: "allow" } };
    const response = await h.call(CHAT, chat(`[[text:${reply}]]`, { stream }));
    const text = await response.text();
    expect(text).toContain("refused the reply: no twos");
    expect(text).not.toContain("Two things");
    await h.settled();
    const { results } = await h.json("/api/compat/v1/usage?limit=1");
    expect(results[0]).toMatchObject({
      status: "failed",
      guards: [{}, { decision: "refused", reason: "no twos" }],
    });
    expect(results[0].usdCost).toBeGreaterThan(0);
    // The provider did nothing wrong.
    const failures = await h.store.usage.failures({ from: 0, to: Number.MAX_SAFE_INTEGER });
    expect(failures.filter(({ failed }) => failed > 0)).toEqual([]);
    if (!stream) expect(response.status).toBe(403);
  });

  it("checks the arguments of a call as a whole", async () => {
    const tools = [{ type: "function", function: { name: "find", parameters: { type: "object" } } }];
    const ask = `[[call:find {"who":"${NAME} Franklin"}]]`;
    answering = (body) => (body.type === "guard.request" ? { body: { decision: "allow" } } : masking(body));
    const response = await h.call(CHAT, chat(ask, { stream, tools }));
    const text = await response.text();
    expect(text).not.toContain(NAME);
    expect(text).toContain(`${MASK} Franklin`);
  });
});

describe("a guard of requests", () => {
  it("refuses a request before any call, and nothing is charged", async () => {
    answering = () => ({ body: { decision: "refuse", reason: "not here" } });
    const before = [h.simulator.ledger.entries.length, (await h.balance()).balance];
    const response = await h.call(CHAT, chat("Hello"));
    expect([response.status, await response.json()]).toMatchObject([403, { code: "guard_refused" }]);
    expect([h.simulator.ledger.entries.length, (await h.balance()).balance]).toEqual(before);
  });

  test.each<[string, Answering]>([
    ["no answer in time", () => "silence"],
    ["an error", () => ({ status: 500, body: {} })],
    ["an answer of another form", () => ({ body: { decision: "perhaps" } })],
  ])("that gives %s refuses, where nothing passes without it", async (_, answer) => {
    answering = answer;
    const response = await h.call(CHAT, chat("Hello"));
    expect([response.status, await response.json()]).toMatchObject([503, { code: "guard_unavailable" }]);
  });

  it("reads no words of protocols, ids, files or seals", async () => {
    const image = `data:image/png;base64,${"A".repeat(60)}`;
    const content = [
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url: image } },
    ];
    await h.call(CHAT, { model: "sim-chatstyle", messages: [{ role: "user", content }], user: "Ada L." });
    expect(heard[0].texts).toEqual([
      { place: "/messages/0/content/0/text", text: "What is this?" },
      { place: "/user", text: "Ada L." },
    ]);
    expect(heard[0]).toMatchObject({ type: "guard.request", account: "acc", key: "key", user: "Ada L." });
  });

  it.each<[string, object]>([
    [
      "rerank",
      { model: "ranks", query: `Who is ${NAME}?`, documents: [NAME, { text: `${NAME} is a chemist.` }] },
    ],
    ["moderations", { model: "moderates", input: [NAME, `${NAME} is a chemist.`] }],
  ])("masks the texts of %s before a provider or a record has them", async (path, body) => {
    await h.json(`/api/chatstyle/v1/${path}`, body);
    const { results } = await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
    for (const kept of [h.simulator.ledger.last()?.request, results[0]?.request]) {
      expect(JSON.stringify(kept)).toContain(MASK);
      expect(JSON.stringify(kept)).not.toContain(NAME);
    }
  });

  it("checks embeddings and counts of tokens as well", async () => {
    await h.call("/api/msgstyle/v1/messages/count_tokens", {
      model: "sim-msgstyle",
      messages: [{ role: "user", content: `Who is ${NAME}?` }],
    });
    expect(JSON.stringify(h.simulator.ledger.entries.at(-1)?.request)).toContain(MASK);
  });
});

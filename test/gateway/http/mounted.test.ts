import { createFetch } from "@manifold-gateway/client";
import { H3 } from "h3";
import { Hono } from "hono";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEY } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { modelOf } from "../../support/text.ts";

type Fetch = (request: Request) => Response | Promise<Response>;

/** Applications beside whose own route a gateway answers, by their frameworks. */
const apps: Record<string, (gateway: Stage["gateway"]) => { fetch: Fetch }> = {
  h3: (gateway) =>
    new H3().get("/hello", () => "own").all("/api/**", (event) => gateway.fetch(event.req as Request)),
  Hono: (gateway) =>
    new Hono()
      .get("/hello", (context) => context.text("own"))
      .all("/api/*", (context) => gateway.fetch(context.req.raw)),
};

describe.each(Object.keys(apps))("a gateway in an application of %s", (framework) => {
  let stage: Stage;
  let send: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  beforeAll(async () => {
    stage = await startStage({ listens: false });
    const app = apps[framework]!(stage.gateway);
    send = async (input, init) => app.fetch(new Request(input, init));
  });
  afterAll(() => stage.close());

  it("answers whole and streamed, and settles, beside the application's own route", async () => {
    expect(await (await send("https://app.test/hello")).text()).toBe("own");
    const client = new OpenAI({
      baseURL: "https://app.test/api/chatstyle/v1",
      apiKey: KEY,
      fetch: send,
      maxRetries: 0,
    });
    const body = {
      model: modelOf("msgstyle"),
      messages: [{ role: "user" as const, content: "[[text:Good morning]]" }],
    };
    expect((await client.chat.completions.create(body)).choices[0]?.message.content).toBe("Good morning");
    let text = "";
    for await (const chunk of await client.chat.completions.create({ ...body, stream: true }))
      text += chunk.choices[0]?.delta.content ?? "";
    expect(text).toBe("Good morning");
    await stage.settled();
    expect(await stage.store.money.audit()).toEqual([]);
  });

  it("answers the probe without a key, and a path that it has not with its own error", async () => {
    expect((await send("https://app.test/api/chatstyle", { method: "HEAD" })).status).toBe(200);
    const response = await send("https://app.test/api/nowhere", { headers: { "x-api-key": KEY } });
    expect([response.status, (await response.json()).code]).toEqual([404, "route_not_found"]);
  });
});

it("a gateway below a path of a Hono application is a provider of the client, on each of its surfaces", async () => {
  const stage = await startStage({ listens: false });
  const app = new Hono().mount("/ai", stage.gateway.fetch);
  const send = createFetch({
    fetch: app.fetch,
    providers: {
      gateway: {
        origin: "https://app.test/ai/api/",
        speaks: ["chatstyle", "msgstyle", "genstyle"],
        basePaths: { chatstyle: "chatstyle/v1", msgstyle: "msgstyle/v1", genstyle: "genstyle/v1beta" },
        key: KEY,
      },
    },
  });
  const model = `gateway/${modelOf("msgstyle")}`;
  const text = "[[text:Good morning]]";
  const messages = [{ role: "user", content: text }];
  const bodies: Record<string, object> = {
    "/v1/chat/completions": { model, messages },
    "/v1/messages": { model, max_tokens: 9, messages },
    [`/v1beta/models/${model}:generateContent`]: { contents: [{ role: "user", parts: [{ text }] }] },
  };
  for (const [path, body] of Object.entries(bodies)) {
    const answer = await send(`https://any.test${path}`, { method: "POST", body: JSON.stringify(body) });
    expect([path, answer.status, await answer.text()]).toEqual([
      path,
      200,
      expect.stringContaining("Good morning"),
    ]);
  }
  await stage.settled();
  const { results } = await stage.store.generations.list({}, { offset: 0, limit: 9 });
  expect(results.map(({ surface }) => surface).sort()).toEqual(["chatstyle", "genstyle", "msgstyle"]);
  await stage.close();
});

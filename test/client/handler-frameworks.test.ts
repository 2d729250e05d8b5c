import { createHandler } from "@manifold-gateway/client";
import { H3 } from "h3";
import { Hono } from "hono";
import OpenAI from "openai";
import { expect, it } from "vitest";
import { startClient } from "./stage.ts";

/** Applications with a route that a handler answers, by their frameworks. */
const apps: Record<
  string,
  (handler: (request: Request) => Promise<Response>) => {
    fetch(request: Request): Response | Promise<Response>;
  }
> = {
  h3: (handler) => new H3().all("/ai/**", (event) => handler(event.req as Request)),
  Hono: (handler) => new Hono().all("/ai/*", (context) => handler(context.req.raw)),
};

it.each(Object.keys(apps))(
  "a route of %s answers by a handler, streamed or not, whatever stands before the vendors' paths",
  async (framework) => {
    const handler = createHandler({ ...startClient().options, models: { best: ["chatstyle/sim-text"] } });
    const app = apps[framework]!(handler);
    const client = new OpenAI({
      baseURL: "https://app.test/ai/v1",
      apiKey: "key",
      fetch: async (input, init) => app.fetch(new Request(input as string, init)),
    });
    const body = { model: "best", messages: [{ role: "user" as const, content: "[[text:Good morning]]" }] };
    const { choices } = await client.chat.completions.create(body);
    expect(choices[0]?.message.content).toBe("Good morning");
    let text = "";
    for await (const chunk of await client.chat.completions.create({ ...body, stream: true }))
      text += chunk.choices[0]?.delta.content ?? "";
    expect(text).toBe("Good morning");
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(["best"]);
  },
);

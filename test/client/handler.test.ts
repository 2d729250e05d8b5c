import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { createHandler, type HandlerOptions, type ProviderSettings } from "@manifold-gateway/client";
import OpenAI from "openai";
import { describe, expect, it, vi } from "vitest";
import { upstreams } from "../support/wires/index.ts";
import { startClient } from "./stage.ts";

type Options = HandlerOptions<Record<string, ProviderSettings>, string>;

const PNG =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const BASE = "https://route.test/any/place";

/** A handler in front of a simulator, and a `fetch` that reaches only the handler. */
function start(options: Options = {}) {
  const stage = startClient();
  const handler = createHandler({
    ...stage.options,
    onError: (error) => {
      throw error;
    },
    models: { best: ["chatstyle/sim-text"] },
    ...options,
  });
  const fetch = async (input: string | URL | Request, init?: RequestInit) =>
    handler(new Request(input, init));
  return { ...stage, handler, fetch };
}

type Fetch = ReturnType<typeof start>["fetch"];
const openai = (fetch: Fetch, apiKey = "key") =>
  new OpenAI({ baseURL: `${BASE}/v1`, apiKey, fetch, maxRetries: 0 });
const anthropic = (fetch: Fetch, apiKey = "key") =>
  new Anthropic({ baseURL: BASE, apiKey, fetch, maxRetries: 0 });
const genai = (fetch: Fetch, apiKey = "key") =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: BASE, fetch } });

/** One question by each SDK. */
const questions: Record<
  string,
  (fetch: Fetch, model: string, text: string, apiKey?: string) => Promise<string | null | undefined>
> = {
  "chat completions": async (fetch, model, text, apiKey) =>
    (
      await openai(fetch, apiKey).chat.completions.create({
        model,
        messages: [{ role: "user", content: text }],
      })
    ).choices[0]?.message.content,
  responses: async (fetch, model, text, apiKey) =>
    (await openai(fetch, apiKey).responses.create({ model, input: text })).output_text,
  messages: async (fetch, model, text, apiKey) => {
    const { content } = await anthropic(fetch, apiKey).messages.create({
      model,
      max_tokens: 100,
      messages: [{ role: "user", content: text }],
    });
    return content[0]?.type === "text" ? content[0].text : undefined;
  },
  "generate content": async (fetch, model, text, apiKey) =>
    (await genai(fetch, apiKey).models.generateContent({ model, contents: text })).text,
};
const surfaces = Object.keys(questions);

describe.each(surfaces)("the surface of %s", (surface) => {
  const ask = questions[surface]!;

  it.each(upstreams)("answers its SDK by a provider of %s", async (upstream) => {
    const { fetch } = start();
    expect(await ask(fetch, `${upstream}/sim-text`, "[[text:Good morning]]")).toBe("Good morning");
  });

  it("refuses a key that `authorize` does not accept by its SDK's own error, and sends nothing", async () => {
    const { fetch, sent } = start({ authorize: (key) => key === "right" });
    await expect(ask(fetch, "best", "Hi", "wrong")).rejects.toMatchObject({ status: 401 });
    expect(sent).toEqual([]);
    expect(await ask(fetch, "best", "[[text:Yes]]", "right")).toBe("Yes");
  });

  it.each([
    [{ "x-api-key": "own", authorization: "Bearer other" }, "", "own"],
    [{ "x-goog-api-key": "own", authorization: "Bearer other" }, "", "own"],
    [{ authorization: "Bearer other" }, "?key=own", "own"],
    [{ authorization: "Bearer  own" }, "", "own"],
    [{}, "", undefined],
  ])("shows `authorize` the key of %j%s", async (headers, query, key) => {
    const shown: unknown[] = [];
    const { fetch } = start({ authorize: (given) => shown.push(given) > 1 });
    await fetch(`http://localhost/v1/models${query}`, { headers });
    expect(shown).toEqual([key]);
  });

  it("answers status 500 without the words of an error of `authorize`, which `onError` gets", async () => {
    const errors: unknown[] = [];
    const failure = new Error("secret words");
    const { fetch, sent } = start({
      authorize: () => Promise.reject(failure),
      onError: (error) => void errors.push(error),
    });
    const error = await ask(fetch, "best", "Hi").catch((thrown: Error & { status: number }) => thrown);
    expect(error).toMatchObject({ status: 500 });
    expect(String((error as Error).message)).not.toContain("secret words");
    expect(errors).toEqual([failure]);
    expect(sent).toEqual([]);
  });

  it("answers status 500 even if `onError` throws", async () => {
    const { fetch } = start({ authorize: () => Promise.reject(new Error("broken")) });
    await expect(ask(fetch, "best", "Hi")).rejects.toMatchObject({ status: 500 });
  });
});

it("models are listed and found in the form of each surface's SDK", async () => {
  const { fetch } = start({ models: { best: "anthropic/claude-opus-4-7", fast: ["groq/llama-4"] } });
  const ids = async (list: AsyncIterable<{ id: string }>) => {
    const all: string[] = [];
    for await (const { id } of list) all.push(id);
    return all;
  };
  expect(await ids(await openai(fetch).models.list())).toEqual(["best", "fast"]);
  expect(await openai(fetch).models.retrieve("best")).toMatchObject({ id: "best", owned_by: "anthropic" });
  expect(await ids(await anthropic(fetch).models.list())).toEqual(["best", "fast"]);
  expect((await anthropic(fetch).models.retrieve("best")).max_tokens).toBe(128_000);
  const names: (string | undefined)[] = [];
  for await (const { name } of await genai(fetch).models.list()) names.push(name);
  expect(names).toEqual(["models/best", "models/fast"]);
  expect((await genai(fetch).models.get({ model: "best" })).inputTokenLimit).toBe(1_000_000);
  await expect(openai(fetch).models.retrieve("other")).rejects.toMatchObject({ status: 404 });
});

describe("hooks", () => {
  const seen = () => {
    const events: string[] = [];
    return { events, event: ({ type }: { type: string }) => void events.push(type) };
  };

  it.each(surfaces)("the request hook changes what the provider gets from %s", async (surface) => {
    for (const upstream of upstreams) {
      const { fetch } = start({
        hooks: {
          request: async (request, { model, stream }) => {
            expect([model, stream]).toEqual([`${upstream}/sim-text`, false]);
            return {
              ...request,
              messages: [{ role: "user", parts: [{ type: "text", text: "[[text:changed]]" }] }],
            };
          },
        },
      });
      expect(await questions[surface]!(fetch, `${upstream}/sim-text`, "[[text:original]]")).toBe("changed");
    }
  });

  it.each(surfaces)(
    "the event hook sees and changes the answer to %s, also of its own protocol",
    async (surface) => {
      for (const upstream of upstreams) {
        const { events, event } = seen();
        const { fetch } = start({
          hooks: {
            event(one) {
              event(one);
              return one.type === "delta" ? { ...one, text: one.text.toUpperCase() } : undefined;
            },
          },
        });
        expect(await questions[surface]!(fetch, `${upstream}/sim-text`, "[[text:good morning]]")).toBe(
          "GOOD MORNING",
        );
        expect(events[0]).toBe("start");
        expect(events).toEqual(expect.arrayContaining(["open", "delta", "close", "usage", "finish"]));
      }
    },
  );

  it.each(surfaces)("the reply hook replaces a whole answer to %s", async (surface) => {
    const { fetch } = start({
      hooks: {
        reply: (reply) => ({
          ...reply,
          choices: reply.choices.map((choice) => ({
            ...choice,
            parts: [{ type: "text", text: "replaced" }],
          })),
        }),
      },
    });
    for (const upstream of upstreams)
      expect(await questions[surface]!(fetch, `${upstream}/sim-text`, "[[text:original]]")).toBe("replaced");
  });

  const streamed = async (fetch: Fetch, text: string, model = "best"): Promise<string> => {
    let all = "";
    const stream = await openai(fetch).chat.completions.create({
      model,
      stream: true,
      messages: [{ role: "user", content: text }],
    });
    for await (const { choices } of stream) all += choices[0]?.delta.content ?? "";
    return all;
  };

  it("hooks see the events of a stream as they pass, and the whole answer at its end", async () => {
    const replies: unknown[] = [];
    const { fetch } = start({
      hooks: {
        event: (event) =>
          event.type === "delta" ? { ...event, text: event.text.replaceAll("o", "0") } : event,
        reply: ({ choices }) => void replies.push(choices[0]?.parts),
      },
    });
    expect(await streamed(fetch, "[[text:good morning to you]]")).toBe("g00d m0rning t0 y0u");
    expect(replies).toEqual([[{ type: "text", text: "g00d m0rning t0 y0u" }]]);
  });

  it("an event hook can leave events out", async () => {
    const { fetch } = start({ hooks: { event: (event) => (event.type === "delta" ? [] : event) } });
    expect(await streamed(fetch, "[[text:good morning]]")).toBe("");
  });

  it("losses name the caller's own members behind a request hook", async () => {
    const paths: string[] = [];
    const { fetch } = start({
      hooks: { request: (request) => ({ ...request, params: { ...request.params, seed: 7 } }) },
      onLoss: ({ path }) => void paths.push(path),
    });
    const picture = { type: "input_image", image_url: PNG, detail: "high" } as const;
    await openai(fetch).responses.create({
      model: "msgstyle/sim-text",
      max_output_tokens: 10,
      input: [{ role: "user", content: [{ type: "input_text", text: "Hi" }, picture] }],
    });
    expect(paths).toContain("/input/0/content/1/detail");
  });

  const failure = new Error("secret words");
  const thrower = (): never => {
    throw failure;
  };

  it.each(["request", "event", "reply"] as const)(
    "an error of the %s hook is status 500 of the surface without its words, and `onError` gets it once",
    async (name) => {
      for (const surface of surfaces) {
        const errors: unknown[] = [];
        const { fetch, sent } = start({
          hooks: { [name]: thrower },
          onError: (error) => void errors.push(error),
        });
        const error = await questions[surface]!(fetch, "best", "Hi").catch((thrown: Error) => thrown);
        expect(error).toMatchObject({ status: 500 });
        expect(JSON.stringify([error, (error as Error).message])).not.toContain("secret words");
        expect(errors).toEqual([failure]);
        expect(sent).toHaveLength(name === "request" ? 0 : 1);
      }
    },
  );

  it("an error of a hook in a stream ends it with an error, and cancels the provider's answer", async () => {
    const errors: unknown[] = [];
    let count = 0;
    const { fetch, simulator } = start({
      hooks: { event: (event) => (event.type === "delta" && ++count > 1 ? thrower() : event) },
      onError: (error) => void errors.push(error),
    });
    await expect(streamed(fetch, "[[text:one two three four]]")).rejects.toThrow(/failed while it handled/);
    expect(errors).toEqual([failure]);
    expect(simulator.ledger.entries).toHaveLength(1);
  });

  it("an error of a hook before the first event of a stream is status 500", async () => {
    const onError = vi.fn();
    const { fetch } = start({ hooks: { event: thrower }, onError });
    await expect(streamed(fetch, "Hi")).rejects.toMatchObject({ status: 500 });
    expect(onError.mock.calls).toEqual([[failure]]);
  });
});

it("without hooks, a body and an answer of the provider's own protocol pass byte for byte", async () => {
  const { fetch, sent, simulator } = start();
  const text = '{ "model": "chatstyle/sim-text",  "messages": [{"role":"user","content":"[[text:Hi]]"}] }';
  const answer = await fetch(`${BASE}/v1/chat/completions`, { method: "POST", body: text });
  expect(await sent[0]?.text()).toBe(text.replace("chatstyle/sim-text", "sim-text"));
  expect(simulator.ledger.entries).toHaveLength(1);
  expect(await answer.text()).toContain("Hi");
});

it("a path that no surface has is status 404 with the paths that there are", async () => {
  const { fetch, sent } = start();
  for (const [method, path] of [
    ["GET", "/v1/files"],
    ["POST", "/v1/files"],
  ] as const) {
    const response = await fetch(BASE + path, { method, ...(method === "POST" && { body: "{}" }) });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("…/");
  }
  expect(sent).toEqual([]);
});

it.each(["chat/completions", "audio/transcriptions"])(
  "a body for …/%s that other code has read is a defect of the program, and no fault of its caller",
  async (path) => {
    const onError = vi.fn();
    const { handler, sent } = start({ onError });
    const body = path.startsWith("chat") ? JSON.stringify({ model: "best", messages: [] }) : new FormData();
    const request = new Request(`${BASE}/v1/${path}`, { method: "POST", body });
    await request.arrayBuffer();
    const response = await handler(request);
    expect(response.status).toBe(500);
    expect(await response.text()).toContain("The client failed.");
    expect(String(onError.mock.calls[0])).toContain("The request's body was read before");
    expect(sent).toEqual([]);
  },
);

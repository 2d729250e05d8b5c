import { createServer } from "node:http";
import { createCatalog } from "@manifold-gateway/gateway";
import { defineProvider } from "@manifold-gateway/providers";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN, type Json } from "../../support/caller.ts";
import { KEY } from "../../support/holder.ts";
import { listen } from "../../support/listen.ts";
import { startMediaStage } from "../../support/media.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT, model } from "../../support/text.ts";

const SECRET = "provider-credential-0123456789";
const REASON = {
  error: { code: 400, message: "max_output_tokens is too large.", status: "INVALID_ARGUMENT" },
};
const BUSY = { error: { message: "Too many requests.", type: "rate_limit_error", code: "rate_limited" } };

interface Answer {
  status: number;
  body: string;
}
const chat = (words: string): string =>
  JSON.stringify({
    id: "a",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content: words }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });

let stage: Stage;
/** The answers of the provider to come, by the model's name there. */
const answers = new Map<string, Answer>();
const upstream = createServer(async (request, response) => {
  let text = "";
  for await (const part of request) text += part;
  const name = /\/models\/(\w+):/.exec(request.url ?? "")?.[1] ?? (JSON.parse(text) as Json).model;
  const { status, body } = answers.get(name) ?? { status: 200, body: chat("Hello") };
  const type = body.startsWith("data:") ? "text/event-stream" : "application/json";
  response.writeHead(status, { "content-type": type }).end(body);
});

beforeAll(async () => {
  const { origin } = await listen(upstream);
  const [entry] = model("m", "chats").entries;
  stage = await startStage({
    catalog: createCatalog([
      model("chat", "chats"),
      model("gen", "gens"),
      model("two", "chats", {
        entries: [
          { ...entry!, provider: "firsts", name: "first", priority: 1 },
          { ...entry!, provider: "chats", name: "second", priority: 2 },
        ],
      }),
    ]),
    providers: new Map(
      (["chats", "firsts", "gens"] as const).map((id) => {
        const protocol = id === "gens" ? "genstyle" : "chatstyle";
        return [id, defineProvider(id, { origin, speaks: [protocol], key: SECRET })];
      }),
    ),
    routing: { circuit: { failures: 1_000 } },
  });
});
afterAll(async () => {
  await stage.close();
  upstream.closeAllConnections();
  upstream.close();
});

const ask = (name: string, more: Json = {}) => ({
  model: name,
  messages: [{ role: "user", content: "Hi" }],
  ...more,
});
const recordOf = async (response: Pick<Response, "headers">): Promise<Json> => {
  const id = response.headers.get("x-generation-id");
  return stage.until(`/api/compat/v1/usage/${id}`, ({ attempts }) => attempts[0].error !== undefined);
};

describe("the record of a failed request", () => {
  it.each(["unary", "streamed"])(
    "has the provider's words for a %s request of its protocol, as the SDK gets them",
    async (form) => {
      answers.set("chat", { status: 429, body: JSON.stringify(BUSY) });
      const sdk = new OpenAI({ apiKey: KEY, baseURL: `${stage.origin}/api/chatstyle/v1`, maxRetries: 0 });
      const error = await sdk.chat.completions
        .create({ ...ask("chat"), stream: form === "streamed" } as never)
        .then(
          () => undefined,
          (refused: InstanceType<typeof OpenAI.APIError>) => refused,
        );
      expect(error?.status).toBe(429);
      const { attempts, status } = await recordOf({ headers: error!.headers! });
      expect(status).toBe("failed");
      expect(attempts[0]).toMatchObject({
        status: 429,
        error: {
          code: "rate_limited",
          type: "rate_limit_error",
          message: BUSY.error.message,
          body: JSON.stringify(BUSY),
        },
      });
    },
  );

  it.each([{ stream: true }, {}])("has them for a translated request: %o", async (more) => {
    answers.set("gen", { status: 400, body: JSON.stringify(REASON) });
    const response = await stage.call(CHAT, ask("gen", more));
    expect(response.status).toBe(400);
    const { attempts } = await recordOf(response);
    expect(attempts[0].error).toMatchObject({ code: "INVALID_ARGUMENT", message: REASON.error.message });
    expect(attempts[0]).not.toHaveProperty("provider");
  });

  it("has what the first provider answered where another one served, and operators see both by name", async () => {
    answers.set("first", {
      status: 503,
      body: JSON.stringify({ error: { message: "Busy.", status: "UNAVAILABLE" } }),
    });
    const response = await stage.call(CHAT, ask("two"));
    expect(response.status).toBe(200);
    const { attempts, status, id } = await recordOf(response);
    expect(status).toBe("succeeded");
    expect(attempts).toMatchObject([
      { status: 503, error: { code: "UNAVAILABLE", message: "Busy." } },
      { status: 200 },
    ]);
    const init = { headers: { "x-admin-key": ADMIN } };
    const seen = await stage.json(`/api/admin/generations/${id}`, undefined, 200, init);
    expect(seen.attempts).toMatchObject([
      { provider: "firsts", error: { message: "Busy." } },
      { provider: "chats" },
    ]);
  });

  it("has a failure that a stream reports after its first words", async () => {
    const first = {
      id: "a",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [{ index: 0, delta: { content: "He" } }],
    };
    answers.set("chat", {
      status: 200,
      body: [first, { error: { message: "Overloaded by now.", code: "overloaded" } }]
        .map((one) => `data: ${JSON.stringify(one)}\n\n`)
        .join(""),
    });
    const response = await stage.call(CHAT, ask("chat", { stream: true }));
    await response.text();
    const { attempts } = await recordOf(response);
    expect(attempts[0]).toMatchObject({ status: 200, error: { message: "Overloaded by now." } });
  });

  it("has no credential, whole or in part, and at most two kilobytes", async () => {
    const words = `Incorrect key ${SECRET.slice(0, 20)}****. Yours is ${SECRET}. ${"é".repeat(3_000)}`;
    answers.set("chat", { status: 401, body: JSON.stringify({ error: { message: words } }) });
    const { attempts } = await recordOf(await stage.call(CHAT, ask("chat")));
    const text = JSON.stringify(attempts[0].error);
    expect(text).not.toContain(SECRET.slice(0, 12));
    expect(text).toContain("[redacted]");
    expect(Buffer.byteLength(attempts[0].error.body)).toBeLessThanOrEqual(2_048);
    expect(text).not.toContain("\ufffd");
  });

  it("has no words of a provider that gave none, and none for a request that succeeded", async () => {
    answers.set("chat", { status: 200, body: chat("Hello") });
    const response = await stage.call(CHAT, ask("chat"));
    const { attempts } = await stage.json(`/api/compat/v1/usage/${response.headers.get("x-generation-id")}`);
    expect(attempts[0]).not.toHaveProperty("error");
  });
});

describe("the record of a failed job", () => {
  it("has the provider's words, for work that was refused and for work that failed later", async () => {
    const media = await startMediaStage({ routing: { circuit: { failures: 1_000 } } });
    try {
      media.simulator.script("[[fault:status=400]]", { times: 9 });
      const order = { model: "image", content: [{ type: "text", text: "A cat" }] };
      const refused = await media.call("/api/v1/image/generations", order);
      expect(refused.status).toBe(400);
      const { attempts } = await media.json(`/api/compat/v1/usage/${refused.headers.get("x-generation-id")}`);
      const { errors } = (await refused.json()) as Json;
      expect(attempts[0]).toMatchObject({
        status: 400,
        error: { message: expect.stringContaining(errors[0]) },
      });
      media.simulator.reset();
      const late = {
        ...order,
        content: [{ type: "text", text: "[[outcome:fail=TooDark]]" }],
        model: "video",
      };
      const { generationId } = await media.json("/api/v1/video/generations", late);
      const record = await media.until(
        `/api/compat/v1/usage/${generationId}`,
        ({ attempts: [one] = [] }) => one?.error !== undefined,
      );
      expect(record.attempts[0].error).toMatchObject({ code: "TooDark" });
    } finally {
      await media.close();
    }
  });
});

import { createFetch } from "@manifold-gateway/client";
import OpenAI from "openai";

/** Options of an SDK that reads variables for what is not given. */
const given = {
  adminAPIKey: null,
  organization: null,
  project: null,
  webhookSecret: null,
  logLevel: "off",
} as const;

const user = (content: string) => [{ role: "user" as const, content }];

/** The class of an SDK's error and its status, or the name of what was thrown otherwise. */
const failureOf = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => "no error",
    (error) => (error instanceof OpenAI.APIError ? [error.constructor.name, error.status] : error.name),
  );

/**
 * All that a program gets of a client, by an SDK and by plain requests, whole and streamed, in the provider's protocol
 * and translated: plain data, which has to be the same in every runtime. No variable of the process is read.
 */
export async function answersOf(origin: string): Promise<Record<string, unknown>> {
  const lost: string[] = [];
  const used = { input: 0, output: 0 };
  const key = "upstream-secret";
  const providers = {
    messages: { origin, speaks: ["msgstyle"], key },
    chat: { origin, speaks: ["chatstyle"], key },
  } as const;
  const fetch = createFetch({
    providers,
    models: { best: "messages/sim-text" },
    onLoss({ path }) {
      if (!lost.includes(path)) lost.push(path);
    },
    onUsage({ usage }) {
      used.input += usage.input;
      used.output += usage.output;
    },
  });
  const completionsOf = (send: typeof fetch) =>
    new OpenAI({
      ...given,
      fetch: send,
      apiKey: "unused",
      baseURL: "https://vendor.test/v1",
      maxRetries: 0,
      dangerouslyAllowBrowser: true,
    }).chat.completions;
  const completions = completionsOf(fetch);
  // Without callbacks: how much of a call that breaks has arrived is a matter of time.
  const broken = completionsOf(createFetch({ providers }));
  const post = async (path: string, body: object): Promise<string> => {
    const answer = await fetch(`https://vendor.test${path}`, { method: "POST", body: JSON.stringify(body) });
    return `${answer.status} ${await answer.text()}`;
  };
  const textOf = async (stream: AsyncIterable<OpenAI.ChatCompletionChunk>): Promise<string> => {
    let text = "";
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? "";
    return text;
  };
  const streamed = await completions.create({
    model: "best",
    stream: true,
    messages: user("Hello, wörld 🌍"),
  });
  const whole = await completions.create({ model: "best", seed: 7, messages: user("Hello, wörld 🌍") });
  const called = await completions.create({
    model: "best",
    messages: user('[[call:get_weather {"city":"Zürich"}]]'),
    tools: [{ type: "function", function: { name: "get_weather", parameters: { type: "object" } } }],
  });
  const controller = new AbortController();
  const aborted = failureOf(
    broken.create(
      { model: "messages/any", messages: user("Hello [[fault:delay=60000]]") },
      { signal: controller.signal },
    ),
  );
  controller.abort();

  return {
    whole: whole.choices[0]?.message.content,
    finish: whole.choices[0]?.finish_reason,
    streamed: await textOf(streamed),
    called: called.choices[0]?.message.tool_calls?.map((call) => call.type === "function" && call.function),
    forwarded: /"content":"[^"]*"/.exec(
      await post("/v1/chat/completions", { model: "chat/sim-text", messages: user("Hello, wörld 🌍") }),
    )?.[0],
    generated: [
      ...(
        await post("/v1beta/models/chat/sim-text:streamGenerateContent?alt=sse", {
          contents: [{ role: "user", parts: [{ text: "Hello, wörld 🌍" }] }],
        })
      ).matchAll(/"text":"([^"]*)"/g),
    ].map(([, text]) => text),
    unknown: await failureOf(completions.create({ model: "nowhere/any", messages: user("Hello") })),
    busy: await failureOf(
      broken.create({ model: "messages/any", messages: user("Hello [[fault:status=429]]") }),
    ),
    // Its status tells how much had arrived, which is a matter of time as well.
    cut: await broken
      .create({ model: "messages/any", stream: true, messages: user("A long story [[fault:cut=900]]") })
      .then(textOf)
      .catch((error) => error instanceof OpenAI.APIError),
    aborted: await aborted,
    lost,
    used,
  };
}

import { createFetch } from "@manifold-gateway/client";
import OpenAI from "openai";

const user = (content: string) => [{ role: "user" as const, content }];

/** The status of an SDK's error and its words. */
const failureOf = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => "no error",
    ({ status, message }) => [status, message],
  );

const textOf = async (
  stream: AsyncIterable<OpenAI.ChatCompletionChunk>,
  read = () => {},
): Promise<string> => {
  let text = "";
  for await (const { choices } of stream) {
    text += choices[0]?.delta.content ?? "";
    read();
  }
  return text;
};

const clientOf = (gateway: string, key: string): OpenAI => {
  const fetch = createFetch({
    providers: {
      mine: {
        origin: `${gateway}/api/`,
        speaks: ["chatstyle"],
        basePaths: { chatstyle: "chatstyle/v1" },
        key,
      },
    },
  });
  return new OpenAI({ fetch, apiKey: "unused", maxRetries: 0, dangerouslyAllowBrowser: true });
};

/** What a page of an origin that the gateway does not list gets by the client. */
export const refusedAt = (gateway: string, key: string): Promise<unknown> =>
  failureOf(
    clientOf(gateway, key).chat.completions.create({ model: "mine/sim-chatstyle", messages: user("Hello") }),
  );

/** What a page of a listed origin gets of a gateway, by the client, by an SDK, and by requests of its own. */
export async function answersAt(gateway: string, key: string): Promise<Record<string, unknown>> {
  const baseURL = `${gateway}/api/chatstyle/v1`;
  const sdk = new OpenAI({ baseURL, apiKey: key, maxRetries: 0, dangerouslyAllowBrowser: true });
  const { completions } = clientOf(gateway, key).chat;
  const ask = (model: string, content = "Hello") => ({ model, messages: user(content) });
  const answer = await sdk.chat.completions.create(ask("sim-chatstyle")).withResponse();
  const controller = new AbortController();
  const long = await completions.create(
    { ...ask("mine/sim-chatstyle", "A long story [[fault:delay=100]]"), stream: true },
    { signal: controller.signal },
  );

  const send = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    return (
      await fetch(gateway + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    ).json();
  };
  const order = { model: "image", content: [{ type: "text", text: "A lighthouse." }] };
  const { generationId } = await send<{ generationId: string }>(
    "POST",
    "/api/v1/image/generations/async",
    order,
  );
  const job = `/api/compat/v1/jobs/${generationId}`;
  let made: { status: string; outputs?: { downloadUrl: string }[] };
  do made = await send("GET", job);
  while (made.status !== "succeeded" && made.status !== "failed");
  const picture = Object.assign(new Image(), { src: made.outputs?.[0]?.downloadUrl ?? "" });
  await picture.decode();
  const read = await fetch(picture.src);

  const uploaded = await sdk.files.create({ purpose: "batch", file: new File(["{}"], "a.jsonl") });
  const seen = [...answer.response.headers.keys()];
  return {
    whole: (await completions.create(ask("mine/sim-chatstyle"))).choices[0]?.message.content,
    streamed: await textOf(await completions.create({ ...ask("mine/sim-chatstyle"), stream: true })),
    aborted: await textOf(long, () => controller.abort()).then((text) => text.length < 40),
    unknown: await failureOf(completions.create(ask("mine/nothing"))),
    busy: await failureOf(sdk.chat.completions.create(ask("sim-chatstyle", "[[fault:status=429]]"))),
    headers: ["x-request-id", "x-generation-id", "x-cost", "x-attempts"].filter(
      (name) => !seen.includes(name),
    ),
    job: made.status,
    picture: [picture.naturalWidth > 0, (await read.blob()).type],
    file: [
      await (await sdk.files.content(uploaded.id)).text(),
      (await sdk.files.delete(uploaded.id)).deleted,
    ],
    unauthorized: await failureOf(
      new OpenAI({ baseURL, apiKey: "wrong", maxRetries: 0, dangerouslyAllowBrowser: true }).models.list(),
    ),
  };
}

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createManifold } from "@manifold-gateway/client/ai-sdk";
import { streamText } from "ai";
import { describe, expect, it } from "vitest";
import { callers, upstreams } from "../support/wires/index.ts";
import { type Options, send, startClient } from "./stage.ts";

const pairs = callers.flatMap((caller) => upstreams.map((provider) => [caller, provider] as const));
const LONG = `[[text:${"long ".repeat(400)}]]`;

/** A client whose provider sends some of its answer and then nothing, with the usage that it reports. */
function start() {
  const stage = startClient();
  const usages: { model: string; usage: { output: number; estimated?: boolean } }[] = [];
  const abort = new AbortController();
  const options: Options = {
    ...stage.options,
    onUsage: ({ model, usage }) => void usages.push({ model, usage }),
    async fetch(request) {
      const response = await stage.simulator.fetch(request);
      const bytes = new Uint8Array(await response.arrayBuffer());
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(bytes.subarray(0, bytes.length / 2)),
      });
      return new Response(body, { headers: response.headers });
    },
  };
  return { ...stage, options, usages, abort, fetch: stage.client(options) };
}

describe.each(pairs)("the usage of a stream for an SDK of %s from a provider of %s", (caller, provider) => {
  const model = `${provider}/sim-text`;
  const seen = [
    { model, usage: { output: expect.toSatisfy((count: number) => count > 50), estimated: true } },
  ];

  it("is reported once as far as it was seen, if the provider cuts it", async () => {
    const { client, usages } = { ...startClient(), usages: [] as unknown[] };
    const fetch = client({ onUsage: ({ model, usage }) => void usages.push({ model, usage }) });
    await (await send(fetch, caller, model, `${LONG}[[fault:cut=6000]]`, true)).text();
    expect(usages).toMatchObject(seen);
  });

  it("is reported once as far as it was seen, if its reader cancels it", async () => {
    const { fetch, usages } = start();
    const reader = (await send(fetch, caller, model, LONG, true)).body!.getReader();
    await reader.read();
    await reader.cancel();
    await reader.cancel();
    expect(usages).toMatchObject(seen);
  });

  it("is reported once as far as it was seen, if it is aborted, whether or not it is read on", async () => {
    for (const isRead of [true, false]) {
      const { fetch, usages, abort } = start();
      const response = await send(fetch, caller, model, LONG, true, { signal: abort.signal });
      const reader = response.body!.getReader();
      await reader.read();
      const next = isRead ? reader.read().catch((error: unknown) => error) : undefined;
      const reason = new Error("enough");
      abort.abort(reason);
      expect(usages).toMatchObject(seen);
      await expect(reader.closed).rejects.toBe(reason);
      if (next) expect(await next).toBe(reason);
      await reader.cancel().catch(() => {});
      expect(usages).toHaveLength(1);
    }
  });
});

it("the usage of a stream of the AI SDK is reported once as far as it was seen, if it is aborted", async () => {
  const { options, usages, abort } = start();
  const model = createManifold(options)("msgstyle/sim-text");
  const { textStream } = streamText({ model, prompt: LONG, abortSignal: abort.signal, onError: () => {} });
  for await (const _ of textStream) abort.abort();
  expect(usages).toMatchObject([{ model: "msgstyle/sim-text", usage: { estimated: true } }]);
});

it("the usage in the head of a stream that is aborted before its content is reported once", async () => {
  const message = {
    id: "1",
    role: "assistant",
    content: [],
    model: "m",
    usage: { input_tokens: 9, output_tokens: 1 },
  };
  const head = `data: ${JSON.stringify({ type: "message_start", message })}\n\n`;
  const { client, usages, abort, options } = start();
  const fetch = async () =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(head)),
        // The head is read.
        pull: () => void setImmediate(() => abort.abort(new Error("enough"))),
      }),
      { headers: { "content-type": "text/event-stream" } },
    );
  const { signal } = abort;
  const answer = send(client({ ...options, fetch }), "chatstyle", "msgstyle/m", "Hi", true, { signal });
  await expect(answer).rejects.toThrow("enough");
  await expect.poll(() => usages).toMatchObject([{ model: "msgstyle/m", usage: { input: 9 } }]);
});

it("an abort reaches the provider even if the memory of the request was freed", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { fetch, abort } = start();
  const response = await send(fetch, "chatstyle", "chatstyle/sim-text", LONG, true, { signal: abort.signal });
  const reader = response.body!.getReader();
  await reader.read();
  for (let i = 0; i < 3; i++) {
    await new Promise(setImmediate);
    collect();
  }
  abort.abort(new Error("enough"));
  await expect(reader.closed).rejects.toThrow("enough");
});

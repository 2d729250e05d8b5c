import { protocols } from "@manifold-gateway/core";
import { run } from "@manifold-gateway/core/codec";
import { fold } from "@manifold-gateway/core/ir";
import { describe, expect, it } from "vitest";
import { callers, upstreams } from "../support/wires/index.ts";
import { chunksOf, send, startClient } from "./stage.ts";

const pairs = callers.flatMap((caller) => upstreams.map((provider) => [caller, provider] as const));
const LONG = "long ".repeat(400);

/** A provider whose answers are sent byte by byte only as they are read, and which sees that they are cancelled. */
function slowProvider(stage: ReturnType<typeof startClient>) {
  let cancelled = 0;
  let pulled = 0;
  const fetch = async (request: Request): Promise<Response> => {
    const response = await stage.simulator.fetch(request);
    const bytes = new Uint8Array(await response.arrayBuffer());
    request.signal.addEventListener("abort", () => void cancelled++);
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (pulled >= bytes.length) return controller.close();
          controller.enqueue(bytes.slice(pulled, pulled + 64));
          pulled += 64;
        },
        cancel: () => void cancelled++,
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { status: response.status, headers: response.headers });
  };
  return { fetch, cancelled: () => cancelled, pulled: () => pulled };
}

describe.each(pairs)("a stream for an SDK of %s from a provider of %s", (caller, provider) => {
  it("ends by an error event of the SDK's protocol if it is cut, behind whole events alone", async () => {
    const stage = startClient();
    const usages: unknown[] = [];
    const fetch = stage.client({ onUsage: (event) => usages.push(event) });
    const model = `${provider}/sim-text`;
    const response = await send(fetch, caller, model, `[[text:${LONG}]][[fault:cut=6000]]`, true);
    expect(response.status).toBe(200);
    const text = await response.text();
    const events = run(protocols.codecs[caller].reply.decode(), chunksOf(text));
    const failures = events.filter(({ type }) => type === "failure");
    expect(failures).toHaveLength(1);
    expect(JSON.stringify(failures)).toContain("closed the connection");
    expect(JSON.stringify(fold(events))).toContain("long long");
    // What is written is JSON, event by event.
    expect(chunksOf(text).every((chunk) => chunk !== undefined)).toBe(true);
  });

  it("stops the provider when its reader stops, and is read no faster than its reader", async () => {
    const stage = startClient();
    const { fetch: slow, cancelled, pulled } = slowProvider(stage);
    const response = await send(
      stage.client({ fetch: slow }),
      caller,
      `${provider}/sim-text`,
      `[[text:${LONG}]]`,
      true,
    );
    const reader = response.body!.getReader();
    await reader.read();
    const before = pulled();
    await reader.cancel();
    await expect.poll(cancelled).toBeGreaterThan(0);
    // The transport reads ahead up to its own limit, and not to the end of a longer stream.
    expect(pulled()).toBeGreaterThanOrEqual(before);
  });

  it("rejects its reader with the reason of an abort, which reaches the provider", async () => {
    const stage = startClient();
    const { fetch: slow, cancelled } = slowProvider(stage);
    const abort = new AbortController();
    const fetch = stage.client({
      fetch: async (request) => {
        const response = await slow(request);
        // The answer never ends by itself.
        const body = response.body!.pipeThrough(new TransformStream({ flush: () => new Promise(() => {}) }));
        return new Response(body, { headers: response.headers });
      },
    });
    const response = await send(fetch, caller, `${provider}/sim-text`, "[[text:Hello there]]", true, {
      signal: abort.signal,
    });
    const reason = new Error("enough");
    abort.abort(reason);
    await expect(response.text()).rejects.toBe(reason);
    await expect.poll(cancelled).toBeGreaterThan(0);
  });
});

it("an abort before the answer rejects at once, though the provider does not react to it", async () => {
  const { client } = startClient();
  const abort = new AbortController();
  const answer = send(
    client({ fetch: () => new Promise<Response>(() => {}) }),
    "chatstyle",
    "chatstyle/a",
    "Hi",
    true,
    {
      signal: abort.signal,
    },
  );
  const reason = new Error("enough");
  abort.abort(reason);
  await expect(answer).rejects.toBe(reason);
});

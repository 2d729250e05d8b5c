import { parseWire, protocols } from "@manifold-gateway/core";
import { isObject, type Json, run } from "@manifold-gateway/core/codec";
import { fold } from "@manifold-gateway/core/ir";
import { describe, expect, it } from "vitest";
import { callers, upstreams } from "../support/wires/index.ts";
import { chunksOf, send, startClient } from "./stage.ts";

const pairs = callers.flatMap((caller) => upstreams.map((provider) => [caller, provider] as const));

describe.each(pairs)("a client of %s in front of a provider of %s", (caller, provider) => {
  const { codecs } = protocols;
  const said = (chunks: Json[]): string => JSON.stringify(fold(run(codecs[caller].reply.decode(), chunks)));

  it("answers a unary request", async () => {
    const stage = startClient();
    const usages: unknown[] = [];
    const fetch = stage.client({ onUsage: (event) => usages.push(event) });
    const response = await send(fetch, caller, `${provider}/sim-text`, "[[text:Good morning]]");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    const id = response.headers.get("x-request-id");
    expect(id).toBeTruthy();
    expect(response.headers.get("request-id")).toBe(id);
    const body = parseWire(await response.text());
    expect(isObject(body) && said(codecs[caller].reply.burst(body))).toContain("Good morning");
    expect(stage.simulator.ledger.entries).toHaveLength(1);
    expect(usages).toEqual([
      {
        model: `${provider}/sim-text`,
        target: `${provider}/sim-text`,
        provider,
        requestId: id,
        usage: expect.objectContaining({ output: expect.any(Number) }),
      },
    ]);
  });

  it("answers a stream", async () => {
    const stage = startClient();
    const usages: unknown[] = [];
    const fetch = stage.client({ onUsage: ({ usage }) => usages.push(usage) });
    const response = await send(fetch, caller, `${provider}/sim-text`, "[[text:Good morning to you]]", true);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const chunks = chunksOf(await response.text());
    expect(chunks.length).toBeGreaterThan(2);
    expect(said(chunks)).toContain("Good morning to you");
    expect(usages).toHaveLength(1);
  });

  it("sends the provider's key and not the caller's", async () => {
    const stage = startClient();
    await send(stage.client(), caller, `${provider}/sim-text`, "Hi", false, {
      headers: { authorization: "Bearer callers-key", "x-api-key": "callers-key", "user-agent": "sdk/1" },
    });
    const headers = JSON.stringify([...stage.sent[0]!.headers]);
    expect(headers).toContain("provider-key");
    expect(headers).not.toContain("callers-key");
    expect(headers).not.toContain("sdk/1");
  });
});

import { createServer, type ServerResponse } from "node:http";
import { defineProvider } from "@manifold-gateway/providers";
import { expect, it } from "vitest";
import { listen } from "../../support/listen.ts";
import { startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";

const chunk = (content: string, more: object = {}): string =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta: { content }, finish_reason: null }], ...more })}\n\n`;

it("a stop waits until a stream whose client has left is settled", async () => {
  let reply: ServerResponse | undefined;
  const upstream = createServer((_, response) => {
    reply = response;
    response.writeHead(200, { "content-type": "text/event-stream" }).write(chunk("one"));
  });
  const { origin } = await listen(upstream);
  const h = await startStage({
    models: [model("slow", "slow")],
    providers: new Map([["slow", defineProvider("slow", { origin, speaks: ["chatstyle"], key: "secret" })]]),
  });
  try {
    const leaving = new AbortController();
    const response = await h.call(
      "/api/chatstyle/v1/chat/completions",
      { model: "slow", stream: true, messages: [{ role: "user", content: "hi" }] },
      { signal: leaving.signal },
    );
    const id = response.headers.get("x-generation-id") ?? "";
    leaving.abort();
    let drained = false;
    const drain = h.gateway.drain().then(() => {
      drained = true;
    });
    // Answered in the meantime, and not what a stop waits for.
    const turned = await h.call("/api/chatstyle/v1/models");
    expect([turned.status, drained]).toEqual([503, false]);
    expect((await h.balance()).held).toBeGreaterThan(0);
    reply?.end(
      `${chunk("two", { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}data: [DONE]\n\n`,
    );
    await drain;
    const record = await h.store.generations.get({ id, accountId: "acc" });
    expect(["aborted", "succeeded"]).toContain(record?.status);
    expect((await h.balance()).held).toBe(0);
  } finally {
    await h.close();
    upstream.closeAllConnections();
    await new Promise((resolve) => upstream.close(resolve));
  }
});

import type { UpstreamProtocol } from "@manifold/providers";
import { describe, expect, it } from "vitest";
import { cellsOf, type SurfaceName, scripted } from "./scripted.ts";

const SECRET = "house-secret-0123456789";
const message = `Incorrect key: ${SECRET}`;

/** The beginning of a streamed reply, and the error that ends one. */
const chunks: Record<UpstreamProtocol, { content: object[]; failure: object }> = {
  chatstyle: {
    content: [
      { id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta: { content: "Hi" } }] },
    ],
    failure: { error: { message, code: 401 } },
  },
  responses: {
    content: [
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { id: "i", type: "message", content: [] },
      },
      { type: "response.output_text.delta", output_index: 0, content_index: 0, item_id: "i", delta: "Hi" },
    ],
    failure: { type: "error", code: "invalid_api_key", message, param: null },
  },
  msgstyle: {
    content: [
      { type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [] } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
    ],
    failure: { type: "error", error: { type: "authentication_error", message } },
  },
  genstyle: {
    content: [{ candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] } }] }],
    failure: { error: { code: 401, message, status: "UNAUTHENTICATED" } },
  },
};

const set = scripted(SECRET);
const EVENTS = "text/event-stream";
const cells = cellsOf(["chatstyle", "responses", "msgstyle", "genstyle"]);

async function shown(name: SurfaceName, protocol: UpstreamProtocol): Promise<string> {
  const response = await set.ask(name, protocol, true);
  const text = await response.text();
  expect(text).not.toContain(SECRET);
  if (name === protocol) expect(text).toContain("Incorrect key: [redacted]");
  await set.h.settled();
  return text;
}

const streamOf = (list: object[]) => list.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");

describe("a key that a provider repeats under a good status is not shown", () => {
  it.each(cells)("in a whole answer: $name on $protocol", async ({ name, protocol }) => {
    const failure = protocol === "responses" ? { error: { message, code: "401" } } : chunks[protocol].failure;
    set.tell({ text: JSON.stringify(failure) });
    const response = await set.ask(name, protocol, false);
    expect(await response.text()).not.toContain(SECRET);
    expect(response.status).toBeGreaterThanOrEqual(400);
  });

  it.each(cells)("at the start of a stream: $name on $protocol", async ({ name, protocol }) => {
    set.tell({ type: EVENTS, text: streamOf([chunks[protocol].failure]) });
    await shown(name, protocol);
  });

  it.each(cells)("in the middle of a stream: $name on $protocol", async ({ name, protocol }) => {
    const { content, failure } = chunks[protocol];
    set.tell({ type: EVENTS, text: streamOf([...content, failure]) });
    expect(await shown(name, protocol)).toContain("Hi");
  });

  it("where tokens are counted", async () => {
    const text = JSON.stringify(chunks.msgstyle.failure);
    set.tell({ status: 401, text });
    const response = await set.h.call("/api/msgstyle/v1/messages/count_tokens", {
      model: "on-msgstyle",
      messages: [{ role: "user", content: "Hello" }],
    });
    expect([response.status, await response.text()]).toEqual([401, text.replace(SECRET, "[redacted]")]);
  });
});

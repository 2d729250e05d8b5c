import type { UpstreamProtocol } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";
import { PROTOCOLS } from "../support/text.ts";
import { upstreamWires } from "../support/wires/index.ts";
import { cellsOf, type SurfaceName, scripted } from "./scripted.ts";

const SECRET = "house-secret-0123456789";
const message = `Incorrect key: ${SECRET}`;

const set = scripted(SECRET);
const EVENTS = "text/event-stream";
const cells = cellsOf(PROTOCOLS);

async function shown(name: SurfaceName, protocol: UpstreamProtocol): Promise<string> {
  const response = await set.ask(name, protocol, true);
  const text = await response.text();
  expect(text).not.toContain(SECRET);
  if (name === protocol) expect(text).toContain("Incorrect key: [redacted]");
  await set.h.settled();
  return text;
}

const streamOf = (list: object[]) => list.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");

describe("a key that a provider repeats under a good status", () => {
  it.each(cells)(
    "a repeated key is hidden in a whole answer: $name on $protocol",
    async ({ name, protocol }) => {
      const failure =
        protocol === "responses"
          ? { error: { message, code: "401" } }
          : upstreamWires[protocol].cut(message).failure;
      set.tell({ text: JSON.stringify(failure) });
      const response = await set.ask(name, protocol, false);
      expect(await response.text()).not.toContain(SECRET);
      expect(response.status).toBeGreaterThanOrEqual(400);
    },
  );

  it.each(cells)(
    "a repeated key is hidden at the start of a stream: $name on $protocol",
    async ({ name, protocol }) => {
      set.tell({ type: EVENTS, text: streamOf([upstreamWires[protocol].cut(message).failure]) });
      await shown(name, protocol);
    },
  );

  it.each(cells)(
    "a repeated key is hidden in the middle of a stream: $name on $protocol",
    async ({ name, protocol }) => {
      const { content, failure } = upstreamWires[protocol].cut(message);
      set.tell({ type: EVENTS, text: streamOf([...content, failure]) });
      expect(await shown(name, protocol)).toContain("Hi");
    },
  );

  it("a repeated key is hidden where tokens are counted", async () => {
    const text = JSON.stringify(upstreamWires.msgstyle.cut(message).failure);
    set.tell({ status: 401, text });
    const response = await set.h.call("/api/msgstyle/v1/messages/count_tokens", {
      model: "on-msgstyle",
      messages: [{ role: "user", content: "Hello" }],
    });
    expect([response.status, await response.text()]).toEqual([401, text.replace(SECRET, "[redacted]")]);
  });
});

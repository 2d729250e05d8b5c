import type { UpstreamProtocol } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";
import { PROTOCOLS } from "../../support/text.ts";
import { callers, upstreamWires } from "../../support/wires/index.ts";
import { cellsOf, type SurfaceName, scripted } from "../text/scripted.ts";

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

describe("a refusal of our credential that does not repeat it", () => {
  const details =
    "Project proj_8fJ2kQ0aXw7LmN3vTz5RbYcD has no access to gpt-5.1-codex-max-2026-11-01. Request ID: req_011CSHoEeqs5C35K2UUqR7Fy.";

  it.each(PROTOCOLS.flatMap((protocol) => [401, 403].map((status) => ({ protocol, status }))))(
    "a $status of $protocol reaches callers of its own protocol byte for byte, and others with its words",
    async ({ protocol, status }) => {
      const failure =
        protocol === "responses"
          ? { error: { message: details, code: "x" } }
          : upstreamWires[protocol].cut(details).failure;
      set.tell({ status, text: JSON.stringify(failure, null, 2) });
      for (const name of callers) {
        const response = await set.ask(name, protocol, false);
        const text = await response.text();
        expect(response.status).toBe(status);
        if (name === protocol) expect(text).toBe(JSON.stringify(failure, null, 2));
        else expect(text).toContain(details);
      }
    },
  );
});

import type { UpstreamProtocol } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";
import { cellsOf, type SurfaceName, scripted } from "./scripted.ts";

const set = scripted();
const EVENTS = "text/event-stream";

describe("a stream that ends before its first byte", () => {
  it.each(cellsOf())(
    "a stream that ends before its first byte is a 502 in the envelope: $name on $protocol",
    async ({ name, protocol }) => {
      set.tell({ type: EVENTS, text: "" });
      const before = await set.h.balance();
      const response = await set.ask(name, protocol, true);
      expect([response.status, (await response.json()).success]).toEqual([502, false]);
      await set.h.settled();
      expect(await set.h.balance()).toEqual(before);
    },
  );
});

describe("a failure before the first content", () => {
  const begun = [
    { type: "message_start", message: { role: "assistant", content: [], usage: { input_tokens: 12 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ];
  const failed = { type: "error", error: { type: "overloaded_error", message: "Busy." } };
  const written = (events: readonly { type: string }[]): string =>
    events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join("");

  it.each(
    cellsOf()
      .filter(({ protocol }) => protocol === "msgstyle")
      .flatMap(({ name }) => [
        { name, ends: "breaks off", events: begun },
        { name, ends: "reports an error", events: [...begun, failed] },
      ]),
  )(
    "a failure before the first content costs nothing, though its input was reported: $name $ends",
    async ({ name, events }) => {
      set.tell({ type: EVENTS, text: written(events) });
      const before = await set.h.balance();
      await (await set.ask(name, "msgstyle", true)).text();
      await set.h.settled();
      expect(await set.h.balance()).toEqual(before);
    },
  );
});

describe("an error at the start of a translated stream", () => {
  const firsts: [SurfaceName, UpstreamProtocol, object][] = [
    ["msgstyle", "chatstyle", { error: { message: "Slower.", type: "rate_limit_error" } }],
    [
      "msgstyle",
      "genstyle",
      {
        error: {
          code: 429,
          message: "Slower.",
          status: "RESOURCE_EXHAUSTED",
          details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "2.5s" }],
        },
      },
    ],
    [
      "msgstyle",
      "responses",
      { type: "error", code: "rate_limit_exceeded", message: "Slower.", param: null, sequence_number: 0 },
    ],
    ["responses", "chatstyle", { error: { message: "Slower.", type: "rate_limit_error" } }],
    ["genstyle", "chatstyle", { error: { message: "Slower.", type: "rate_limit_error" } }],
  ];
  it.each(firsts)(
    "an error at the start of a translated stream is answered with its status: %s on %s",
    async (name, protocol, chunk) => {
      set.tell({ type: EVENTS, text: `data: ${JSON.stringify(chunk)}\n\n` });
      const response = await set.ask(name, protocol, true);
      expect(response.status).toBe(429);
      expect(response.headers.get("content-type")).toContain("application/json");
      expect((await response.json()).error.message).toBe("Slower.");
      expect(response.headers.get("retry-after")).toBe(protocol === "genstyle" ? "3" : null);
    },
  );
});

it("a pause that an error body asks for is passed on in whole seconds", async () => {
  const error = {
    code: 429,
    message: "Slower.",
    status: "RESOURCE_EXHAUSTED",
    details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "17.4s" }],
  };
  set.tell({ status: 429, text: JSON.stringify({ error }) });
  for (const name of ["msgstyle", "genstyle"] as const) {
    const response = await set.ask(name, "genstyle", true);
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "18"]);
  }
});

it("a status that has a word of its own keeps it in the generate-content form", async () => {
  set.tell({ status: 501, text: '{"error":{"message":"No such thing."}}' });
  const response = await set.ask("genstyle", "chatstyle", true);
  expect([response.status, (await response.json()).error.status]).toEqual([501, "UNIMPLEMENTED"]);
});

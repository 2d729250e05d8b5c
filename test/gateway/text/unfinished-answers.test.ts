import type { Json } from "@manifold-gateway/core/codec";
import { describe, expect, it } from "vitest";
import { PROTOCOLS } from "../../support/text.ts";
import { isCaller, upstreamWires } from "../../support/wires/index.ts";
import { cellsOf, scripted } from "./scripted.ts";

const upstream = scripted();

const ends = [undefined, null, "", 1, 99];

interface Chat {
  choices: { finish_reason: string }[];
}
const finishesIn = async (response: Response): Promise<string[]> =>
  ((await response.json()) as Chat).choices.map(({ finish_reason }) => finish_reason);

describe.each(PROTOCOLS)("an answer of %s that does not say how it ended", (protocol) => {
  it.each(ends)("an answer that ends with %j is an answer to clients of other protocols", async (end) => {
    for (const calls of [false, true]) {
      upstream.tell({ text: JSON.stringify(upstreamWires[protocol].ended(end, calls)) });
      const response = await upstream.ask("responses", protocol, false);
      const { status, output } = (await response.json()) as { status: Json; output: { type: string }[] };
      if (protocol !== "responses") expect(status).toBe("completed");
      expect(output.map(({ type }) => type)).toEqual([calls ? "function_call" : "message"]);
      if (protocol === "chatstyle") continue;
      const chat = await upstream.ask("chatstyle", protocol, false);
      expect(await finishesIn(chat)).toEqual([calls ? "tool_calls" : "stop"]);
    }
  });

  it.each(ends)(
    "an answer that ends with %j goes on as it came to clients of its own protocol",
    async (end) => {
      if (!isCaller(protocol)) return;
      const text = JSON.stringify(upstreamWires[protocol].ended(end, false), null, 1);
      upstream.tell({ text });
      const before = (await upstream.h.balance()).balance;
      const response = await upstream.ask(protocol, protocol, false);
      expect([response.status, await response.text()]).toEqual([200, text]);
      await upstream.h.settled();
      expect(before - (await upstream.h.balance()).balance).toBe(3 + 2 * 4);
    },
  );

  it("an answer that does not say how it ended is an answer too where a stream was requested", async () => {
    upstream.tell({ text: JSON.stringify(upstreamWires[protocol].ended(null, false)) });
    for (const surface of ["chatstyle", "msgstyle"] as const) {
      const text = await (await upstream.ask(surface, protocol, true)).text();
      expect(text).toContain("Said.");
      expect(text).not.toContain("error");
    }
  });
});

it("each of several alternatives ends as it says, or has stopped", async () => {
  const alternatives = [{ finishReason: 2 }, {}].map((end, index) => ({
    index,
    content: { role: "model", parts: [{ text: "Said." }] },
    ...end,
  }));
  upstream.tell({ text: JSON.stringify({ candidates: alternatives }) });
  const response = await upstream.ask("chatstyle", "genstyle", false);
  expect(await finishesIn(response)).toEqual(["length", "stop"]);
});

describe.each(cellsOf(PROTOCOLS))("unreadable answers for $name on $protocol", ({ name, protocol }) => {
  it("an answer that cannot be read is not charged, whatever it counts", async () => {
    const before = await upstream.h.balance();
    upstream.tell({ text: JSON.stringify(upstreamWires[protocol].empty) });
    for (const stream of [false, true]) {
      const response = await upstream.ask(name, protocol, stream);
      expect([response.status, await response.text()]).toEqual([502, expect.any(String)]);
    }
    await upstream.h.settled();
    expect(await upstream.h.balance()).toEqual(before);
  });
});

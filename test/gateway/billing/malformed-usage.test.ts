import { type AnyCodec, codecs, DONE } from "@manifold-gateway/core";
import type { Json } from "@manifold-gateway/core/codec";
import { protocolNames } from "@manifold-gateway/core/ir";
import type { UpstreamProtocol } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";
import { placesOf, withFigure } from "../../core/protocols/report-figures.ts";
import { callers, upstreamWires, wires } from "../../support/wires/index.ts";
import { cellsOf, type SurfaceName, scripted } from "../text/scripted.ts";

const upstream = scripted();

const framed = (codec: AnyCodec, chunks: Json[]): string =>
  chunks
    .map((chunk) => {
      const event = chunk === DONE ? undefined : codec.frame.event?.(chunk as never);
      return `${event ? `event: ${event}\n` : ""}data: ${chunk === DONE ? DONE : JSON.stringify(chunk)}\n\n`;
    })
    .join("");

/** What becomes of a reply with these reports: what the caller reads, and what the account pays. */
async function charged(name: SurfaceName, protocol: UpstreamProtocol, stream: boolean, reports: Json[]) {
  const { body, chunks } = wires[protocol].report;
  upstream.tell(
    stream
      ? { type: "text/event-stream", text: framed(codecs[protocol] as AnyCodec, chunks(...reports)) }
      : { text: JSON.stringify(body(reports.at(-1))) },
  );
  const before = await upstream.h.balance();
  const response = await upstream.ask(name, protocol, stream);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  await upstream.h.settled();
  // By its id: a list counts all that there are, which become thousands.
  const id = response.headers.get("x-generation-id") ?? "";
  const record = await upstream.h.store.generations.get({ id, accountId: "acc" });
  const usage = record?.usage as { input: number; output: number; estimated?: boolean };
  const paid = before.balance - (await upstream.h.balance()).balance;
  expect(record).toMatchObject({ status: "succeeded", cost: paid });
  return { text, usage, paid };
}

/** A reply as its caller reads it, but for what is new in each. */
const alike = (text: string): string =>
  text
    .replace(/"(id|item_id|response_id|responseId)":"[^"]*"/g, '"$1":"…"')
    .replace(/"(created|created_at|completed_at)":\d+/g, '"$1":0');

const forms = cellsOf(protocolNames)
  .flatMap((cell) => [true, false].map((stream) => ({ ...cell, stream })))
  .filter(({ name, stream }) => stream || name !== "native");

describe.each(forms)("$name on $protocol, streamed: $stream", ({ name, protocol, stream }) => {
  const { full } = wires[protocol].report;

  it("malformed figures make the charge an estimate, and the reply has no usage", async () => {
    const trusted = await charged(name, protocol, stream, [full, full]);
    expect(trusted.usage.estimated).toBeUndefined();
    const without = await charged(name, protocol, stream, []);
    expect(without.usage).toMatchObject({ output: 3, estimated: true });
    expect(without.usage.input).toBeGreaterThan(0);
    expect(without.paid).toBe(without.usage.input + 2 * without.usage.output);
    for (const path of placesOf(full)) {
      const report = withFigure(full, path, "7");
      const { text, usage, paid } = await charged(name, protocol, stream, [full, report]);
      expect({ path, usage, paid }).toEqual({ path, usage: without.usage, paid: without.paid });
      if (name !== protocol) expect(alike(text)).toBe(alike(without.text));
    }
  });
});

/** More tokens than any request can have come to. */
const HUGE = 90_000_000;

describe.each(forms)("$name on $protocol, streamed: $stream, with figures that cannot be", (form) => {
  const { name, protocol, stream } = form;
  const { bill, report } = upstreamWires[protocol];

  it("zeros for content, and more than a request can have come to, make their side of the charge an estimate", async () => {
    const { usage: estimate } = await charged(name, protocol, stream, []);
    for (const [counts, expected] of [
      [{ input: 0, output: 0 }, estimate],
      [
        { input: 0, output: 4 },
        { input: estimate.input, output: 4 },
      ],
      [
        { input: 5, output: 0 },
        { input: 5, output: 3 },
      ],
      [
        { input: HUGE, output: 4 },
        { input: estimate.input, output: 4 },
      ],
      [
        { input: 5, output: HUGE },
        { input: 5, output: 3 },
      ],
    ] as const) {
      const reported = bill({ ...counts, searches: 0 });
      const { usage, paid } = await charged(name, protocol, stream, [reported, reported]);
      expect({ counts, usage }).toMatchObject({ counts, usage: { ...expected, estimated: true } });
      expect(paid).toBe(expected.input + 2 * expected.output);
    }
  });

  it("no single figure makes a reply cost more than its request can have come to", async () => {
    for (const path of placesOf(report.full)) {
      const reported = withFigure(report.full, path, HUGE);
      const { paid } = await charged(name, protocol, stream, [reported, reported]);
      expect({ path, isSmall: paid < 1_000 }).toEqual({ path, isSmall: true });
    }
  });
});

describe.each(callers)("malformed figures in replies of %s to its own clients", (protocol) => {
  const { full } = wires[protocol].report;
  const places = placesOf(full);
  it.each([-1, 1.5, 1e300, true, [7]])("a value of %j is not a figure", async (value) => {
    for (const stream of [true, false])
      for (const path of places.slice(0, 2)) {
        const { usage, paid } = await charged(protocol, protocol, stream, [
          full,
          withFigure(full, path, value),
        ]);
        expect(usage).toMatchObject({ output: 3, estimated: true });
        expect(paid).toBe(usage.input + 6);
      }
  });
});

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { adapters, type Service, UpstreamFault, type Wire } from "@manifold-gateway/providers";
import { describe, expect, test } from "vitest";
import { cut, json, pieces } from "../speech/line.ts";
import { type Answers, lineTo, serviceOf, submit } from "./harness.ts";
import { askOf, inline, stored } from "./kit.ts";

/** An address where nobody listens any more. */
async function closed(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

const wires = Object.keys(adapters.image) as Wire[];

describe.each(wires)("doubt whether %s has begun work", (wire) => {
  test.each<[string, Answers[number], string]>([
    ["a connection that is cut", cut('{"data":', "application/json"), "reset"],
    ["an answer that is no JSON", pieces(["<html>"], "text/html"), "encoding"],
    ["a gateway that lost patience", json({}, 504), "timeout"],
    ["a redirect", json({}, 302, { location: "http://127.0.0.1:1/" }), "redirect"],
  ])("a call that ends with %s throws", async (_, answer, kind) => {
    const { line } = await lineTo(wire, [answer]);
    const end = adapters.image[wire]!.submit(line, askOf());
    await expect(end).rejects.toBeInstanceOf(UpstreamFault);
    await expect(end).rejects.toMatchObject({ kind });
  });

  test("a provider that was never reached is told apart from a lost answer", async () => {
    const { line } = await lineTo(wire, [], {
      service: { ...serviceOf(wire), wire, origin: await closed() } as Service,
    });
    await expect(adapters.image[wire]!.submit(line, askOf())).rejects.toMatchObject({ kind: "connect" });
  });

  test("a caller who cancelled is told apart from a lost answer", async () => {
    const { line } = await lineTo(wire, [json({})], { signal: AbortSignal.abort() });
    await expect(adapters.image[wire]!.submit(line, askOf())).rejects.toMatchObject({ kind: "cancelled" });
  });

  test("an unresolved asset is not sent", async () => {
    const { end, got } = await submit(wire, [json({})], askOf({}, inline, stored));
    expect(end).toMatchObject({ state: "failed", trouble: { kind: "refused", message: /^content\.2: / } });
    expect(got).toEqual([]);
  });
});

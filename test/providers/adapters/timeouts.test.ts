import {
  createLineClient,
  defineProvider,
  UpstreamFault,
  type UpstreamRequest,
} from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";
import type { Line, Service } from "../../../packages/providers/src/adapters/adapter.ts";
import { CALL_TIMEOUTS, exchange } from "../../../packages/providers/src/adapters/call.ts";

const made = { method: "POST", path: "/work", json: {}, timeout: CALL_TIMEOUTS.generate } as const;
const asked = { method: "GET", path: "/tasks/1" } as const;

/** What the connection is told of a call's patience. */
async function patienceOf(timeouts: Service["timeouts"], call: typeof made | typeof asked) {
  const origin = "http://127.0.0.1:9";
  const { serves } = defineProvider("p", { origin, speaks: [], serves: { image: "mediastyle" }, timeouts });
  let sent: UpstreamRequest | undefined;
  const client = createLineClient({
    async send(request) {
      sent = request;
      throw new UpstreamFault("connect");
    },
    close: async () => {},
  });
  const { signal } = new AbortController();
  const service = serves?.image as Service;
  const line: Line = { service, client, signal, now: Date.now, model: "m", user: "u" };
  await expect(exchange(line, call)).rejects.toMatchObject({ kind: "connect" });
  return { firstByte: sent?.firstByte, idle: sent?.idle };
}

describe("the timeouts of a provider", () => {
  it("the timeouts of a provider apply to calls that make something", async () => {
    expect(await patienceOf(undefined, made)).toEqual({ firstByte: 600_000, idle: 120_000 });
    expect(await patienceOf({ firstByte: 900_000 }, made)).toEqual({ firstByte: 900_000, idle: 120_000 });
    expect(await patienceOf({ firstByte: 5_000, idle: 7_000 }, made)).toEqual({
      firstByte: 5_000,
      idle: 7_000,
    });
  });

  it("the timeouts of a provider never make a poll last longer than usual", async () => {
    expect(await patienceOf(undefined, asked)).toEqual({ firstByte: 60_000, idle: 120_000 });
    expect(await patienceOf({ firstByte: 900_000 }, asked)).toMatchObject({ firstByte: 60_000 });
    expect(await patienceOf({ firstByte: 5_000 }, asked)).toMatchObject({ firstByte: 5_000 });
  });
});

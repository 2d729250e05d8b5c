import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { DONE } from "@manifold-gateway/core";
import { defineProvider, UpstreamFault } from "@manifold-gateway/providers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { pumpStream } from "../../../packages/gateway/src/text/pump-stream.ts";
import { listen } from "../../support/listen.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";
import { asks, type SurfaceName } from "./scripted.ts";

const streams = { chatstyle: "plain", responses: "text", msgstyle: "plain" } as const;
type Streamed = keyof typeof streams;
const protocols = Object.keys(streams) as Streamed[];
const cells = (Object.keys(asks) as SurfaceName[]).flatMap((name) =>
  protocols.map((protocol) => ({ name, protocol })),
);

const streamOf = (protocol: Streamed): string => {
  const path = `../../../packages/testing/fixtures/${protocol}/streams/${streams[protocol]}.jsonl`;
  const lines = readFileSync(new URL(path, import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  const chunks = lines.map((line) => (line.startsWith('"') ? JSON.parse(line) : line));
  if (protocol === "chatstyle" && !chunks.includes(DONE)) chunks.push(DONE);
  return chunks.map((chunk) => `data: ${chunk}\n\n`).join("");
};

let end: (response: ServerResponse) => void;
const server = createServer((request, response) => {
  const protocol = protocols.find((one) => request.url?.startsWith(`/${one}/`)) as Streamed;
  request.resume();
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(streamOf(protocol), () => end(response));
});
let h: Stage;
beforeAll(async () => {
  const { origin } = await listen(server);
  h = await startStage({
    models: protocols.map((protocol) => model(`on-${protocol}`, protocol)),
    providers: new Map(
      protocols.map((protocol) => [
        protocol,
        defineProvider(protocol, { origin: `${origin}/${protocol}`, speaks: [protocol] }),
      ]),
    ),
  });
});
afterAll(async () => {
  expect(await h.store.money.audit()).toEqual([]);
  await h.close();
  server.closeAllConnections();
  server.close();
});

/** A streamed answer without what differs by request, and its record. */
async function answer(name: SurfaceName, protocol: Streamed) {
  const text = await (await h.call(...asks[name](`on-${protocol}`, true))).text();
  await h.settled();
  const { results } = await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
  return {
    text: text.replace(/[0-9a-f]{32}/g, "ID").replace(/"created(_at)?":\d+/g, ""),
    status: results[0]?.status,
    cost: results[0]?.cost,
  };
}

it.each(cells)(
  "a reply that is over is whole, though its connection is cut: $name on $protocol",
  async (cell) => {
    end = (response) => void response.end();
    const whole = await answer(cell.name, cell.protocol);
    expect(whole.status).toBe("succeeded");
    end = (response) => void response.destroy();
    expect(await answer(cell.name, cell.protocol)).toEqual(whole);
  },
);

describe("a provider that keeps its answer open behind the end of the reply", () => {
  const limits = { stream: 1_000, generation: 900_000, drain: 900_000 };
  /** A body of one piece that stays open until it is cancelled. */
  function openBody() {
    let cancel = (): void => {};
    const cut = new Promise<never>((_, reject) => {
      cancel = () => reject(new UpstreamFault("cancelled"));
    });
    let pieces = 1;
    return {
      arrival: () => (pieces > 0 ? undefined : cut),
      take: () => (pieces-- > 0 ? new Uint8Array(1) : undefined),
      cancel: () => cancel(),
    };
  }

  it.each([
    [true, "onEnd"],
    [false, undefined],
  ])("is not waited for if it is over: %s", async (isOver, settled) => {
    vi.useFakeTimers();
    try {
      const called: string[] = [];
      const handler = {
        onData: () => undefined,
        onEnd: async () => void called.push("onEnd"),
        onError: async () => void called.push("onError"),
        isOver: () => isOver,
      };
      const done = pumpStream(openBody() as never, { closed: false }, handler, limits);
      await vi.advanceTimersByTimeAsync(2_000);
      expect(called[0]).toBe(settled);
      await vi.advanceTimersByTimeAsync(900_000);
      await done;
      expect(called).toEqual([isOver ? "onEnd" : "onError"]);
    } finally {
      vi.useRealTimers();
    }
  });
});

import { createServer, type IncomingMessage } from "node:http";
import type { Log } from "@manifold-gateway/gateway";
import { warmUp } from "@manifold-gateway/gateway/warm-up";
import { expect, it } from "vitest";

/** The calls of each of five wires of callers to each of four of providers, streamed or not. */
const ALL = 5 * 4 * 2;
/** The clock ends none of these warm-ups. */
const milliseconds = 600_000;
const silent: Log = { info() {}, warn() {}, error() {} };

interface Seen {
  path: string;
  status: number;
  losses: unknown;
}

it("a warm-up makes every call that a caller's wire and a provider's have, without a loss", async () => {
  const seen: Seen[] = [];
  const count = await warmUp({
    ...{ milliseconds, requests: ALL },
    createServer: ({ node }) =>
      createServer((request, response) => {
        response.on("finish", () =>
          seen.push({
            path: String(request.url),
            status: response.statusCode,
            losses: response.getHeader("x-losses"),
          }),
        );
        node(request, response);
      }),
  });
  expect(count).toBeGreaterThanOrEqual(ALL);
  expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200]));
  expect(seen.filter(({ losses }) => losses !== undefined)).toEqual([]);
  const paths = new Set(seen.map(({ path }) => path.replace(/models\/\w+/, "models")));
  expect([...paths].sort()).toEqual([
    "/api/chatstyle/v1/chat/completions",
    "/api/chatstyle/v1/responses",
    "/api/genstyle/v1beta/models:generateContent",
    "/api/genstyle/v1beta/models:streamGenerateContent?alt=sse",
    "/api/msgstyle/v1/messages",
    "/api/v1/text/completions",
  ]);
});

it("its requests are charged, and their log lines go where its options say", async () => {
  const lines: Record<string, unknown>[] = [];
  const log: Log = { ...silent, info: (fields) => void lines.push({ ...fields }) };
  await warmUp({ milliseconds, requests: ALL, log });
  const entries = new Set(lines.map(({ model }) => model));
  expect(entries).toEqual(new Set(["chatstyle", "responses", "msgstyle", "genstyle"]));
  for (const line of lines) expect(line).toMatchObject({ status: 200, input: 500, output: 200, cost: 900 });
});

it("a warm-up that a server does not answer is rejected, and its connections are closed", async () => {
  const open = new Set<IncomingMessage["socket"]>();
  const failing = warmUp({
    milliseconds,
    createServer: () =>
      createServer((request, response) => {
        open.add(request.socket);
        response.writeHead(503).end();
      }),
  });
  await expect(failing).rejects.toThrow("was answered with 503");
  expect([...open].filter((socket) => !socket.destroyed)).toEqual([]);
});

it("a warm-up without time makes no call", async () => {
  expect(await warmUp({ milliseconds: 0 })).toBe(0);
});

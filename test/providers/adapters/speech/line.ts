import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Json, parseJson } from "@manifold-gateway/core/codec";
import { createLineClient, createTransport } from "@manifold-gateway/providers";
import { onTestFinished } from "vitest";
import type { Line, Service } from "../../../../packages/providers/src/adapters/adapter.ts";

/** A request as the provider got it. */
export interface Got {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: Json;
}

type Answer = (response: ServerResponse, got: Got) => void;

/** 2026-01-02T03:04:05Z */
export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

// Answers are streamed to whoever reads them, so that they can break off.
const client = createLineClient(createTransport()).extend({ fetch: globalThis.fetch });

/** A provider on loopback that answers in turn until the test ends (the last answer stays), and a line to it. */
export async function startLine(
  answers: Answer[],
  service: Partial<Service> = {},
  more: Partial<Line> = {},
): Promise<{ line: Line; got: Got[] }> {
  const got: Got[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { method = "", url = "", headers } = request;
    const one = { method, path: url, headers, text, body: parseJson(text) ?? null };
    got.push(one);
    answers[Math.min(got.length, answers.length) - 1]?.(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const line: Line = {
    service: {
      wire: "speechstyle",
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      base: "/api/v3",
      auth: { header: "x-api-key" },
      key: "speech-key",
      ...service,
    },
    client,
    signal: new AbortController().signal,
    now: () => NOW,
    model: "seed-tts-2.0",
    user: "pseudonym",
    ...more,
  };
  return { line, got };
}

/** An answer of JSON. */
export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };

/** An answer in pieces, as they are. */
export const pieces =
  (parts: readonly (string | Uint8Array)[], type: string, status = 200): Answer =>
  async (response) => {
    response.writeHead(status, { "content-type": type });
    for (const part of parts) await new Promise((resolve) => response.write(part, resolve));
    response.end();
  };

/** An answer that breaks off. */
export const cut =
  (part: string | Uint8Array, type: string): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": type });
    response.write(part, () => response.destroy());
  };

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { defineProvider, type UpstreamProtocol } from "@manifold/providers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Harness, model, PROTOCOLS, startHarness } from "./harness.ts";

/** What upstream streams next, and in what kind of answer. */
let answer = { status: 200, type: "text/event-stream", text: "" };
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(answer.status, { "content-type": answer.type }).end(answer.text);
});
let h: Harness;
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  h = await startHarness({
    models: PROTOCOLS.map((protocol) => model(`on-${protocol}`, `of-${protocol}`)),
    providers: new Map(
      PROTOCOLS.map((protocol) => [
        `of-${protocol}`,
        defineProvider(`of-${protocol}`, { origin, speaks: [protocol] }),
      ]),
    ),
    routing: { circuit: { failures: 1_000 } },
  });
});
afterAll(async () => {
  await h.close();
  server.closeAllConnections();
  server.close();
});

const messages = [{ role: "user", content: "Hello" }];
const SURFACES: Record<string, (id: string) => [string, object]> = {
  chat: (id) => ["/api/chatstyle/v1/chat/completions", { model: id, stream: true, messages }],
  responses: (id) => ["/api/chatstyle/v1/responses", { model: id, stream: true, input: "Hello" }],
  messages: (id) => ["/api/msgstyle/v1/messages", { model: id, stream: true, max_tokens: 100, messages }],
  generate: (id) => [
    `/api/genstyle/v1beta/models/${id}:streamGenerateContent?alt=sse`,
    { contents: "Hello" },
  ],
  array: (id) => [`/api/genstyle/v1beta/models/${id}:streamGenerateContent`, { contents: "Hello" }],
  native: (id) => ["/api/v1/text/completions", { model: id, messages }],
};
const stream = (name: string, protocol: UpstreamProtocol): Promise<Response> =>
  h.call(...(SURFACES[name] as (id: string) => [string, object])(`on-${protocol}`));

const cells = Object.keys(SURFACES).flatMap((name) => PROTOCOLS.map((protocol) => ({ name, protocol })));

describe("a stream that ends before its first byte", () => {
  it.each(cells)("is a 502 in the envelope: $name on $protocol", async ({ name, protocol }) => {
    answer = { status: 200, type: "text/event-stream", text: "" };
    const before = await h.balance();
    const response = await stream(name, protocol);
    expect([response.status, (await response.json()).success]).toEqual([502, false]);
    await h.settled();
    expect(await h.balance()).toEqual(before);
  });
});

describe("an error that is the first of a translated stream", () => {
  const firsts: [string, UpstreamProtocol, object][] = [
    ["messages", "chatstyle", { error: { message: "Slower.", type: "rate_limit_error" } }],
    [
      "messages",
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
      "messages",
      "responses",
      { type: "error", code: "rate_limit_exceeded", message: "Slower.", param: null, sequence_number: 0 },
    ],
    ["responses", "chatstyle", { error: { message: "Slower.", type: "rate_limit_error" } }],
    ["generate", "chatstyle", { error: { message: "Slower.", type: "rate_limit_error" } }],
  ];
  it.each(firsts)("is answered with its status: %s on %s", async (name, protocol, chunk) => {
    answer = { status: 200, type: "text/event-stream", text: `data: ${JSON.stringify(chunk)}\n\n` };
    const response = await stream(name, protocol);
    expect(response.status).toBe(429);
    expect(response.headers.get("content-type")).toContain("application/json");
    expect((await response.json()).error.message).toBe("Slower.");
    expect(response.headers.get("retry-after")).toBe(protocol === "genstyle" ? "3" : null);
  });
});

it("a pause that an error asks for in its body is told in whole seconds", async () => {
  const error = {
    code: 429,
    message: "Slower.",
    status: "RESOURCE_EXHAUSTED",
    details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "17.4s" }],
  };
  answer = { status: 429, type: "application/json", text: JSON.stringify({ error }) };
  for (const name of ["messages", "generate"]) {
    const response = await stream(name, "genstyle");
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "18"]);
  }
});

it("a status that has a word of its own keeps it in the generate-content form", async () => {
  answer = { status: 501, type: "application/json", text: '{"error":{"message":"No such thing."}}' };
  const response = await stream("generate", "chatstyle");
  expect([response.status, (await response.json()).error.status]).toEqual([501, "UNIMPLEMENTED"]);
});

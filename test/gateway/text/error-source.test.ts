import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { defineProvider } from "@manifold-gateway/providers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMeter } from "../../../apps/server/src/telemetry/metrics.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model, PROTOCOLS } from "../../support/text.ts";

/** What a provider of each protocol says of our credential. */
const errors = {
  chatstyle: { error: { message: "Bad key.", type: "auth", code: "invalid_api_key", own: [1] } },
  responses: { error: { message: "Bad key.", type: "auth", code: "invalid_api_key", own: [1] } },
  msgstyle: { type: "error", error: { type: "authentication_error", message: "Bad key." }, request_id: "r" },
  genstyle: { error: { code: 401, message: "Bad key.", status: "UNAUTHENTICATED", details: [] } },
} as const;

const messages = [{ role: "user", content: "hi" }];
const contents = [{ role: "user", parts: [{ text: "hi" }] }];

const asked: [what: string, path: string, body: object, error: object][] = [
  ["chat", "/api/chatstyle/v1/chat/completions", { model: "chatstyle", messages }, errors.chatstyle],
  [
    "a chat stream",
    "/api/chatstyle/v1/chat/completions",
    { model: "chatstyle", messages, stream: true },
    errors.chatstyle,
  ],
  ["a response", "/api/chatstyle/v1/responses", { model: "responses", input: "hi" }, errors.responses],
  ["a message", "/api/msgstyle/v1/messages", { model: "msgstyle", messages, max_tokens: 9 }, errors.msgstyle],
  ["a count", "/api/msgstyle/v1/messages/count_tokens", { model: "msgstyle", messages }, errors.msgstyle],
  ["contents", "/api/genstyle/v1beta/models/genstyle:generateContent", { contents }, errors.genstyle],
  ["embeddings", "/api/chatstyle/v1/embeddings", { model: "vectors", input: "hi" }, errors.chatstyle],
];

let upstream: Server;
let status = 401;
let h: Stage;
const lines: [fields: Record<string, unknown>, message: string][] = [];
const meter = createMeter();

beforeAll(async () => {
  upstream = createServer((req, res) => {
    req.resume();
    const protocol = (req.headers["x-which"] ?? "chatstyle") as keyof typeof errors;
    req.on("end", () =>
      res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(errors[protocol])),
    );
  }).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  h = await startStage({
    observer: meter.observer,
    log: { info() {}, warn() {}, error: (fields, message) => void lines.push([fields, message]) },
    routing: { circuit: { failures: 1_000 } } as never,
    providers: new Map(
      PROTOCOLS.map((protocol) => [
        `told-${protocol}`,
        defineProvider(`told-${protocol}`, {
          ...{ origin, speaks: [protocol], key: "upstream-secret" },
          headers: { "x-which": protocol },
        }),
      ]),
    ),
    models: [
      ...PROTOCOLS.map((protocol) => model(protocol, `told-${protocol}`)),
      model("vectors", "told-chatstyle", { outputModalities: ["embedding"] }),
    ],
  });
});
afterAll(async () => {
  await h.close();
  upstream.closeAllConnections();
  upstream.close();
});
beforeEach(() => {
  lines.length = 0;
});

describe.each([401, 402])("a %i about the operator's own account", (code) => {
  it.each(asked)(
    "an error about the operator's account reaches the caller of %s unmodified, and the operator's log",
    async (_, path, body, error) => {
      status = code;
      const response = await h.call(path, body);
      expect([response.status, await response.json()]).toEqual([code, error]);
      expect(response.headers.get("x-error-source")).toBe("provider");
      expect(lines.map(([fields, message]) => [fields.status, message])).toEqual([
        [code, "a provider refuses our credential"],
      ]);
      expect(JSON.stringify(lines)).not.toContain("upstream-secret");
    },
  );
});

it("errors about the operator's account are counted by provider", async () => {
  status = 401;
  await h.call("/api/msgstyle/v1/messages", { model: "msgstyle", messages, max_tokens: 9 });
  expect((await meter.text()).text).toMatch(
    /manifold_provider_denials_total\{provider="told-msgstyle",status="401"\} [1-9]/,
  );
});

it("an error keeps its words and status in another protocol and on the native interface", async () => {
  status = 401;
  for (const [path, body] of [
    ["/api/chatstyle/v1/chat/completions", { model: "msgstyle", messages }],
    ["/api/v1/text/completions", { model: "genstyle", messages }],
  ] as const) {
    const response = await h.call(path, body);
    expect(response.status).toBe(401);
    expect(response.headers.get("x-error-source")).toBe("provider");
    expect(JSON.stringify(await response.json())).toContain("Bad key.");
  }
});

it.each([
  ["/api/chatstyle/v1/chat/completions", { model: "nobody", messages }, {}],
  [
    "/api/chatstyle/v1/chat/completions",
    { model: "chatstyle", messages },
    { "x-api-key": "wrong-key-0123456789" },
  ],
  ["/nowhere", {}, {}],
])("a refusal of the service is marked as its own: %s of %j", async (path, body, headers) => {
  const response = await h.call(path, body, { headers });
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.headers.get("x-error-source")).toBe("service");
  expect(lines).toEqual([]);
});

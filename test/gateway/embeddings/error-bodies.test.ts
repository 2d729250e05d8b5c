import { createFetchTransport, defineProvider } from "@manifold-gateway/providers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";

let h: Stage;
/** What the provider answers, with a status of success. */
let answer: object | string;

beforeAll(async () => {
  const outputs = { embed: "embedding", rerank: "ranking", moderation: "moderation" } as const;
  h = await startStage({
    listens: false,
    transport: createFetchTransport({
      fetch: async () => (typeof answer === "string" ? new Response(answer) : Response.json(answer)),
    }),
    models: Object.entries(outputs).map(([id, output]) => ({
      ...model(id, "one"),
      outputModalities: [output],
    })),
    providers: new Map([
      [
        "one",
        defineProvider("one", {
          origin: "http://one.test",
          speaks: ["chatstyle"],
          serves: { embed: "chatstyle", rerank: "rerankstyle", moderation: "chatstyle" },
          key: "upstream-secret",
        }),
      ],
    ]),
  });
});
afterAll(() => h.close());

const requests: [path: string, body: object][] = [
  ["/api/chatstyle/v1/embeddings", { model: "embed", input: "a" }],
  ["/api/msgstyle/v1/embeddings", { model: "embed", input: "a" }],
  ["/api/genstyle/v1beta/models/embed:embedContent", { content: { parts: [{ text: "a" }] } }],
  ["/api/chatstyle/v1/rerank", { model: "rerank", query: "q", documents: ["a"] }],
  ["/api/chatstyle/v1/moderations", { model: "moderation", input: "a" }],
];

it.each(requests)(
  "an error with a status of success has its own status and words: %s",
  async (path, body) => {
    const before = await h.balance();
    answer = { error: { message: "No endpoints for upstream-secret.", code: 404 } };
    const response = await h.call(path, body);
    const { error } = (await response.json()) as { error: { message: string } };
    expect([response.status, error.message]).toEqual([404, "No endpoints for [redacted]."]);
    expect(response.headers.get("x-error-source")).toBe("provider");
    expect(await h.balance()).toEqual(before);
  },
);

it.each(requests)("such an error that is nested too deep is a 502: %s", async (path, body) => {
  answer = `{"error":{"message":"m","type":${"[".repeat(50_000)}${"]".repeat(50_000)}}}`;
  expect((await h.call(path, body)).status).toBe(502);
});

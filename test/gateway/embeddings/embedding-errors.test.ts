import { defineProvider, type Transport, type UpstreamProtocol } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";
import { startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";

interface Asked {
  path: string;
  headers: Record<string, string>;
}

/** A provider that answers every request with one body, and what it was asked. */
function answering(status: number, answer: object): { transport: Transport; asked: Asked[] } {
  const asked: Asked[] = [];
  const bytes = Buffer.from(JSON.stringify(answer));
  const transport: Transport = {
    async send({ path, headers }) {
      asked.push({ path, headers: headers as Record<string, string> });
      const body = { next: async () => undefined, bytes: async () => bytes, cancel() {} };
      return { status, headers: { "content-type": "application/json" }, body: body as never };
    },
    close: async () => {},
  };
  return { transport, asked };
}

const start = (wire: "chatstyle" | "genstyle", speaks: UpstreamProtocol[], transport: Transport) => {
  const serves = { embed: wire };
  const provider = defineProvider("apart", { origin: "http://127.0.0.1:9", speaks, serves, key: "its-key" });
  const models = [model("vectors", "apart", { outputModalities: ["embedding"] })];
  return startStage({ models, providers: new Map([["apart", provider]]), transport });
};

const listed = { object: "list", data: [{ index: 0, embedding: [0.5] }], usage: { prompt_tokens: 1 } };

describe.each<[string, UpstreamProtocol[]]>([
  ["nothing for text", []],
  ["a protocol without embeddings for text", ["msgstyle"]],
])("a provider of embeddings on %s", (_, speaks) => {
  it.each([
    ["chatstyle", listed, "/v1/embeddings", "authorization"],
    ["genstyle", { embedding: { values: [0.5] } }, "/v1beta/models/vectors:embedContent", "x-goog-api-key"],
  ] as const)(
    "a provider of embeddings is called in its own wire format: %s",
    async (wire, answer, path, header) => {
      const { transport, asked } = answering(200, answer);
      const h = await start(wire, speaks, transport);
      const response = await h.call("/api/chatstyle/v1/embeddings", { model: "vectors", input: "one" });
      expect((await response.json()).data[0].embedding).toEqual([0.5]);
      expect(asked).toEqual([
        { path, headers: expect.objectContaining({ [header]: expect.stringMatching("its-key") }) },
      ]);
      await h.close();
    },
  );

  it("a refusal by a provider of embeddings is quoted in the caller's shape", async () => {
    const { transport } = answering(400, { error: { code: 400, message: "no", status: "INVALID_ARGUMENT" } });
    const h = await start("genstyle", speaks, transport);
    const response = await h.call("/api/chatstyle/v1/embeddings", { model: "vectors", input: "one" });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({ message: "no", type: "invalid_request_error" });
    await h.close();
  });
});

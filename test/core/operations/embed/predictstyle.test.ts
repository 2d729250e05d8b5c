import type { Json } from "@manifold-gateway/core/codec";
import {
  type EmbedRequest,
  embedCodecs,
  embedWires,
  fullEmbedCodecs,
  planEmbed,
} from "@manifold-gateway/core/operations";
import { describe, expect, test } from "vitest";
import { ask, bytes, encode, text } from "./kit.ts";

const { predictstyle } = embedWires;
const of = (model: string, request: EmbedRequest): EmbedRequest => ({ ...request, model });
const pathsOf = (model: string, request: EmbedRequest): string | undefined =>
  predictstyle.endpoint?.(of(model, request));

describe("embeddings by predictions", () => {
  test("a list of texts is one prediction, with the dimensions as a parameter", () => {
    const { wire, losses } = encode(predictstyle, { ...ask([text("a")], [text("b")]), dimensions: 256 });
    expect(wire).toEqual({
      instances: [{ content: "a" }, { content: "b" }],
      parameters: { outputDimensionality: 256 },
    });
    expect(losses).toEqual([]);
    expect(encode(predictstyle, ask([text("a")])).wire).toEqual({ instances: [{ content: "a" }] });
  });

  test.each([
    ["text-embedding-005", "/models/text-embedding-005:predict", 2],
    ["gemini-embedding-001", "/models/gemini-embedding-001:predict", 1],
    ["gemini-embedding-2", "/models/gemini-embedding-2:embedContent", 1],
    ["multilingual-e5-large-instruct-maas", "/models/multilingual-e5-large-instruct-maas:embedContent", 1],
  ])("%s is called at %s, with %i inputs a call", (model, path, most) => {
    const request = ask([text("a")], [text("b")]);
    expect(pathsOf(model, request)).toBe(path);
    expect(Math.min(2, predictstyle.mostOf?.(of(model, request)) ?? 0)).toBe(most);
  });

  test("a call has no more tokens than the platform takes together", () => {
    const long = ask(...Array.from({ length: 100 }, () => [text("x".repeat(6_000))]));
    expect(predictstyle.mostOf?.(long)).toBeLessThanOrEqual(10);
    const huge = ask([text("x".repeat(100_000))], [text("y")]);
    expect(predictstyle.mostOf?.(huge)).toBe(1);
  });

  test("a content goes without the model's name, which the path has", () => {
    const request = of("gemini-embedding-2", {
      ...ask([text("a"), bytes("image", "image/png")]),
      batch: true,
    });
    expect(encode(predictstyle, { ...request, dimensions: 8 })).toEqual({
      wire: {
        content: { parts: [{ text: "a" }, { inlineData: { mimeType: "image/png", data: "AAAA" } }] },
        outputDimensionality: 8,
      },
      losses: [],
    });
  });

  test("tasks and titles of generate-content have the names of a prediction", () => {
    const { decode } = fullEmbedCodecs.genstyle.request;
    const content = { parts: [{ text: "a" }] };
    const one = { content, taskType: "RETRIEVAL_DOCUMENT", title: "t" };
    const instance = { content: "a", task_type: "RETRIEVAL_DOCUMENT", title: "t" };
    expect(encode(predictstyle, decode({ model: "m", ...one })).wire).toEqual({ instances: [instance] });
    expect(encode(predictstyle, decode({ model: "m", requests: [one, { content }] })).wire).toEqual({
      instances: [instance, { content: "a" }],
    });
    expect(encode(predictstyle, decode({ model: "m", content, autoTruncate: false })).wire).toEqual({
      instances: [{ content: "a" }],
      parameters: { autoTruncate: false },
    });
  });

  test("a picture for a model of texts is refused, and texts of one input are joined", () => {
    const parts: Json[] = [
      { type: "text", text: "a" },
      { type: "imageBase64", data: "AAAA", mediaType: "image/png" },
    ];
    const source: Parameters<typeof planEmbed>[0] = {
      codec: embedCodecs.msgstyle,
      model: "m",
      value: { model: "m", input: [{ content: parts }] },
    };
    const target = { codec: predictstyle, model: "text-embedding-005", takes: {} };
    expect(planEmbed(source, target)).toMatchObject({
      code: expect.any(String),
      errors: [expect.stringMatching(/image/)],
    });
    const { wire, losses } = encode(predictstyle, ask([text("a"), text("b")]));
    expect(wire.instances).toEqual([{ content: "a\nb" }]);
    expect(losses).toEqual(["/inputs/0/parts"]);
  });

  test("vectors and counts of predictions are read, and counts only if all are there", () => {
    const one = (token_count: Json = null): Json => ({
      embeddings: { values: [1, 2], statistics: { token_count } },
    });
    expect(predictstyle.reply.decode({ predictions: [one(3), one(4)] })).toEqual({
      vectors: [
        [1, 2],
        [1, 2],
      ],
      usage: { input: 7 },
    });
    expect(predictstyle.reply.decode({ predictions: [one(3), one()] })).not.toHaveProperty("usage");
    expect(
      predictstyle.reply.decode({ embedding: { values: [1] }, usageMetadata: { promptTokenCount: 2 } }),
    ).toEqual({
      vectors: [[1]],
      usage: { input: 2 },
    });
  });
});

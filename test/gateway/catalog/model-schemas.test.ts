import { capabilitiesSchema } from "@manifold-gateway/core/configuration";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";

const capabilities = capabilitiesSchema.parse({
  video: {
    params: {
      duration: { type: "int", min: 4, max: 12, default: 5 },
      resolution: { type: "enum", values: ["480p", "720p"] },
    },
  },
});
const price = { output: 1 };
const film = model("acme/film-2", "chatstyle", {
  outputModalities: ["video"],
  entries: [{ provider: "chatstyle", name: "film", priority: 1, isActive: true, price, capabilities }],
});

describe("the schema of a model", () => {
  let harness: Stage;
  beforeAll(async () => {
    harness = await startStage({ models: [film, model("free", "chatstyle")] });
  });
  afterAll(() => harness.close());
  const read = (path: string): Promise<Response> => harness.call(`/api/v1/ai/schemas/${path}`);

  it("the schema of a model is a JSON Schema by the rules that requests are held to", async () => {
    const schema = (await (await read("acme%2Ffilm-2")).json()) as { title: string };
    expect(schema.title).toBe("acme/film-2");
    const validate = new Ajv2020({ strict: false }).compile(schema);
    expect(validate({ duration: 5, resolution: "720p" })).toBe(true);
    expect(validate({ duration: 13 })).toBe(false);
    expect(validate({ resolution: "4k" })).toBe(false);
  });

  it("the schema of a model is also shown as a TypeScript type", async () => {
    const response = await read("acme/film-2?as=typescript");
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const text = await response.text();
    expect(text).toContain("export interface AcmeFilm2Params {");
    expect(text).toContain('resolution?: "480p" | "720p";');
  });

  it("a model without known rules takes anything, and a missing model has no schema", async () => {
    expect(await (await read("free")).json()).toMatchObject({
      title: "free",
      type: "object",
      properties: {},
    });
    expect((await read("nobody")).status).toBe(404);
    expect((await read("free?operation=dance")).status).toBe(400);
  });
});

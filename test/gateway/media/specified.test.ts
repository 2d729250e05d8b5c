import { afterAll, beforeAll, expect, it } from "vitest";
import type { Json } from "../../support/caller.ts";
import { startMediaStage } from "../../support/media.ts";
import type { Stage } from "../../support/stage.ts";

let h: Stage;
beforeAll(async () => {
  h = await startMediaStage();
});
afterAll(() => h.close());

it("embedContent refuses several requests, which have a method of their own", async () => {
  const content = { parts: [{ text: "A door." }] };
  const path = "/api/genstyle/v1beta/models/embed-generate";
  for (const body of [{ requests: [{ content }] }, { contents: content, requests: [{ content }] }]) {
    const { errors } = await h.json(`${path}:embedContent`, body, 400);
    expect(errors[0]).toMatch(/^requests: is only taken by batchEmbedContents/);
  }
  await h.json(`${path}:batchEmbedContents`, { requests: [{ content }] });
});

it.each<[string, object, RegExp]>([
  [
    "/api/v1/image/generations",
    { content: [{ type: "text", text: "A door." }], guidanceScale: 5 },
    /^guidanceScale: .*accepts responseFormat, watermark, numberOfImages, outputFormat, .* and size\./,
  ],
  ["/api/chatstyle/v1/images/generations", { prompt: "A door.", output_format: "bmp" }, /accepts 'jpeg'/],
])(
  "a refused image parameter of %s is answered with all that the model accepts",
  async (path, body, said) => {
    const { errors } = await h.json(path, { model: "image", ...body }, 400);
    expect(errors[0]).toMatch(said);
  },
);

it("the document has the explanation of every operation that can be explained, under the status that it has", async () => {
  const { paths } = await h.json("/openapi.json");
  const explained = Object.entries(paths as Json).flatMap(([path, item]) =>
    Object.values(item as Json).flatMap(({ parameters = [], responses }: Json) =>
      parameters.some(({ name }: Json) => name === "x-explain") ? [{ path, responses }] : [],
    ),
  );
  expect(explained.length).toBeGreaterThan(10);
  const bare = explained.filter(
    ({ responses }) => !JSON.stringify(responses["200"] ?? {}).includes("#/components/schemas/Explanation"),
  );
  expect(bare.map(({ path }) => path)).toEqual([]);
});

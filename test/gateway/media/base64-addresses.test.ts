import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { modelOf, PROTOCOLS } from "../../support/text.ts";

/** A picture of one pixel whose base64 has both characters that the two alphabets differ in. */
const PNG = Buffer.concat([
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
  Buffer.from([0xfb, 0xef, 0xbe, 0xff, 0xff]),
]);
const written = PNG.toString("base64url");
const url = `data:image/png;base64,${written}`;

const bodies: Record<string, (model: string) => [path: string, body: object]> = {
  chatstyle: (model) => [
    "/api/chatstyle/v1/chat/completions",
    {
      model,
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Look:" },
            { type: "image_url", image_url: { url } },
          ],
        },
      ],
    },
  ],
  responses: (model) => [
    "/api/chatstyle/v1/responses",
    { model, input: [{ role: "user", content: [{ type: "input_image", image_url: url }] }] },
  ],
  msgstyle: (model) => [
    "/api/msgstyle/v1/messages",
    {
      model,
      max_tokens: 64,
      messages: [
        {
          role: "user",
          content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: written } }],
        },
      ],
    },
  ],
  genstyle: (model) => [
    `/api/genstyle/v1beta/models/${model}:generateContent`,
    { contents: [{ parts: [{ inlineData: { mimeType: "image/png", data: written } }] }] },
  ],
};

let h: Stage;
beforeAll(async () => {
  h = await startStage();
});
afterAll(() => h.close());

const pairs = Object.keys(bodies).flatMap((surface) =>
  PROTOCOLS.filter((protocol) => protocol !== surface).map((protocol) => [surface, protocol] as const),
);

describe("a base64 picture in the place of an address", () => {
  it.each(pairs)(
    "a base64 picture of %s is accepted by %s, in the standard form",
    async (surface, protocol) => {
      const [path, body] = (bodies[surface] as (model: string) => [string, object])(modelOf(protocol));
      const explained = await h.call(path, body, { headers: { "x-explain": "true" } });
      const sent = JSON.stringify(((await explained.json()) as { upstream: { body: object } }).upstream.body);
      expect(sent).toContain(PNG.toString("base64"));
      expect(sent).not.toContain(written);
      const response = await h.call(path, body);
      expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    },
  );

  it("a base64 picture as an address is refused for all vendors but one", async () => {
    for (const protocol of PROTOCOLS.filter((name) => bodies[name])) {
      const [path, body] = (bodies[protocol] as (model: string) => [string, object])(modelOf(protocol));
      const response = await h.call(path, body);
      expect([protocol, response.status]).toEqual([protocol, protocol === "genstyle" ? 200 : 400]);
    }
  });
});

import { expect, it } from "vitest";
import { toContent } from "../../packages/console/web/src/play/media.ts";
import { inputsOf } from "../../packages/console/web/src/play/schema-form.ts";

const part = (types: string[], more: object = {}) => ({ properties: { type: { enum: types }, ...more } });
const schema = {
  properties: {
    content: {
      items: {
        anyOf: [
          { properties: { type: { const: "text" } } },
          part(["imageUrl", "imageBase64", "kycImageAssetId"], { role: { enum: ["firstFrame"] } }),
          part(["videoUrl", "videoBase64"]),
        ],
      },
    },
  },
};

it("an input of a form takes identity assets where its model does, and names them by that part", () => {
  const [image, video] = inputsOf(schema);
  expect(image).toEqual({
    kind: "image",
    roles: ["firstFrame"],
    mediaTypes: [],
    assetPart: "kycImageAssetId",
  });
  expect(video).not.toHaveProperty("assetPart");
  const chosen = { kind: "image", name: "Ada", facts: "", assetId: "a1", role: "firstFrame" } as const;
  expect(toContent("Hello", [{ ...chosen, part: image!.assetPart! }])).toEqual([
    { type: "text", text: "Hello" },
    { type: "kycImageAssetId", assetId: "a1", role: "firstFrame" },
  ]);
  expect(toContent("", [chosen])).toEqual([{ type: "imageAssetId", assetId: "a1", role: "firstFrame" }]);
});

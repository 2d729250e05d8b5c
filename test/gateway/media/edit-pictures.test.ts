import { afterAll, beforeAll, expect, test } from "vitest";
import { editOf, editSchema } from "../../../packages/gateway/src/surfaces/edits.ts";
import { startMediaStage } from "../../support/media.ts";
import type { Stage } from "../../support/stage.ts";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const url = `data:image/png;base64,${png}`;
const picture = { type: "base64", mediaType: "image/png", data: png };

const edit = (members: object) =>
  editOf(editSchema.parse({ model: "m", prompt: "Make it blue.", ...members })).images.map(
    ({ source, role }) => ({ source, ...(role && { role }) }),
  );

test.each<[string, object, number]>([
  ["an address", { image: url }, 1],
  ["a list of addresses", { image: [url, url] }, 2],
  ["an object with an address", { image: { url, type: "image_url" } }, 1],
  ["a list of objects", { image: [{ url }, { image_url: url }] }, 2],
  ["images as addresses", { images: [url] }, 1],
  ["images as objects", { images: [{ image_url: url }] }, 1],
  ["images as parts of a chat", { images: [{ type: "image_url", image_url: { url } }] }, 1],
])("pictures to edit may be %s", (_, members, count) => {
  expect(edit(members)).toEqual(Array.from({ length: count }, () => ({ source: picture })));
});

test.each<[string, unknown]>([
  ["an address", url],
  ["an object", { image_url: url }],
  ["a list of one", [{ url }]],
])("a mask may be %s", (_, mask) => {
  expect(edit({ images: [url], mask })).toEqual([{ source: picture }, { source: picture, role: "mask" }]);
});

test.each([
  {},
  { image: [] },
  { images: [] },
  { image: 1 },
  { image: "words" },
  { image: url, images: [url] },
])("what is no picture is refused: %j", (members) => {
  expect(editSchema.safeParse({ model: "m", prompt: "p", ...members }).success).toBe(false);
});

let h: Stage;
beforeAll(async () => {
  h = await startMediaStage();
});
afterAll(() => h.close());

test.each([
  ["image", "image"],
  ["image[]", "image[]"],
  ["image", "image[]"],
])("two files of a form are %s and %s", async (...fields) => {
  const body = new FormData();
  for (const [name, value] of Object.entries({
    model: "image-chat",
    prompt: "Make it blue.",
    stream: "False",
  }))
    body.append(name, value);
  for (const field of fields) body.append(field, new File([Buffer.from(png, "base64")], "a.png"));
  const response = await h.call("/api/chatstyle/v1/images/edits", undefined, {
    method: "POST",
    body,
    headers: { "x-explain": "true" },
  });
  expect(response.status, await response.clone().text()).toBe(200);
});

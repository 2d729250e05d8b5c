import { chatstyle, responses } from "@manifold-gateway/core";
import type { Json } from "@manifold-gateway/core/codec";
import { describe, expect, test } from "vitest";

const picture = "data:image/png;base64,iVBORw0KGgo=";
const paper = "data:application/pdf;base64,JVBERi0xLjQK";

/** The parts that a user's message is read as. */
const read = {
  chatstyle: (part: Json) =>
    chatstyle.request.decode(
      chatstyle.request.schema.parse({ model: "m", messages: [{ role: "user", content: [part] }] }),
    ).messages[0]?.parts,
  responses: (part: Json) =>
    responses.request.decode(
      responses.request.schema.parse({ model: "m", input: [{ role: "user", content: [part] }] }),
    ).messages[0]?.parts,
};

describe("parts in the spelling of the other wire of the family are read as what they are", () => {
  test.each<[keyof typeof read, Json, Json]>([
    ["chatstyle", { type: "input_text", text: "Hello." }, { type: "text", text: "Hello." }],
    [
      "chatstyle",
      { type: "input_image", image_url: picture, detail: "low" },
      { type: "image_url", image_url: { url: picture, detail: "low" } },
    ],
    [
      "chatstyle",
      { type: "input_file", filename: "a.pdf", file_data: paper },
      { type: "file", file: { filename: "a.pdf", file_data: paper } },
    ],
    [
      "responses",
      { type: "image_url", image_url: { url: picture, detail: "low" } },
      { type: "input_image", image_url: picture, detail: "low" },
    ],
    ["responses", { type: "image_url", image_url: picture }, { type: "input_image", image_url: picture }],
    [
      "responses",
      { type: "file", file: { filename: "a.pdf", file_data: paper } },
      { type: "input_file", filename: "a.pdf", file_data: paper },
    ],
  ])("%s: %j", (wire, borrowed, own) => {
    expect(read[wire](borrowed)).toEqual(read[wire](own));
    expect(read[wire](borrowed)?.[0]?.type).not.toBe("opaque");
  });

  test.each<[keyof typeof read, Json]>([
    ["chatstyle", { type: "input_image", file_id: "file-1" }],
    ["chatstyle", { type: "input_file" }],
    ["responses", { type: "image_url" }],
    ["responses", { type: "file" }],
  ])("%s keeps what it cannot read as it is: %j", (wire, part) => {
    expect(read[wire](part)).toEqual([{ type: "opaque", protocol: wire, value: part }]);
  });
});

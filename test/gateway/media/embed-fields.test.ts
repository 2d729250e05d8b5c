import { bad, checkFields, gone, good, image, png, video } from "./fields.ts";

checkFields({
  "chat-style embeddings": {
    path: "/api/chatstyle/v1/embeddings",
    body: { model: "embed-chat", input: "words" },
    status: 200,
    rows: [
      [{}],
      [gone("model"), /^model/],
      ...good("input", ["one", "two"], Array(128).fill("x")),
      ...bad("input", undefined, "", [], [""], Array(129).fill("x"), {}),
      ...good("dimensions", 16, 256),
      ...bad("dimensions", 0, -1, 1.5, "16"),
      ...good("encoding_format", "float", "base64"),
      ...bad("encoding_format", "other"),
      [{ input: [{ content: [{ type: "imageUrl", url: image.url }] }] }, /^input/],
    ],
  },
  "messages-style embeddings": {
    path: "/api/msgstyle/v1/embeddings",
    body: { model: "embed-media", input: ["words"] },
    status: 200,
    rows: [
      [{}],
      [
        {
          input: [
            {
              content: [
                { type: "text", text: "a" },
                { type: "imageBase64", data: png, mediaType: "image/png" },
              ],
            },
          ],
        },
      ],
      [
        { input: [{ content: [{ type: "imageBase64", data: png, mediaType: "image/tiff" }] }] },
        /^input\.0\.content\.0/,
      ],
      [{ input: [{ content: [{ type: "videoUrl", url: video.url }] }] }, /^input\.0\.content\.0/],
      [{ input: [{ content: [{ type: "fileUrl", url: video.url }] }] }, /^input\.0\.content\.0/],
      [{ input: [{ content: [] }] }, /^input\.0/],
      ...good("encoding_format", "float"),
      ...bad("encoding_format", "base64", "other"),
    ],
  },
  "one generate-content embedding": {
    path: "/api/genstyle/v1beta/models/embed-generate:embedContent",
    body: { contents: { parts: [{ text: "words" }] } },
    status: 200,
    rows: [
      [{}],
      [{ config: { outputDimensionality: 256 } }],
      [{ config: { outputDimensionality: 0 } }, /outputDimensionality/],
      [{ config: { taskType: "RETRIEVAL_QUERY" } }, /^config\.taskType/],
      [{ config: { title: "A" } }, /^config\.title/],
      [gone("contents"), /^contents/],
      [{ contents: { parts: [] } }, /^contents/],
      [{ contents: { parts: Array(6).fill({ inlineData: { mimeType: "image/png", data: png } }) } }],
      [{ contents: { parts: [{ fileData: { fileUri: "files/a" } }] } }, /^contents\.parts\.0/],
    ],
  },
  "many generate-content embeddings": {
    path: "/api/genstyle/v1beta/models/embed-generate:batchEmbedContents",
    body: {
      requests: [{ content: { parts: [{ text: "one" }] } }, { content: { parts: [{ text: "two" }] } }],
    },
    status: 200,
    rows: [
      [{}],
      [{ requests: [] }, /^requests/],
      [gone("requests"), /^(requests|contents)/],
      [{ requests: [{}] }, /^requests\.0/],
      [
        {
          requests: [
            { content: { parts: [{ text: "one" }] }, outputDimensionality: 128 },
            { content: { parts: [{ text: "two" }] }, outputDimensionality: 256 },
          ],
        },
        /^requests\.1\.outputDimensionality/,
      ],
    ],
  },
});

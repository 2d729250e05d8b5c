import { codecs } from "@manifold-gateway/core";
import { withoutSecrets } from "@manifold-gateway/core/codec";
import { embedCodecs } from "@manifold-gateway/core/operations";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseBody } from "../../../packages/gateway/src/http/body.ts";
import { refuseAddresses } from "../../../packages/gateway/src/http/refuse-addresses.ts";
import { createUrlJudge } from "../../../packages/gateway/src/media/address.ts";
import { startMediaStage as startMedia } from "../../support/media.ts";
import { type Stage as MediaHarness, type Stage, startStage } from "../../support/stage.ts";

/** How each wire names a picture by its address, and the field that an error is to name. */
type Form = [name: string, field: string, path: string, body: (url: string) => object];
const chat = "/api/chatstyle/v1/chat/completions";
const responses = "/api/chatstyle/v1/responses";
const messages = "/api/msgstyle/v1/messages";
const generate = "/api/genstyle/v1beta/models/sim-genstyle:generateContent";
const turn = (part: object) => [{ role: "user", content: [part] }];
const forms: Form[] = [
  [
    "image_url",
    "messages.0.content.0.image_url.url",
    chat,
    (url) => ({ model: "sim-chatstyle", messages: turn({ type: "image_url", image_url: { url } }) }),
  ],
  [
    "image_url as text",
    "messages.0.content.0.image_url",
    chat,
    (url) => ({ model: "sim-chatstyle", messages: turn({ type: "image_url", image_url: url }) }),
  ],
  [
    "video_url",
    "messages.0.content.0.video_url.url",
    chat,
    (url) => ({ model: "sim-chatstyle", messages: turn({ type: "video_url", video_url: { url } }) }),
  ],
  [
    "audio_url, which no codec knows",
    "messages.0.content.0.audio_url.url",
    chat,
    (url) => ({ model: "sim-chatstyle", messages: turn({ type: "audio_url", audio_url: { url } }) }),
  ],
  [
    "a file of a chat",
    "messages.0.content.0.file.file_data",
    chat,
    (url) => ({
      model: "sim-chatstyle",
      messages: turn({ type: "file", file: { filename: "a.pdf", file_data: url } }),
    }),
  ],
  [
    "image_url for another protocol",
    "messages.0.content.0.image_url.url",
    chat,
    (url) => ({ model: "sim-msgstyle", messages: turn({ type: "image_url", image_url: { url } }) }),
  ],
  [
    "input_image",
    "input.0.content.0.image_url",
    responses,
    (url) => ({ model: "sim-responses", input: turn({ type: "input_image", image_url: url }) }),
  ],
  [
    "input_file",
    "input.0.content.0.file_url",
    responses,
    (url) => ({ model: "sim-responses", input: turn({ type: "input_file", file_url: url }) }),
  ],
  [
    "a picture that a tool returned",
    "input.0.output.0.image_url",
    responses,
    (url) => ({
      model: "sim-responses",
      input: [
        { type: "function_call_output", call_id: "c", output: [{ type: "input_image", image_url: url }] },
      ],
    }),
  ],
  [
    "a tool server of responses",
    "tools.0.server_url",
    responses,
    (url) => ({
      model: "sim-responses",
      input: "Hi",
      tools: [{ type: "mcp", server_label: "a", server_url: url }],
    }),
  ],
  [
    "an image block",
    "messages.0.content.0.source.url",
    messages,
    (url) => ({
      model: "sim-msgstyle",
      max_tokens: 9,
      messages: turn({ type: "image", source: { type: "url", url } }),
    }),
  ],
  [
    "a document that a tool returned",
    "messages.0.content.0.content.0.source.url",
    messages,
    (url) => ({
      model: "sim-msgstyle",
      max_tokens: 9,
      messages: turn({
        type: "tool_result",
        tool_use_id: "c",
        content: [{ type: "document", source: { type: "url", url } }],
      }),
    }),
  ],
  [
    "a tool server of messages",
    "mcp_servers.0.url",
    messages,
    (url) => ({
      model: "sim-msgstyle",
      max_tokens: 9,
      messages: [{ role: "user", content: "Hi" }],
      mcp_servers: [{ type: "url", name: "a", url }],
    }),
  ],
  [
    "a block that is counted",
    "messages.0.content.0.source.url",
    `${messages}/count_tokens`,
    (url) => ({ model: "sim-msgstyle", messages: turn({ type: "image", source: { type: "url", url } }) }),
  ],
  [
    "fileData",
    "contents.0.parts.0.fileData.fileUri",
    generate,
    (url) => ({ contents: [{ parts: [{ fileData: { fileUri: url } }] }] }),
  ],
  [
    "file_data in snake case",
    "contents.0.parts.0.file_data.file_uri",
    generate,
    (url) => ({ contents: [{ parts: [{ file_data: { file_uri: url } }] }] }),
  ],
];

const refused = [
  "http://169.254.169.254/latest/meta-data/iam/security-credentials/",
  "http://10.0.0.5:8000/metrics",
  "file:///etc/passwd",
  "http://2130706433/",
  "http://[::ffff:127.0.0.1]/",
  "http://localhost/a.png",
  "http://vault.internal/a.png",
  "https://kubernetes.default.svc/api",
  "https://nas.home.arpa/a.png",
  "http://127.0.0.1.nip.io/a.png",
  "https://a-10-0-0-5.sslip.io/a.png",
  "https://user:secret@files.example.com/a.png",
  "https://files.example.com:22/a.png",
  "http://files.example.com\\@169.254.169.254/",
  "ftp://files.example.com/a.png",
  "FILE:/etc/passwd",
  "http:127.0.0.1",
];

let h: Stage;
beforeAll(async () => {
  h = await startStage();
});
afterAll(() => h.close());

describe.each(forms)("%s", (_, field, path, body) => {
  it("an address that is not public is a 400 that names the field, and reaches no provider", async () => {
    const before = h.simulator.ledger.entries.length;
    for (const url of refused) {
      const response = await h.call(path, body(url));
      const { errors, code } = (await response.json()) as { errors: string[]; code: string };
      expect([url, response.status, code]).toEqual([url, 400, "unusable_input"]);
      expect(errors).toEqual([expect.stringMatching(`^${field}: must `)]);
      // A login in it is not repeated.
      expect(errors[0]).toContain(`not '${withoutSecrets(url)}'`);
    }
    expect(h.simulator.ledger.entries).toHaveLength(before);
    expect(await h.balance()).toMatchObject({ held: 0 });
  });

  it("a public address is accepted", async () => {
    const response = await h.call(path, body("https://files.example.com/a.png"));
    const { code } = (await response.json()) as { code?: string };
    expect(code).not.toBe("unusable_input");
  });
});

describe("addresses that lead to no host", () => {
  const wire = (url: string) => JSON.stringify({ contents: [{ parts: [{ fileData: { fileUri: url } }] }] });
  const judge =
    (url: string, allow: string[] = []) =>
    () =>
      refuseAddresses(
        { faultOfUrl: createUrlJudge(allow) },
        { codec: codecs.genstyle, body: parseBody(Buffer.from(wire(url)), 1e9), model: "m" },
      );

  it.each([
    "gs://bucket/film.mp4",
    "s3://bucket/film.mp4",
    "data:image/png;base64,AAAA",
    `data:image/png;base64,${"A".repeat(100_000)}`,
    "files/abc-123",
    "https://generativelanguage.googleapis.com/v1beta/files/abc-123",
    "https://www.youtube.com/watch?v=abc",
    "https://files.example.com/a b.png",
  ])("an address that leads to no host passes: %.40s", (url) => {
    expect(judge(url)).not.toThrow();
  });

  it("an address that is too long to decode is refused", () => {
    const long = `http://127.0.0.1/?${"x".repeat(100_000)}`;
    expect(judge(long)).toThrow(/must have at most 8192 characters/);
  });

  it("a range that the configuration allows passes", () => {
    expect(judge("http://10.1.2.3/a", ["10.1.0.0/16"])).not.toThrow();
    expect(judge("http://10.2.2.3/a", ["10.1.0.0/16"])).toThrow(/public internet/);
  });
});

describe("media by address beside text", () => {
  let m: MediaHarness;
  beforeAll(async () => {
    m = await startMedia({ media: { allow: [] } });
  });
  afterAll(() => m.close());

  it.each([
    [
      "input.0.content.0.url",
      "/api/msgstyle/v1/embeddings",
      (url: string) => ({ model: "embed-media", input: [{ content: [{ type: "imageUrl", url }] }] }),
    ],
    [
      "messages.0.content.0.image_url.url",
      "/api/chatstyle/v1/embeddings",
      (url: string) => ({
        model: "embed-chat",
        input: "Hi",
        messages: turn({ type: "image_url", image_url: { url } }),
      }),
    ],
    [
      "references.0.audioUrl",
      "/api/v1/audio/generation-with-reference",
      (audioUrl: string) => ({
        model: "seed-audio-1.0-multilingual",
        textPrompt: "Say hello.",
        references: [{ audioUrl }],
      }),
    ],
  ])("an address of media beside text is judged alike in a body of %s", async (field, path, body) => {
    for (const url of ["http://169.254.169.254/a.wav", "http://localhost/a.wav"]) {
      const { errors } = await m.json(path, body(url), 400);
      expect(errors).toEqual([expect.stringMatching(`^${field}: must be on the public internet`)]);
    }
    expect((await m.balance()).held).toBe(0);
  });
});

it("every wire of embeddings says where its addresses are only text", () => {
  for (const codec of Object.values(embedCodecs)) expect(codec?.unfetched.texts.has("text")).toBe(true);
});

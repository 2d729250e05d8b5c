import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { createGuardedFetch } from "@manifold-gateway/providers";
import { sampleNamed } from "@manifold-gateway/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CERTIFICATE, KEY as PRIVATE_KEY } from "../../store/objects/certificate.ts";
import type { Json } from "../../support/caller.ts";
import { OTHER_KEY } from "../../support/holder.ts";
import { startMediaStage } from "../../support/media.ts";
import type { Stage } from "../../support/stage.ts";

/** Sample files on the web, as a caller would have them. */
let web: Server;
let files: string;
beforeAll(async () => {
  web = createServer({ key: PRIVATE_KEY, cert: CERTIFICATE }, (req, res) => {
    const sample = sampleNamed(req.url?.slice(1) ?? "");
    // What a server says of a file plays no part: only its bytes do.
    if (sample) res.writeHead(200, { "content-type": "text/html" }).end(sample.bytes);
    else res.writeHead(404).end();
  });
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  files = `https://files.example:${(web.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => web.close(resolve)));

const guarded = createGuardedFetch({
  allow: ["127.0.0.1/32"],
  ca: CERTIFICATE,
  resolve: async (name) => {
    if (!name.endsWith(".example")) throw new Error("unknown name");
    return [{ address: "127.0.0.1", family: 4 }];
  },
});
const signing = { accessKey: "ak", secretKey: "ak-secret", region: "ap-southeast-1", service: "ark" };
const path = "/api/v1/kyc/user/assets";
const words = { type: "text", text: "She walks along the shore." };
const settled = ({ status }: Json): boolean => status !== "processing";
const ended = ({ status }: Json): boolean => status === "succeeded" || status === "failed";

describe.each([
  ["kept here", {}],
  ["registered at the provider", { asset: { wire: "mediastyle" as const, signing } }],
])("identity assets %s", (_, asset) => {
  let h: Stage;
  beforeAll(async () => {
    const serves = { image: "mediastyle", video: "mediastyle", ...asset } as const;
    h = await startMediaStage({ media: { fetch: guarded }, serves: { mediastyle: serves } });
  });
  afterAll(() => h.close());

  async function create(body: Json): Promise<Json> {
    const made = await h.json(path, body);
    expect(made).toMatchObject({ status: "processing", assetType: body.assetType ?? "Image" });
    return h.until(`${path}/${made.assetId}`, settled);
  }

  it("identity assets become active, and make a video", async () => {
    const before = await h.balance();
    const face = await create({ url: `${files}/640x640.png`, name: "x".repeat(64) });
    const walk = await create({ url: `${files}/1280x720-5s-24fps.mp4`, assetType: "Video" });
    const voice = await create({ url: `${files}/5s.mp3`, assetType: "Audio" });
    expect([face, walk, voice]).toMatchObject([
      { name: "x".repeat(64), status: "active" },
      { status: "active" },
      { status: "active" },
    ]);
    expect(await h.balance()).toEqual(before);
    const content = [
      words,
      { type: "kycImageAssetId", assetId: face.assetId },
      { type: "kycVideoAssetId", assetId: walk.assetId },
      { type: "kycAudioAssetId", assetId: voice.assetId },
    ];
    const task = await h.json("/api/v1/video/generations", { model: "video", content });
    expect(task.content).toEqual(content);
    const done = await h.until(`/api/v1/video/tasks/${task.taskId}`, ended);
    expect(done).toMatchObject({ status: "succeeded" });
    const { results } = await h.json(`${path}?limit=2`);
    expect(results.map(({ assetId }: Json) => assetId)).toEqual([voice.assetId, walk.assetId]);
  });

  it("only the owner's active assets of the wanted type can be used", async () => {
    const face = await create({ url: `${files}/640x640.jpg` });
    const small = await create({ url: `${files}/200x200.png` });
    expect(small).toMatchObject({
      status: "failed",
      errorCode: "edge_out_of_range",
      errorMessage: expect.stringMatching(/200/),
    });
    const before = await h.balance();
    const use = (type: string, { assetId }: Json, init?: RequestInit) =>
      h.json("/api/v1/video/generations", { model: "video", content: [words, { type, assetId }] }, 400, init);
    const told = await Promise.all([
      use("kycImageAssetId", small),
      use("kycVideoAssetId", face),
      use("imageAssetId", face),
      use("kycImageAssetId", face, { headers: { "x-api-key": OTHER_KEY } }),
    ]);
    for (const { errors } of told) expect(errors[0]).toMatch(/^content\.1\.assetId: .*'video'/);
    await h.json(`${path}/${face.assetId}`, undefined, 404, { headers: { "x-api-key": OTHER_KEY } });
    expect(await h.balance()).toEqual(before);
  });

  it.each([
    ["a file that is not there", "/none.txt", "download_failed"],
    ["a film that is too long", "/1280x720-16s-24fps.mp4", "duration_out_of_range", "Video"],
    ["a film that is too slow", "/1280x720-5s-12fps.mp4", "fps_out_of_range", "Video"],
    ["a sound that is a picture", "/640x640.png", "unsupported_format", "Audio"],
    ["a picture that is too wide", "/1600x600.png", "aspect_ratio_out_of_range"],
  ])("an identity asset fails: %s", async (_, file, errorCode, assetType = "Image") => {
    const made = await create({ url: files + file, assetType });
    expect(made).toMatchObject({ status: "failed", errorCode, errorMessage: expect.stringMatching(/./) });
  });

  it("an identity asset of a private address fails without a connection", async () => {
    for (const url of ["https://10.0.0.1/a.png", "https://[::1]/a.png", "https://169.254.169.254/latest"])
      expect(await create({ url })).toMatchObject({ status: "failed", errorCode: "download_failed" });
  });

  it.each([
    [{}, "url"],
    [{ url: "http://files.example.com/a.png" }, "url"],
    [{ url: "nothing" }, "url"],
    [{ url: "https://files.example.com/a.png", assetType: "image" }, "assetType"],
    [{ url: "https://files.example.com/a.png", name: "x".repeat(65) }, "name"],
  ])("an identity asset of %o is refused", async (body, field) => {
    const { errors } = await h.json(path, body, 400);
    expect(errors[0]).toMatch(new RegExp(`^${field}`));
  });
});

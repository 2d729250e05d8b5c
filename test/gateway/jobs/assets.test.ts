import { createServer } from "node:http";
import type { AssetType } from "@manifold-gateway/media";
import { createGuardedFetch, DownloadFault, type GuardedFetch } from "@manifold-gateway/providers";
import { samples } from "@manifold-gateway/simulator";
import type { Asset } from "@manifold-gateway/store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resolveAssets } from "../../../packages/gateway/src/jobs/resolve.ts";
import type { Jobs } from "../../../packages/gateway/src/ports/jobs.ts";
import type { Download } from "../../../packages/providers/src/download/guarded-fetch.ts";
import { listen } from "../../support/listen.ts";
import { libraryAt, newId, orderOf } from "./orders.ts";
import { allDatabases, useStage } from "./stage.ts";

const files: Record<string, Buffer> = {
  "/face.png": samples.png(640, 640),
  "/small.png": samples.png(200, 200),
  "/scene.mp4": samples.mp4({ w: 640, h: 640, seconds: 3 }),
  "/voice.wav": samples.wav(3),
  "/short.wav": samples.wav(1),
  "/broken.png": samples.png(640, 640).subarray(0, 20),
  "/words.png": Buffer.from("<html>not a picture</html>"),
};

const fetchLocal = createGuardedFetch({ allow: ["127.0.0.1/32"] });

/** Stands in for the guarded fetch, which takes secure addresses only: the files of a map by their paths. */
const fetchFile: GuardedFetch = async (url, options): Promise<Download> => {
  const { pathname, hostname } = new URL(url);
  const { limit } = options;
  if (hostname === "127.0.0.1") return fetchLocal(url, options);
  if (hostname === "10.0.0.1") throw new DownloadFault("address_refused");
  const bytes = files[pathname];
  if (!bytes) throw new DownloadFault(pathname === "/slow" ? "timeout" : "download_failed");
  if (bytes.length > limit) throw new DownloadFault("file_too_large");
  return { stream: new Blob([new Uint8Array(bytes)]).stream() as Download["stream"] };
};

describe.each(allDatabases)("identity assets on %s", (_, make) => {
  const stage = useStage(make);
  const pictures = createServer((request, response) => response.end(files[request.url ?? ""]));
  let address = "";
  beforeAll(async () => {
    address = (await listen(pictures)).origin;
  });
  afterAll(() => {
    pictures.close();
    pictures.closeAllConnections();
  });

  const worker = (registered: boolean): Jobs => {
    const registry = { provider: "sim", service: libraryAt(stage().origin) };
    const jobs = stage().worker({ fetch: fetchFile, ...(registered && { registry }) });
    jobs.start();
    return jobs;
  };
  const create = async (jobs: Jobs, path: string, assetType: AssetType = "Image", accountId?: string) => {
    const caller = accountId === undefined ? await stage().caller() : { accountId };
    const url = path.startsWith("https:") ? path : `https://files.example${path}`;
    const ref = { id: newId(), accountId: caller.accountId };
    const made = await jobs.createAsset({ id: ref.id, caller, body: { url, assetType, name: "me" } });
    expect(made).toMatchObject({ id: ref.id, state: "processing", type: assetType, name: "me" });
    await stage().finish(jobs, ref);
    return (await jobs.asset(ref)) as Asset;
  };

  test.each([
    ["/face.png", "Image", "image/png"],
    ["/scene.mp4", "Video", "video/mp4"],
    ["/voice.wav", "Audio", "audio/wav"],
  ] as const)("%s becomes an active %s asset, stored by the service", async (path, type, mediaType) => {
    const jobs = worker(false);
    const asset = await create(jobs, path, type);
    expect(asset).toMatchObject({ state: "active", mediaType, size: files[path]!.length });
    expect(asset.registered).toBeUndefined();
    expect(asset.millis).toBe(type === "Image" ? undefined : 3000);
    expect((await stage().objects.head(asset.key!))?.size).toBe(files[path]!.length);
    expect((await stage().store.accounts.get(asset.accountId))?.balance).toBe(1_000_000_000);
    expect(await stage().store.money.audit()).toEqual([]);
    await jobs.close();
  });

  test.each([
    ["/small.png", "Image", "edge_out_of_range"],
    ["/short.wav", "Audio", "duration_out_of_range"],
    ["/broken.png", "Image", "unreadable_file"],
    ["/words.png", "Image", "unsupported_format"],
    ["/face.png", "Video", "unsupported_format"],
    ["/none.png", "Image", "download_failed"],
    ["/slow", "Image", "timeout"],
    ["https://10.0.0.1/face.png", "Image", "download_failed"],
  ] as const)("%s as %s fails with %s, and nothing is kept of it", async (path, type, code) => {
    const jobs = worker(true);
    const asset = await create(jobs, path, type);
    expect(asset).toMatchObject({
      state: "failed",
      errorCode: code,
      errorMessage: expect.stringMatching(/\w{3}/),
    });
    expect(asset.key).toBeUndefined();
    expect(stage().simulator.ledger.mediaJobs()).toEqual([]);
    await jobs.close();
  });

  test("an asset is registered where the provider has a library, in one group of the account", async () => {
    const jobs = worker(true);
    const one = await create(jobs, "/face.png");
    expect(one).toMatchObject({
      state: "active",
      provider: "sim",
      registered: expect.stringMatching(/^asset-/),
    });
    await create(jobs, "/voice.wav", "Audio", one.accountId);
    const groups = stage()
      .simulator.ledger.mediaJobs({ operation: "asset" })
      .map(({ request }) => (request as { GroupId: string }).GroupId);
    expect(groups).toHaveLength(2);
    expect(new Set(groups).size).toBe(1);
    await jobs.close();
  });

  test("an asset that the provider refuses fails in the provider's words", async () => {
    const jobs = worker(true);
    stage().simulator.script("[[outcome:fail=FaceMismatch]]", { operation: "asset" });
    expect(await create(jobs, "/face.png")).toMatchObject({ state: "failed", errorCode: "FaceMismatch" });
    await jobs.close();
  });

  test("an asset whose registration is uncertain fails, and is reported", async () => {
    const jobs = worker(true);
    await create(jobs, "/face.png");
    stage().simulator.script("[[fault:cut=0]]", { operation: "asset" });
    const asset = await create(jobs, "/face.png");
    if (asset.state === "failed") {
      const job = await jobs.get({ id: asset.id, accountId: asset.accountId });
      expect(job?.orphan).toBe(true);
    }
    expect(asset.state).toBe("failed");
    await jobs.close();
  });

  test("an asset takes part in a video under the provider's id for it", async () => {
    const jobs = worker(true);
    const asset = await create(jobs, "/face.png");
    const { accountId } = asset;
    const source = { type: "asset", kind: "identity", id: asset.id } as const;
    const image = { type: "image", role: "referenceImage", source, at: "/content/1" } as const;
    const text = { type: "text", text: "Walks.", at: "/content/0" } as const;
    const resolved = await jobs.resolve({ accountId, parts: [text, image], provider: "sim" });
    if (!resolved.ok) throw new Error("not resolved");
    const order = orderOf("video task", { accountId });
    if (order.kind !== "video") throw new Error("no video");
    const parts = resolved.parts as typeof order.ask.parts;
    await jobs.submit({ ...order, ask: { ...order.ask, parts } });
    expect(await stage().finish(jobs, { id: order.id, accountId })).toMatchObject({ state: "succeeded" });
    const [work] = stage()
      .simulator.ledger.mediaJobs({ state: "succeeded" })
      .filter(({ operation }) => operation !== "asset");
    expect(JSON.stringify(work?.request)).toContain(`asset://${asset.registered}`);
    await jobs.close();
  });

  test("assets and outputs are used again, inline where there is no public address", async () => {
    const jobs = worker(false);
    const { accountId } = await stage().caller();
    const first = orderOf("image inline", { accountId });
    await jobs.submit(first);
    const made = await stage().finish(jobs, { id: first.id, accountId });
    const source = { type: "asset", kind: "output", id: made.outputs[0]!.assetId } as const;
    const resolved = await jobs.resolve({
      accountId,
      parts: [{ source, at: "/content/1" }],
      provider: "sim",
    });
    expect(resolved).toEqual({ ok: true, parts: [{ source, at: "/content/1" }] });
    const second = orderOf("image inline", { accountId });
    if (second.kind !== "image") throw new Error("no image");
    const ask = { ...second.ask, images: [{ source, at: "/content/1" }] };
    await jobs.submit({ ...second, ask });
    expect((await stage().finish(jobs, { id: second.id, accountId })).state).toBe("succeeded");
    await jobs.close();
  });

  test("a wire that takes only bytes is given the bytes behind addresses", async () => {
    const { accountId } = await stage().caller();
    const jobs = stage().worker();
    jobs.start();
    const run = async (path: string) => {
      const order = orderOf("video operation", { accountId });
      if (order.kind !== "video") throw new Error("no video");
      const source = { type: "url", url: address + path } as const;
      const part = { type: "image", role: "firstFrame", source, at: "/content/1" } as const;
      await jobs.submit({ ...order, ask: { ...order.ask, parts: [...order.ask.parts, part] } });
      return stage().finish(jobs, { id: order.id, accountId });
    };
    expect((await run("/face.png")).state).toBe("succeeded");
    expect(await run("/words.png")).toMatchObject({
      state: "failed",
      error: { kind: "refused", message: expect.stringContaining("content.1") },
    });
    await jobs.close();
  });

  test("an unusable asset is reported by part, id and reason", async () => {
    const jobs = worker(false);
    const good = await create(jobs, "/scene.mp4", "Video");
    const bad = await create(jobs, "/small.png", "Image", good.accountId);
    const foreign = await create(jobs, "/face.png");
    const identity = (id: string) => ({ type: "asset", kind: "identity", id }) as const;
    const ask = (type: string, id: string, kind: "identity" | "output" = "identity") =>
      resolveAssets(stage().store, {
        accountId: good.accountId,
        parts: [
          { type: "text", at: "/content/0" },
          { type, source: { ...identity(id), kind }, at: "/content/1" },
        ],
        provider: "sim",
      });
    expect(await ask("video", good.id)).toMatchObject({ ok: true, inputSeconds: 3 });
    for (const [type, id, kind, reason] of [
      ["image", "nothing", "identity", /is not an identity asset of this account/],
      ["image", foreign.id, "identity", /is not an identity asset of this account/],
      ["video", good.id, "output", /is not an asset of this account/],
      ["image", bad.id, "identity", /has failed \(edge_out_of_range\)/],
      ["image", good.id, "identity", /is of the type Video, the part needs Image/],
    ] as const) {
      const { issues } = (await ask(type, id, kind)) as { issues: object[] };
      expect(issues).toEqual([{ path: "/content/1", message: expect.stringMatching(reason) }]);
      expect(issues[0]).toMatchObject({ message: expect.stringMatching(/^content\.1\.assetId: /) });
    }
    const still = { id: newId(), accountId: good.accountId };
    const idle = stage().worker({ fetch: fetchFile });
    await idle.createAsset({
      id: still.id,
      caller: still,
      body: { url: "https://files.example/face.png", assetType: "Image" },
    });
    expect(await ask("image", still.id)).toMatchObject({
      issues: [{ message: expect.stringContaining("still being checked") }],
    });
    await stage().finish(jobs, still);
    await jobs.close();
  });
});

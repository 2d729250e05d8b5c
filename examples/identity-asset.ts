/** A person who may be filmed: the portrait is fetched and checked, and then stands in a film. */
import assert from "node:assert/strict";
import { ReadableStream } from "node:stream/web";
import type { GuardedFetch } from "@manifold-gateway/providers";
import { samples } from "@manifold-gateway/simulator";
import { openStudio } from "./support/studio.ts";

interface Asset {
  assetId: string;
  status: string;
  errorCode?: string;
  errorMessage?: string;
}
interface Task {
  taskId: string;
  status: string;
  downloadUrl: string;
  error?: string;
}

/** In place of the web, which an example must not need: two pictures, one of them too small. */
const pictures: Record<string, Buffer> = {
  "https://photos.example/portrait.png": samples.png(640, 800),
  "https://photos.example/thumbnail.png": samples.png(64, 80),
};
const fetch: GuardedFetch = async (url) => ({
  stream: ReadableStream.from<Uint8Array>([new Uint8Array(pictures[url] ?? [])]),
});

const studio = await openStudio({ fetch });
try {
  const register = async (url: string): Promise<Asset> => {
    console.log(url);
    const { assetId } = await studio.ask<Asset>("v1/kyc/user/assets", {
      url,
      assetType: "Image",
      name: "me",
    });
    return studio.wait<Asset>(`v1/kyc/user/assets/${assetId}`);
  };
  const small = await register("https://photos.example/thumbnail.png");
  console.log(`  ${small.errorCode}: ${small.errorMessage}`);
  assert.equal(small.errorCode, "edge_out_of_range");
  const portrait = await register("https://photos.example/portrait.png");
  assert.equal(portrait.status, "active", portrait.errorMessage);

  const { taskId } = await studio.ask<Task>("v1/video/generations", {
    model: "film",
    content: [
      { type: "text", text: "She walks along the shore." },
      { type: "kycImageAssetId", assetId: portrait.assetId },
    ],
  });
  console.log(`video task ${taskId}`);
  const task = await studio.wait<Task>(`v1/video/tasks/${taskId}`);
  assert.equal(task.status, "succeeded", task.error);
  assert.ok((await studio.save("shore.mp4", task.downloadUrl)) > 1000);
} finally {
  await studio.close();
}

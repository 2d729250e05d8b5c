/** Two pictures, ordered and waited for; then one of them as the start of a third. */
import assert from "node:assert/strict";
import { openStudio } from "./support/studio.ts";

interface Result {
  images: { downloadUrl: string; assetId: string }[];
}

const studio = await openStudio();
try {
  const order = {
    model: "picture",
    content: [{ type: "text", text: "A lighthouse at dusk." }],
    numberOfImages: 2,
  };
  const { generationId } = await studio.ask<{ generationId: string }>("v1/image/generations/async", order);
  console.log(`image job ${generationId}`);
  const job = await studio.wait<{ status: string; error?: string; result: Result }>(
    `v1/image/generations/async/${generationId}`,
  );
  assert.equal(job.status, "succeeded", job.error);
  assert.equal(job.result.images.length, 2);
  for (const [index, image] of job.result.images.entries())
    assert.ok((await studio.save(`lighthouse-${index + 1}.jpg`, image.downloadUrl)) > 100);

  console.log("the first of them in winter, waited for in one request");
  const winter = await studio.ask<Result>("v1/image/generations", {
    model: "picture",
    content: [
      { type: "text", text: "The same in winter." },
      { type: "imageAssetId", assetId: job.result.images[0]?.assetId },
    ],
  });
  await studio.save("lighthouse-winter.jpg", winter.images[0]?.downloadUrl ?? "");
  const left = await studio.balance();
  console.log(`left of 10 USD: ${left}`);
  assert.equal(left, 10 - 3 * 0.03);
} finally {
  await studio.close();
}

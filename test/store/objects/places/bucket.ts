import { openBucket } from "@manifold-gateway/store";
import { type BucketServer, startBucket } from "./bucket-server.ts";
import { NOW, type Place } from "./place.ts";

export const OWNER = { accessKeyId: "AKEXAMPLE", secretAccessKey: "secret-of-the-example" };

/** A bucket behind its own server. */
export async function makeBucket(): Promise<Place & { server: BucketServer }> {
  const server = await startBucket("outputs", OWNER);
  let now = NOW;
  server.setNow(() => now);
  const open = (limit?: number) =>
    openBucket({
      bucket: "outputs",
      region: "eu-test-1",
      endpoint: server.address,
      credentials: OWNER,
      pathStyle: true,
      prefix: "manifold/",
      now: () => now,
      ...(limit !== undefined && { limit }),
    });
  const objects = await open();
  return {
    server,
    objects,
    open,
    setNow: (value) => {
      now = value;
    },
    landed: async () => server.counts.received,
    buffer: 17 * 1024 * 1024,
    leftovers: async () => server.uploads.size,
    follow: (link, init) => fetch(link, init),
    async drop() {
      await objects.close();
      await server.close();
    },
  };
}

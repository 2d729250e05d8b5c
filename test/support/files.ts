import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MediaOptions } from "@manifold-gateway/gateway";
import { createLinks, openDisk } from "@manifold-gateway/store";

/** What media is served with: files on the disk, links to them, jobs that do not wait long. */
export async function openMedia(
  base: string,
  media: Partial<MediaOptions>,
): Promise<{ options: MediaOptions; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "manifold-media-"));
  const links = createLinks({ base, secrets: [{ id: "a", secret: randomBytes(32) }] });
  const objects = await openDisk({ folder, links });
  const quick = { initial: 10, max: 40, factor: 1.5 };
  return {
    options: {
      objects,
      links,
      isPublic: true,
      allow: ["127.0.0.1/32"],
      ...media,
      jobs: {
        poll: { image: quick, video: quick, speech: quick, asset: quick },
        retry: { initial: 10, max: 40 },
        ...media.jobs,
      },
    },
    async close() {
      await objects.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

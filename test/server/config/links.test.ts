import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Links } from "@manifold-gateway/store";
import { afterAll, describe, expect, it } from "vitest";
import { parseConfig } from "../../../apps/server/src/config/load.ts";
import { openMedia } from "../../../apps/server/src/media-store.ts";
import type { LinkTerms } from "../../../packages/store/src/objects/objects.ts";

const folder = mkdtempSync(join(tmpdir(), "manifold-links-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NOW = 1_000_000;
const terms: LinkTerms = { expires: NOW + 60_000, mediaType: "image/png" };

/** The links of a service that is configured with these secrets. */
async function linksOf(secrets: { keyEncryptionSecrets?: string[]; linkSecrets?: string[] }): Promise<Links> {
  const { options, settle, close } = await openMedia(
    parseConfig({ objects: `file:${folder}`, ...secrets }, {}),
  );
  settle("http://127.0.0.1:1");
  await close();
  if (!options.links) throw new Error("a folder has links");
  return options.links;
}

const [first, second, third] = ["aa", "bb", "cc"].map((byte) => byte.repeat(32)) as [string, string, string];

describe.each(["keyEncryptionSecrets", "linkSecrets"] as const)("links signed by %s", (kind) => {
  it("links stay valid with a new secret at the end, and end with their own secret", async () => {
    const link = (await linksOf({ [kind]: [first] })).make("a/b.png", terms, NOW);
    expect((await linksOf({ [kind]: [first, second] })).open(link, NOW)).toMatchObject({ ok: true });
    expect((await linksOf({ [kind]: [second] })).open(link, NOW)).toMatchObject({ ok: false });
  });

  it("links are signed by the newest secret, and a secret named twice is one", async () => {
    const link = (await linksOf({ [kind]: [first, second, third, second] })).make("a/b.png", terms, NOW);
    expect((await linksOf({ [kind]: [second] })).open(link, NOW)).toMatchObject({ ok: true });
  });
});

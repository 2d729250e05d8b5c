/**
 * What the media examples share: a gateway in memory with its files in a folder, the simulator as the provider of
 * every kind of media, and an account with credit.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import {
  createCatalog,
  createGateway,
  type MediaOptions,
  type ModelOptions,
} from "@manifold-gateway/gateway";
import { defineProvider, imageModels, videoModels } from "@manifold-gateway/providers";
import { createSimulator } from "@manifold-gateway/simulator";
import { addCaller, createLinks, openDisk, openSqlite, type Price } from "@manifold-gateway/store";

/** A model of the simulator: with its vendor's limits and prices where they are known by the name. */
function model(id: string, provider: string, name: string, output: string, price?: Price): ModelOptions {
  const known = imageModels[name] ?? videoModels[name];
  const terms = known && { capabilities: known.capabilities, meter: known.meter, tiers: known.tiers };
  return {
    id,
    inputModalities: ["text", "image", "audio", "video", "file"],
    outputModalities: [output],
    entries: [{ provider, name, ...terms, ...(price && { price }) }],
  };
}

export interface Studio {
  origin: string;
  /** Of an account with ten dollars. */
  key: string;
  /** Asks the native interface; what is not a success is thrown. */
  ask<Answer>(path: string, body?: object): Promise<Answer>;
  /** Reads a job until it has ended, and shows how far it is. */
  wait<Job extends { status: string; error?: string }>(path: string): Promise<Job>;
  /** Leaves a file in `examples/data` and says where. */
  save(name: string, link: string): Promise<number>;
  /** In US dollars. */
  balance(): Promise<number>;
  close(): Promise<void>;
}

export async function openStudio(media: Partial<MediaOptions> = {}): Promise<Studio> {
  const simulator = createSimulator();
  const { origin: upstream } = await simulator.listen();
  const store = await openSqlite({ path: ":memory:" });
  const key = await addCaller(store, { account: "me", credit: 10_000_000 }); // micro-USD
  const server = createServer((req, res) => gateway.node(req, res));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), "studio-"));
  const links = createLinks({ base: origin, secrets: [{ id: "a", secret: randomBytes(32) }] });
  const objects = await openDisk({ folder, links });
  const pace = { initial: 100, max: 400, factor: 1.5 };
  const gateway = createGateway({
    store,
    providers: [
      defineProvider("media", {
        origin: upstream,
        speaks: [],
        key: "any",
        serves: { image: "mediastyle", video: "mediastyle", speech: "speechstyle" },
      }),
      defineProvider("router", {
        origin: upstream,
        speaks: ["chatstyle"],
        serves: { embed: "routerstyle" },
        key: "any",
      }),
    ],
    catalog: createCatalog([
      model("picture", "media", "seedream-4-0-250828", "image"),
      model("film", "media", "dreamina-seedance-2-0-260128", "video"),
      model("seed-tts-2.0", "media", "seed-tts-2.0", "audio", { characters: 15_000_000 }),
      model("seed-audio-1.0-multilingual", "media", "seed-audio-1.0-multilingual", "audio", {
        seconds: 4_000_000_000,
      }),
      model("vectors", "router", "gemini-embedding-2", "embedding", { input: 200_000 }),
    ]),
    media: {
      objects,
      links,
      isPublic: true,
      jobs: { poll: { image: pace, video: pace, speech: pace, asset: pace } },
      ...media,
    },
  });
  const ask = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${origin}/api/${path}`, {
      method: body ? "POST" : "GET",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(JSON.stringify(answer));
    return answer as Answer;
  };
  return {
    origin,
    key,
    ask,
    async wait<Job extends { status: string; error?: string }>(path: string): Promise<Job> {
      const ends = new Set(["succeeded", "active", "failed", "cancelled"]);
      let shown = "";
      for (let looks = 0; looks < 200; looks++) {
        const job = await ask<Job>(path);
        process.stdout.write(job.status === shown ? "." : `${shown && "\n"}  ${job.status} `);
        shown = job.status;
        if (ends.has(job.status)) {
          process.stdout.write("\n");
          return job;
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`${path} takes too long`);
    },
    async save(name, link) {
      const bytes = Buffer.from(await (await fetch(link)).arrayBuffer());
      const out = join(import.meta.dirname, "../data");
      mkdirSync(out, { recursive: true });
      writeFileSync(join(out, name), bytes);
      console.log(`  ${relative(process.cwd(), join(out, name))}: ${bytes.length} bytes`);
      return bytes.length;
    },
    balance: async () => (await ask<{ creditBalance: number }>("compat/v1/balance")).creditBalance,
    async close() {
      server.closeAllConnections();
      server.close();
      await gateway.close();
      await objects.close();
      await store.close();
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

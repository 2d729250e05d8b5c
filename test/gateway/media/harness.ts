import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createCatalog,
  createGateway,
  type Gateway,
  type GatewayOptions,
  type MediaOptions,
  type Model,
} from "@manifold/gateway";
import {
  defineProvider,
  imageModels,
  type Provider,
  type ServesOptions,
  videoModels,
} from "@manifold/providers";
import { createSimulator, type Simulator } from "@manifold/simulator";
import { createLinks, lookupHash, openDisk, openSqlite, prefixOf, type Store } from "@manifold/store";

export const ADMIN = "operator-credential-0123456789abcdef";
/** Explanations are asked for as the operator, who is told all of them. */
const asOperator = (headers: object = {}): Record<string, string> =>
  "x-explain" in headers ? { "x-admin-key": ADMIN } : {};
export const KEY = "test-key-0123456789abcdef";
export const OTHER_KEY = "other-key-0123456789abcdef";

/** Prices in micro-USD for a million: pictures and seconds are dear, characters cheap. */
const flat = { images: 40_000_000_000, seconds: 50_000_000_000, characters: 15_000_000, input: 200_000 };

const serves: Record<string, ServesOptions> = {
  mediastyle: { image: "mediastyle", video: "mediastyle", embed: "mediastyle" },
  chatstyle: { image: "chatstyle" },
  genstyle: { image: "genstyle", video: "genstyle" },
  routerstyle: { image: "routerstyle", video: "routerstyle", embed: "routerstyle" },
  speechstyle: { speech: "speechstyle" },
};

/** A model of a provider, by what its vendor's preset says of it. */
function known(id: string, name: string, more: Partial<Model["entries"][number]> = {}): Model {
  const image = imageModels[name];
  const preset = image ?? videoModels[name];
  if (!preset) throw new Error(`no preset ${name}`);
  const { wire, capabilities, meter, tiers, takes } = preset;
  return {
    id,
    inputModalities: ["text", ...takes],
    outputModalities: [image ? "image" : "video"],
    isActive: true,
    revision: 1,
    entries: [{ provider: wire, name, priority: 1, isActive: true, capabilities, meter, tiers, ...more }],
  };
}

const spoken = (id: string): Model => ({
  id,
  inputModalities: ["text"],
  outputModalities: ["audio"],
  isActive: true,
  revision: 1,
  entries: [{ provider: "speechstyle", name: id, priority: 1, isActive: true, price: flat }],
});

const embedded = (id: string, provider: string, name: string, takes: string[]): Model => ({
  id,
  inputModalities: ["text", ...takes],
  outputModalities: ["embedding"],
  isActive: true,
  revision: 1,
  entries: [{ provider, name, priority: 1, isActive: true, price: { input: 200_000, imageInput: 450_000 } }],
});

export const models: Model[] = [
  known("image", "seedream-4-0-250828"),
  known("image-pro", "dola-seedream-5-0-pro-260628"),
  known("image-guided", "seedream-3-0-t2i-250415"),
  known("image-chat", "gpt-image-1.5"),
  known("image-generate", "gemini-3.1-flash-image", {
    price: { output: 60_000_000, imageOutput: 60_000_000 },
  }),
  known("video", "dreamina-seedance-2-0-260128"),
  known("video-silent", "seedance-1-0-pro-250528"),
  known("video-router", "bytedance/seedance-2.0-fast"),
  known("video-generate", "veo-3.1-fast-generate-preview"),
  { ...known("image-free", "seedream-4-0-250828"), id: "image-unpriced" },
  spoken("seed-tts-1.0"),
  spoken("seed-tts-2.0"),
  spoken("seed-audio-1.0-multilingual"),
  embedded("embed-chat", "chatstyle", "text-embedding-3-small", []),
  embedded("embed-media", "routerstyle", "google/gemini-embedding-2", ["image", "audio", "video", "file"]),
  embedded("embed-generate", "genstyle", "gemini-embedding-2", ["image", "audio", "video", "file"]),
  embedded("embed-vision", "mediastyle", "skylark-embedding-vision", ["image", "video"]),
];
const unpriced = models.find(({ id }) => id === "image-unpriced");
if (unpriced) unpriced.entries = unpriced.entries.map(({ tiers: _, ...entry }) => entry);

export interface Harness {
  origin: string;
  gateway: Gateway;
  simulator: Simulator;
  /** Where the simulator listens: `/samples/640x480.png`. */
  upstream: string;
  store: Store;
  /** A request with the key; a body makes it a POST. */
  call(path: string, body?: unknown, init?: RequestInit): Promise<Response>;
  /** The JSON of an answer, which has to have the status. */
  json(path: string, body?: unknown, status?: number, init?: RequestInit): Promise<Json>;
  /** Reads a path until `is` holds of its answer. */
  until(path: string, is: (json: Json) => boolean): Promise<Json>;
  money(): Promise<{ balance: number; held: number }>;
  close(): Promise<void>;
}
// biome-ignore lint/suspicious/noExplicitAny: answers are looked at by their tests
export type Json = any;

export interface HarnessOptions {
  credit?: number;
  media?: Partial<MediaOptions>;
  serves?: Record<string, ServesOptions>;
  /** More providers than those of media. */
  providers?: readonly Provider[];
  options?: Partial<GatewayOptions>;
}

/** A gateway with all media on a socket, the simulator behind it, and an account with credit. */
export async function startHarness({
  credit = 1e12,
  media,
  serves: more,
  providers: others = [],
  options,
}: HarnessOptions = {}): Promise<Harness> {
  const simulator = createSimulator();
  const { origin: upstream } = await simulator.listen();
  const folder = await mkdtemp(join(tmpdir(), "media-routes-"));
  const store = await openSqlite({ path: ":memory:" });
  const at = Date.now();
  for (const [account, key] of [
    ["acc", KEY],
    ["other", OTHER_KEY],
  ] as const) {
    await store.accounts.ensure({ id: account, name: account, at });
    if (credit > 0)
      await store.accounts.credit({
        accountId: account,
        amount: credit,
        kind: "topup",
        reference: `to ${account}`,
        at,
      });
    const hash = lookupHash(key);
    await store.keys.ensure({
      id: `key-${account}`,
      accountId: account,
      name: "test",
      prefix: prefixOf(key),
      hash,
      at,
    });
  }
  const providers = new Map<string, Provider>(
    Object.entries({ ...serves, ...more }).map(([id, serves]) => [
      id,
      defineProvider(id, {
        origin: upstream,
        speaks: id === "speechstyle" ? [] : [id === "genstyle" ? "genstyle" : "chatstyle"],
        serves,
        key: "upstream-secret",
      }),
    ]),
  );
  for (const provider of others) providers.set(provider.id, provider);
  const server: Server = createServer((req, res) => gateway.node(req, res));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const links = createLinks({ base: origin, secrets: [{ id: "a", secret: randomBytes(32) }] });
  const objects = await openDisk({ folder, links });
  const quick = { initial: 10, max: 40, factor: 1.5 };
  const gateway = createGateway({
    adminKey: ADMIN,
    store,
    providers,
    catalog: createCatalog(models),
    media: {
      objects,
      links,
      isPublic: true,
      allow: ["127.0.0.1/32"],
      ...media,
      jobs: {
        poll: { image: quick, video: quick, speech: quick, asset: quick },
        retry: { initial: 10, max: 40 },
        ...media?.jobs,
      },
    },
    ...options,
  });
  const call: Harness["call"] = (path, body, init = {}) =>
    fetch(path.startsWith("http") ? path : origin + path, {
      method: body === undefined ? "GET" : "POST",
      ...init,
      headers: {
        "x-api-key": KEY,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...asOperator(init.headers),
        ...init.headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  const json: Harness["json"] = async (path, body, status = 200, init) => {
    const response = await call(path, body, init);
    const read = (await response.json()) as Json;
    if (response.status !== status) throw new Error(`${path}: ${response.status} ${JSON.stringify(read)}`);
    return read;
  };
  return {
    origin,
    gateway,
    simulator,
    upstream,
    store,
    call,
    json,
    async until(path, is) {
      const end = Date.now() + 15_000;
      for (;;) {
        const read = await json(path);
        if (is(read)) return read;
        if (Date.now() > end) throw new Error(`${path} never came to that: ${JSON.stringify(read)}`);
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
    },
    async money() {
      const account = await store.accounts.get("acc");
      return { balance: account?.balance ?? 0, held: account?.held ?? 0 };
    },
    async close() {
      await gateway.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await objects.close();
      await store.close();
      await simulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

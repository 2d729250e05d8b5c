import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulator, samples } from "@manifold-gateway/simulator";
import { afterAll, beforeAll, expect, it } from "vitest";
import embedded from "../../../apps/server/src/config/embedded.json" with { type: "json" };
import { embeddedConfig } from "../../../apps/server/src/config/embedded.ts";
import { ensureDevelopment } from "../../../apps/server/src/configured-accounts.ts";
import { type Host, startHost } from "../../../apps/server/src/host.ts";
import { silent } from "../../support/log.ts";

const KEY = "dev-key-0123456789-0123456789abcdef";
const simulator = createSimulator();
const folder = mkdtempSync(join(tmpdir(), "embedded-media-"));
const env = { PORT: "0", DATABASE_URL: `sqlite:${join(folder, "manifold.db")}`, MANIFOLD_DEV_KEY: KEY };
let host: Host;
beforeAll(async () => {
  const { origin } = await simulator.listen();
  const config = embeddedConfig(origin, env, { session: "s".repeat(64), seal: "a".repeat(64) });
  host = await startHost({
    config: { ...config, server: { ...config.server, port: 0 } },
    env: {},
    log: silent,
    prepare: async (store) => void (await ensureDevelopment(store, env, Date.now())),
  });
});
afterAll(async () => {
  await host.stop();
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at here
async function ask(path: string, body?: unknown): Promise<any> {
  const response = await fetch(host.origin + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "x-api-key": KEY, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const read = await response.json();
  expect(response.status, JSON.stringify(read)).toBeLessThan(300);
  return read;
}

const content = [{ type: "text", text: "A lighthouse." }];
const orders: Record<string, (model: string) => Promise<string>> = {
  image: async (model) => (await ask("/api/v1/image/generations", { model, content })).images[0].downloadUrl,
  video: async (model) =>
    read(`video/tasks/${(await ask("/api/v1/video/generations", { model, content })).taskId}`),
  audio: async (model) => {
    const voices = await ask(
      `/api/v1/audio/voices${model.startsWith("seed-tts") ? `?resourceId=${model}` : ""}`,
    );
    const body = { model, voiceType: voices.voices[0].voiceType, text: "Hello.", textPrompt: "Say hello." };
    const product = model.startsWith("seed-tts") ? "text-to-speech" : "generation-with-reference";
    return read(`audio/generations/${(await ask(`/api/v1/audio/${product}`, body)).generationId}`);
  },
};

async function read(path: string): Promise<string> {
  for (;;) {
    const { status, error, downloadUrl, audioUrl } = await ask(`/api/v1/${path}`);
    expect(error).toBeUndefined();
    if (status === "succeeded") return downloadUrl ?? audioUrl;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** What is asked for and answered at once, with what shows that it was made. */
const answered: Record<string, (model: string) => Promise<void>> = {
  embedding: async (model) => {
    const list = await ask("/api/chatstyle/v1/embeddings", { model, input: ["one", "two"] });
    expect(list.data).toHaveLength(2);
  },
  transcription: async (model) => {
    const heard = { type: "audioBase64", data: samples.mp3(3).toString("base64") };
    const { text } = await ask("/api/v1/audio/transcriptions", { model, content: [heard] });
    expect(text).toMatch(/\w/);
  },
  "sim-speech": async (model) => {
    const response = await fetch(`${host.origin}/api/chatstyle/v1/audio/speech`, {
      method: "POST",
      headers: { "x-api-key": KEY, "content-type": "application/json" },
      body: JSON.stringify({ model, input: "Hello.", voice: "alloy" }),
    });
    expect(response.headers.get("content-type")).toBe("audio/mpeg");
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
  },
};

const rows = Object.entries(embedded.models).flatMap(([id, model]) =>
  "output" in model ? [[id, String(model.output[0])] as const] : [],
);
it.concurrent.each(rows)(
  "without a configuration file, %s makes %s on the simulator",
  { timeout: 20_000 },
  async (model, output) => {
    const order = orders[output];
    const answer = answered[model] ?? answered[output];
    if (answer || !order) return answer?.(model);
    const url = await order(model);
    expect(url.startsWith(`${host.origin}/api/objects/`)).toBe(true);
    const file = await fetch(url);
    expect(file.headers.get("content-type")).toMatch(new RegExp(`^${output}/`));
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(100);
  },
);

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createSimulator } from "@manifold-gateway/simulator";

/** A llama.cpp server: the one at `LLAMACPP_ORIGIN`, else the simulator in its guise. */
export interface LocalServer {
  /** With the path that its endpoints stand below. */
  origin: string;
  /** A model that it serves, as it spells it. */
  model: string;
  /** Resolves when it works for nobody any more. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** What the guise serves: an id as a file has it. */
export const MODEL = "models/qwen3-4b-q4_k_m.gguf";
const CONTEXT = 8_192;

const listing = {
  object: "list",
  data: [
    {
      id: MODEL,
      object: "model",
      created: 1,
      owned_by: "llamacpp",
      meta: { n_ctx_train: 40_960, n_params: 4_022_468_096, size: 2_491_000_000 },
    },
  ],
};
const props = {
  default_generation_settings: { n_ctx: CONTEXT },
  total_slots: 1,
  model_path: `/srv/${MODEL}`,
  modalities: { vision: true, audio: false },
};

/** What each endpoint leaves unread of a body. */
const unread: Record<string, readonly string[]> = {
  "/v1/messages": ["output_config", "tool_choice"],
  "/v1/responses": ["text"],
};

export async function startLocalServer(): Promise<LocalServer> {
  const real = process.env.LLAMACPP_ORIGIN;
  return real ? realServer(real.replace(/\/+$/, "")) : guise();
}

async function realServer(origin: string): Promise<LocalServer> {
  const { data } = (await (await fetch(`${origin}/models`)).json()) as { data: { id: string }[] };
  const idle = async (): Promise<void> => {
    for (;;) {
      const slots = await (await fetch(new URL("/slots", origin))).json();
      if ((slots as { is_processing: boolean }[]).every((slot) => !slot.is_processing)) return;
    }
  };
  return { origin, model: data[0]!.id, idle, close: async () => {} };
}

async function guise(): Promise<LocalServer> {
  const simulator = createSimulator({ models: [MODEL] });
  const upstream = await simulator.listen(0);
  let running = 0;
  let rest: () => void = () => {};
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    for (const member of unread[request.url ?? ""] ?? []) delete body[member];
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const headers = { "content-type": "application/json", authorization: "Bearer k", "x-api-key": "k" };
    const answer = await fetch(upstream.origin + request.url, {
      method: "POST",
      headers: { ...headers, "anthropic-version": "2023-06-01" },
      body: JSON.stringify(body),
      signal: gone.signal,
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    for await (const piece of answer.body ?? []) response.write(piece);
    response.end();
  };
  const server = createServer((request, response) => {
    if (request.url === "/v1/models") return void response.end(JSON.stringify(listing));
    if (request.url === "/props") return void response.end(JSON.stringify(props));
    running += 1;
    forward(request, response)
      .catch(() => response.destroy())
      .finally(() => {
        running -= 1;
        if (running === 0) rest();
      });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    model: MODEL,
    idle: () =>
      new Promise((resolve) => {
        rest = resolve;
        if (running === 0) resolve();
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await simulator.close();
    },
  };
}

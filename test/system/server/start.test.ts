import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { createSimulator, type Simulator } from "@manifold-gateway/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BARE } from "../../support/environment.ts";
import { MAIN } from "../../support/program.ts";

const KEY = "dev-key-0123456789-0123456789abcdef";
/** What `npm start` runs once a source has changed. Tests of what follows a start run a bundle, which starts sooner. */
const SOURCE = resolve(import.meta.dirname, "../../../apps/server/src/main.ts");
let folder: string;
let simulator: Simulator;
let upstream: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "manifold-start-"));
  simulator = createSimulator();
  upstream = (await simulator.listen()).origin;
});
afterAll(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Running {
  child: ChildProcess;
  origin: string;
  output(): string;
  exited: Promise<number | null>;
}

async function start(
  args: string[],
  env: Record<string, string> = {},
  cwd = folder,
  program = MAIN,
): Promise<Running> {
  const child = spawn(process.execPath, ["--conditions=manifold", program, ...args], {
    cwd,
    env: { ...BARE, ...env },
  });
  let output = "";
  const exited = new Promise<number | null>((done) => child.once("exit", done));
  const origin = await new Promise<string>((done, fail) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const found = /listens on (http:\S+) /.exec(output);
      if (found?.[1]) done(found[1]);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", (code) => fail(new Error(`ended with ${code}: ${output}`)));
  });
  return { child, origin, output: () => output, exited };
}

function configFile(name: string): string {
  const file = join(folder, name);
  const config = {
    server: { port: 0, warmUp: 0 },
    store: `sqlite:${join(folder, `${name}.db`)}`,
    providers: { local: { protocol: "msgstyle", origin: upstream, key: "secret-of-upstream" } },
    models: {
      m1: { entries: [{ provider: "local", name: "sim-m1", priority: 1, price: { input: 1, output: 2 } }] },
    },
    accounts: { dev: { balance: 10, keys: { dev: "$" + "{DEV_KEY}" } } },
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

const ask = (origin: string, text = "hi", init: RequestInit = {}) =>
  fetch(`${origin}/api/chatstyle/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "m1", messages: [{ role: "user", content: text }], stream: true }),
    ...init,
  });

describe("npm start", () => {
  it("npm start without a file serves simulated models of every protocol with the key it keeps", async () => {
    const cwd = mkdtempSync(join(folder, "embedded-"));
    const host = await start([], { PORT: "0" }, cwd, SOURCE);
    // What is printed here ends in a log: the key is in a file for its owner alone.
    expect(host.output()).not.toContain("mfk_");
    const kept = join(cwd, "data/development.txt");
    const [key = ""] = /mfk_[0-9A-Za-z]+/.exec(readFileSync(kept, "utf8")) ?? [];
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    for (const model of ["sim-chat", "sim-responses", "sim-messages", "sim-generate"]) {
      const response = await fetch(`${host.origin}/api/msgstyle/v1/messages`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "application/json" },
        body: JSON.stringify({ model, max_tokens: 100, messages: [{ role: "user", content: "Hello" }] }),
      });
      expect([model, response.status]).toEqual([model, 200]);
      expect((await response.json()).content[0].text).toContain("You said: Hello");
    }
    host.child.kill("SIGTERM");
    expect(await host.exited).toBe(0);
    // The second start knows the key by its hash only.
    const again = await start([], { PORT: "0" }, cwd);
    expect(again.output()).not.toContain("mfk_");
    const models = await fetch(`${again.origin}/api/v1/ai/models`, { headers: { "x-api-key": key } });
    expect(models.status).toBe(200);
    again.child.kill("SIGTERM");
    expect(await again.exited).toBe(0);
    expect(again.output()).toContain("The development key and password are in data/development.txt.");
  });

  it("npm start keeps the development key where the port is in use, and says how to choose another", async () => {
    const cwd = mkdtempSync(join(folder, "busy-"));
    const busy = createServer().listen(0, "127.0.0.1");
    await once(busy, "listening");
    const { port } = busy.address() as AddressInfo;
    await expect(start([], { PORT: String(port) }, cwd)).rejects.toThrow(
      /in use; choose another port.* PORT/,
    );
    expect(readFileSync(join(cwd, "data/development.txt"), "utf8")).toMatch(/mfk_\w{49}\n.*password/);
    busy.close();
  });

  it("npm start listens on the port of its command line rather than that of a variable or the file", async () => {
    const cwd = mkdtempSync(join(folder, "port-"));
    const busy = createServer().listen(0, "127.0.0.1");
    await once(busy, "listening");
    const { port } = busy.address() as AddressInfo;
    const file = configFile("port.json");
    writeFileSync(file, readFileSync(file, "utf8").replace('"port":0', `"port":${port}`));
    for (const [words, env] of [
      [["--port", "0"], { PORT: String(port) }],
      [["start", "--port", "0", "--host", "localhost", "--config", file], { DEV_KEY: KEY }],
    ] as const) {
      const host = await start([...words], env, cwd);
      expect((await fetch(`${host.origin}/health`)).status).toBe(200);
      expect(new URL(host.origin).port).not.toBe(String(port));
      host.child.kill("SIGTERM");
      expect(await host.exited).toBe(0);
    }
    busy.close();
    await expect(start(["--port", "65536"], {}, cwd)).rejects.toThrow("--port: ");
  });

  it("npm start serves what an activated local server lists, free of charge", async () => {
    const cwd = mkdtempSync(join(folder, "local-"));
    const env = {
      PORT: "0",
      LLAMACPP_ORIGIN: `${upstream}/v1`,
      LLAMACPP_API_KEY: "any",
      MANIFOLD_DEV_KEY: KEY,
      VLLM_ORIGIN: "http://127.0.0.1:9",
    };
    const host = await start([], env, cwd);
    const response = await fetch(`${host.origin}/api/chatstyle/v1/chat/completions`, {
      method: "POST",
      headers: { "x-api-key": KEY, "content-type": "application/json" },
      body: JSON.stringify({ model: "sim-text", messages: [{ role: "user", content: "Hello" }] }),
    });
    expect((await response.json()).choices[0].message.content).toContain("You said: Hello");
    const balance = await fetch(`${host.origin}/api/compat/v1/balance`, { headers: { "x-api-key": KEY } });
    expect((await balance.json()).creditBalance).toBe(1000);
    host.child.kill("SIGTERM");
    expect(await host.exited).toBe(0);
  });

  it("npm start reads its variable file again at a signal", async () => {
    const cwd = mkdtempSync(join(folder, "variables-"));
    const file = join(cwd, "variables.env");
    const write = (text: string) => writeFileSync(file, text);
    write("OLLAMA_ORIGIN=\n");
    // What stands in the file goes before what the process was started with.
    const own = {
      OLLAMA_ORIGIN: "http://127.0.0.1:9",
      MANIFOLD_ENV_FILE: file,
      MANIFOLD_ADMIN_KEY: "start-admin-0123456789-0123456789ab",
    };
    const host = await start([], { PORT: "0", MANIFOLD_DEV_KEY: KEY, ...own }, cwd);
    const status = async (): Promise<number> => {
      const body = JSON.stringify({ model: "sim-text", messages: [{ role: "user", content: "Hello" }] });
      const headers = { "x-api-key": KEY, "content-type": "application/json" };
      const url = `${host.origin}/api/chatstyle/v1/chat/completions`;
      return (await fetch(url, { method: "POST", headers, body })).status;
    };
    const reload = async (text: string): Promise<string> => {
      const before = host.output().length;
      write(text);
      host.child.kill("SIGHUP");
      for (;;) {
        const line = host
          .output()
          .slice(before)
          .split("\n")
          .find((one) => /config reload/.test(one));
        if (line !== undefined) return line;
        await once(host.child.stderr as Readable, "data");
      }
    };
    expect(host.output()).not.toContain("127.0.0.1:9 ");
    expect(await status()).toBe(400);
    expect(await reload(`LLAMACPP_ORIGIN="${upstream}/v1"\n# no key yet\n`)).toContain("did not list");
    expect(await status()).toBe(400);
    const both = `LLAMACPP_ORIGIN=${upstream}/v1\nLLAMACPP_API_KEY=any\n`;
    expect(await reload(both)).toContain("sim-text");
    expect(await status()).toBe(200);
    expect(await reload("LLAMACPP_ORIGIN=http://local.example\n")).toContain("failed");
    expect(await status()).toBe(200);
    const read = await fetch(`${host.origin}/api/admin/config/reloads`, {
      headers: { "x-admin-key": own.MANIFOLD_ADMIN_KEY },
    });
    const refused = {
      by: "signal",
      isApplied: false,
      findings: [expect.stringContaining("LLAMACPP_ORIGIN")],
    };
    expect(await read.json()).toMatchObject({ reloads: [refused] });
    await reload("");
    expect(await status()).toBe(400);
    host.child.kill("SIGTERM");
    expect(await host.exited).toBe(0);
  });

  it("npm start says which variable file it cannot find", async () => {
    await expect(start([], { MANIFOLD_ENV_FILE: "none.env" })).rejects.toThrow(
      /MANIFOLD_ENV_FILE: none\.env: no such file/,
    );
  });

  it("npm start with a file serves its models; a stop lets a running stream end", async () => {
    const host = await start(["--config", configFile("a.json")], { DEV_KEY: KEY });
    const response = await ask(host.origin, `${"long ".repeat(60)}[[fault:slow=5]]`);
    const reader = response.body?.getReader();
    await reader?.read();
    host.child.kill("SIGTERM");
    let text = "";
    const decoder = new TextDecoder();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      text += decoder.decode(part.value);
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(await host.exited).toBe(0);
    expect(host.output()).not.toContain("secret-of-upstream");
  });

  it("npm start stops at once with what is wrong in the file", async () => {
    const file = join(folder, "wrong.json");
    writeFileSync(file, JSON.stringify({ server: { prot: 1 } }));
    await expect(start(["--config", file], {}, folder, SOURCE)).rejects.toThrow(
      /wrong\.json cannot be used:[\s\S]*server.*prot/,
    );
  });
});

describe("the server's socket", () => {
  let host: Running;
  beforeAll(async () => {
    host = await start(["--config", configFile("b.json")], { DEV_KEY: KEY });
  });
  afterAll(async () => {
    host.child.kill("SIGTERM");
    await host.exited;
  });

  /** What one connection answers to raw text, up to its end or `enough`. */
  const raw = (text: string, enough: (answer: string) => boolean): Promise<string> =>
    new Promise((done, fail) => {
      const { hostname, port } = new URL(host.origin);
      const socket = connect(Number(port), hostname, () => socket.write(text));
      let answer = "";
      socket.on("data", (chunk) => {
        answer += chunk.toString();
        if (enough(answer)) socket.destroy();
      });
      socket.on("close", () => done(answer));
      socket.on("error", fail);
    });

  it.each([
    ["no HTTP at all", "nonsense\r\n\r\n", 400],
    ["headers that are too large", `GET / HTTP/1.1\r\nhost: x\r\nx: ${"y".repeat(20_000)}\r\n\r\n`, 431],
  ])("the socket answers %s in the envelope", async (_, text, status) => {
    const answer = await raw(text, () => false);
    expect(answer).toContain(`HTTP/1.1 ${status}`);
    expect(JSON.parse(answer.slice(answer.indexOf("{")))).toMatchObject({ status, success: false });
  });

  it.each([
    ["401", "POST /api/chatstyle/v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}"],
    ["404", "POST /nothing HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}"],
    [
      "400",
      `POST /api/chatstyle/v1/chat/completions HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEY}\r\ncontent-length: 2\r\n\r\n{}`,
    ],
  ])(
    "after a %s the next request on the connection is answered, or the connection closes",
    async (status, first) => {
      const second = "HEAD /api/chatstyle HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
      const answer = await raw(first + second, () => false);
      expect(answer).toContain(`HTTP/1.1 ${status}`);
      expect(/HTTP\/1\.1 200/.test(answer) || /connection: close/i.test(answer)).toBe(true);
    },
  );

  it("the host of an absolute target is ignored", async () => {
    const answer = await raw(
      "GET http://evil.test/api/v1/ai/models HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
      () => false,
    );
    expect(answer).toContain("HTTP/1.1 401");
  });
});

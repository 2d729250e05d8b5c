import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PLACE } from "../store/databases/place.ts";
import { BARE } from "../support/environment.ts";
import { MAIN } from "../support/program.ts";

export const PASSWORD = "a password of the tests";
export const KEY = "console-key-0123456789-0123456789abcdef";
export const ADMIN = "operator-credential-0123456789abcdef";

export interface Console {
  origin: string;
  /** What the start printed: the address that signs in once. */
  link: string;
  /** One chat request with the account's key, to the end of its answer; its generation's id. */
  chat(model?: string, words?: string): Promise<string>;
  /** Its folder goes as well, unless it is kept. */
  stop(keeps?: "folder"): Promise<void>;
  /** Where it runs, and all that it has printed. */
  cwd: string;
  output(): string;
}

/** The bundled server as `npm start` runs it, in a folder of its own. */
export async function startConsole(
  env: Record<string, string> = {},
  words: readonly string[] = [],
  cwd = mkdtempSync(join(PLACE, "manifold-console-")),
): Promise<Console> {
  const child = spawn(process.execPath, ["--conditions=manifold", MAIN, ...words], {
    cwd,
    env: {
      ...BARE,
      PORT: "0",
      MANIFOLD_DEV_KEY: KEY,
      MANIFOLD_DEV_PASSWORD: PASSWORD,
      MANIFOLD_ADMIN_KEY: ADMIN,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const link = await new Promise<string>((found, failed) => {
    const read = (chunk: Buffer): void => {
      output += chunk;
      const [, address] = /Open (http:\S+)/.exec(output) ?? [];
      if (address) found(address);
      if (output.includes("the console is not built")) failed(new Error(output));
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code) => failed(new Error(`the server ended with ${code}: ${output}`)));
  });
  const { origin } = new URL(link);
  return {
    origin,
    link,
    cwd,
    output: () => output,
    async chat(model = "sim-chat", words = "Hello") {
      const response = await fetch(`${origin}/api/chatstyle/v1/chat/completions`, {
        method: "POST",
        headers: { "x-api-key": KEY, "content-type": "application/json" },
        body: JSON.stringify({ model, messages: [{ role: "user", content: words }], seed: 7 }),
      });
      await response.text();
      return response.headers.get("x-generation-id") ?? "";
    },
    async stop(keeps) {
      const ended = once(child, "close");
      child.kill("SIGTERM");
      await ended;
      if (keeps === undefined) rmSync(cwd, { recursive: true, force: true });
    },
  };
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BARE } from "../support/environment.ts";
import { MAIN } from "../support/program.ts";

const KEY = "dev-key-0123456789-0123456789abcdef";

/** The bundled server as its first start leaves it, in a folder of its own, with a key named `dev`. */
export interface Served {
  origin: string;
  key: string;
  folder: string;
  /** What a command in the folder needs to find the same database. */
  env: Record<string, string>;
  /** Resolves with the first line of its log that is right. */
  logged(isRight: (line: string) => boolean): Promise<string>;
  close(): Promise<void>;
}

export async function serve(): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), "manifold-docs-"));
  const env = { ...BARE, PORT: "0", MANIFOLD_DEV_KEY: KEY };
  const child = spawn(process.execPath, ["--conditions=manifold", MAIN], {
    cwd: folder,
    env,
  });
  const exited = once(child, "exit");
  let output = "";
  const origin = await new Promise<string>((done, fail) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const found = /listens on (http:\S+) /.exec(output);
      if (found?.[1]) done(found[1]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code) => fail(new Error(`ended with ${code}: ${output}`)));
  });
  return {
    origin,
    key: KEY,
    folder,
    env,
    logged: (isRight) =>
      new Promise((done) => {
        const look = (): void => {
          const found = output.split("\n").slice(0, -1).find(isRight);
          if (found === undefined) child.stderr.once("data", () => setImmediate(look));
          else done(found);
        };
        look();
      }),
    async close() {
      child.kill();
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

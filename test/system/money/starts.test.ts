import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makePostgres } from "../../store/databases/postgres.ts";
import { BARE } from "../../support/environment.ts";
import { MAIN } from "../../support/program.ts";

const PROCESSES = 2;

interface Started {
  child: ChildProcess;
  origin: string;
  /** What it has said so far. */
  output(): string;
}

/** One gateway without a file. */
async function start(cwd: string, env: Record<string, string>): Promise<Started> {
  const child = spawn(process.execPath, ["--conditions=manifold", MAIN], {
    cwd,
    env: { ...BARE, PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const origin = await new Promise<string>((found, failed) => {
    const read = (chunk: Buffer): void => {
      output += chunk;
      const [, address] = /listens on (http:\S+) /.exec(output) ?? [];
      if (address) found(address);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code) => failed(new Error(`a gateway ended with ${code}: ${output}`)));
  });
  return { child, origin, output: () => output };
}

describe("gateways that start at once on one empty Postgres", () => {
  it.each<[string, { MANIFOLD_DEV_KEY?: string; MANIFOLD_DEV_PASSWORD?: string }]>([
    [
      "that their environment chooses",
      { MANIFOLD_DEV_KEY: "dev-key-0123456789-0123456789abcdef", MANIFOLD_DEV_PASSWORD: "chosen-password" },
    ],
    ["that one of them makes", {}],
  ])(
    "gateways that start at once make one account, with the key and the password %s",
    { timeout: 60_000 },
    async (_, chosen) => {
      const database = await makePostgres();
      const cwd = mkdtempSync(join(tmpdir(), "manifold-starts-"));
      const env = { ...chosen, DATABASE_URL: database.location };
      const starts = await Promise.allSettled(Array.from({ length: PROCESSES }, () => start(cwd, env)));
      const started = starts.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      const stop = async (): Promise<void> => {
        for (const { child } of started.filter((one) => one.child.exitCode === null)) {
          const ended = once(child, "close");
          child.kill("SIGTERM");
          await ended;
        }
      };
      try {
        expect(starts.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []))).toEqual([]);
        // Whichever of them made one has put it here.
        const kept = join(cwd, "data/development.txt");
        const text = () => (existsSync(kept) ? readFileSync(kept, "utf8") : "");
        const keys = () => [...text().matchAll(/Development key \(shown once\): (\S+)\n/g)];
        const passwords = () => [...text().matchAll(/with the password \(shown once\): (\S+)\n/g)];
        const made = "MANIFOLD_DEV_KEY" in chosen ? 0 : 1;
        expect([keys().length, passwords().length]).toEqual([made, made]);
        const key = keys()[0]?.[1] ?? chosen.MANIFOLD_DEV_KEY;
        const password = passwords()[0]?.[1] ?? chosen.MANIFOLD_DEV_PASSWORD;
        for (const { origin } of started) {
          const balance = await fetch(`${origin}/api/compat/v1/balance`, { headers: { "x-api-key": key! } });
          expect([balance.status, (await balance.json()).creditBalance]).toEqual([200, 1_000]);
          const session = await fetch(`${origin}/api/auth/sign-in`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ account: "dev", password }),
          });
          expect(session.status).toBe(200);
        }
        const rows = await database.execute(
          `SELECT (SELECT count(*) FROM accounts WHERE name = 'dev')::int AS accounts,
          (SELECT count(*) FROM api_keys)::int AS keys, (SELECT count(*) FROM transfers)::int AS transfers`,
        );
        expect(rows).toEqual([{ accounts: 1, keys: 1, transfers: 1 }]);
        const store = await database.open();
        expect(await store.money.audit()).toEqual([]);
        await store.close();
        await stop();
        expect([keys().length, passwords().length]).toEqual([made, made]);
        expect(started.some(({ output }) => output().includes(String(key)))).toBe(false);
      } finally {
        await stop();
        await database.drop();
        rmSync(cwd, { recursive: true, force: true });
      }
    },
  );
});

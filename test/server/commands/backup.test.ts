import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKeyVault } from "@manifold-gateway/gateway/admin";
import { lookupHash, mintKey, openSqlite, prefixOf } from "@manifold-gateway/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toSeal } from "../../../apps/server/src/config/build.ts";
import { ensureSecrets } from "../../../apps/server/src/config/secrets.ts";
import type { Database } from "../../store/databases/database.ts";
import { makeCaller, NOW } from "../../store/fixtures.ts";
import { startChild } from "../../store/processes.ts";
import { runCommand } from "../../support/commands.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "manifold-backup-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inFolder = (...names: string[]): string => join(folder, ...names);
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** What `backup` prints for an installation without a file, or with one. */
async function backup(target: string, env: Record<string, string>, config?: string): Promise<string[]> {
  const { code, lines } = await runCommand(["backup", target, ...(config ? ["--config", config] : [])], {
    env,
  });
  expect(code).toBe(0);
  return lines;
}

describe("a backup of a database in use", () => {
  it("a backup is one state of the database, can be restored, and has the secrets that reveal its keys", async () => {
    mkdirSync(inFolder("data"));
    const location = inFolder("data", "manifold.db");
    const env = { DATABASE_URL: `sqlite:${location}` };
    const seals = () => createKeyVault([toSeal(ensureSecrets(inFolder("data", "secrets.json")).seal)])!;
    const key = mintKey();
    const store = await openSqlite({ path: location });
    const caller = await makeCaller(store, { credit: 1e9, caps: { total: 1e9 } });
    await store.keys.create({
      ...{ id: "sealed", accountId: caller.accountId, name: "ci", at: NOW },
      ...{ prefix: prefixOf(key), hash: lookupHash(key), sealed: seals().seal(key, "sealed") },
    });
    const child = await startChild({ dialect: "sqlite", location } as Database, "work", caller);
    child.start();
    const settled: string[] = [];
    let copied: number | undefined;
    let copying: Promise<string[]> | undefined;
    for await (const line of child.lines) {
      settled.push(line.split(" ")[1]!);
      if (settled.length === 100) {
        copied = settled.length;
        copying = backup(inFolder("kept"), env);
        await copying;
      }
      if (settled.length === 300) await child.kill();
    }
    await store.close();
    const lines = await copying!;
    expect(lines).toEqual([
      expect.stringMatching(/kept\/manifold\.db: \d+ bytes, checked$/),
      inFolder("kept", "secrets.json"),
      `Files are not included. Copy them after the database: cp -R ${inFolder("data", "objects")} ${inFolder("kept", "objects")}`,
    ]);
    expect(readdirSync(inFolder("kept")).sort()).toEqual(["manifold.db", "secrets.json"]);
    expect(readdirSync(folder).sort()).toEqual(["data", "kept"]);
    expect(modeOf(inFolder("kept"))).toBe("700");
    for (const name of ["manifold.db", "secrets.json"]) expect(modeOf(inFolder("kept", name))).toBe("600");

    // The restore, as it is documented.
    rmSync(inFolder("data"), { recursive: true });
    cpSync(inFolder("kept"), inFolder("data"), { recursive: true });
    const restored = await openSqlite({ path: location });
    await restored.money.recover(Date.now());
    expect(await restored.money.audit()).toEqual([]);
    const { accountId } = caller;
    expect((await restored.accounts.get(accountId))?.held).toBe(0);
    for (const id of settled.slice(0, copied))
      expect(await restored.generations.get({ id, accountId })).toMatchObject({ cost: 7 });
    const sealed = await restored.keys.sealed({ accountId, id: "sealed" });
    expect(seals().open(sealed!, "sealed")).toBe(key);
    await restored.close();
  });
});

it("a backup overwrites nothing", async () => {
  await (await openSqlite({ path: inFolder("data", "manifold.db") })).close();
  const env = { DATABASE_URL: `sqlite:${inFolder("data", "manifold.db")}` };
  writeFileSync(inFolder("file"), "mine");
  mkdirSync(inFolder("empty"));
  for (const name of ["file", "empty"])
    await expect(backup(inFolder(name), env)).rejects.toThrow("overwrites nothing");
  expect(readFileSync(inFolder("file"), "utf8")).toBe("mine");
  expect(readdirSync(inFolder("empty"))).toEqual([]);
  await expect(backup(inFolder("no", "such"), env)).rejects.toThrow(
    "cannot be made: the folder around it does not exist",
  );
});

it("a damaged database is not backed up", async () => {
  const location = inFolder("data", "manifold.db");
  const store = await openSqlite({ path: location });
  for (let made = 0; made < 20; made++) await makeCaller(store);
  await store.close();
  const file = openSync(location, "r+");
  for (let page = 2; page < 20; page++) writeSync(file, Buffer.alloc(64, 255), 0, 64, page * 4_096);
  closeSync(file);
  await expect(backup(inFolder("kept"), { DATABASE_URL: `sqlite:${location}` })).rejects.toThrow(
    /damaged|malformed/,
  );
  expect(existsSync(inFolder("kept"))).toBe(false);
  expect(readdirSync(folder)).toEqual(["data"]);
});

it("a backup with a file says what belongs to it", async () => {
  const config = inFolder("manifold.json");
  await (await openSqlite({ path: inFolder("own.db") })).close();
  writeFileSync(
    config,
    JSON.stringify({ store: `sqlite:${inFolder("own.db")}`, objects: "s3:films?region=x" }),
  );
  expect(await backup(inFolder("kept"), {}, config)).toEqual([
    expect.stringMatching(/kept\/own\.db: \d+ bytes, checked$/),
    `Store with it: ${config}, and the secrets in its variables.`,
    "Files are in s3:films, which keeps them by itself.",
  ]);
  expect(readdirSync(inFolder("kept"))).toEqual(["own.db"]);
});

it.each([
  ["sqlite::memory:", /in memory/],
  ["sqlite:/nowhere/manifold.db", /no database at \/nowhere\/manifold\.db/],
  ["postgres://ada:s3cret@db.example:5432/books?sslmode=require", /pg_dump --format=custom/],
])("a backup of %s is refused with what can be done", async (store, message) => {
  const config = inFolder("manifold.json");
  writeFileSync(config, JSON.stringify({ store }));
  const refused = await backup(inFolder("it's here"), {}, config).catch((error: Error) => error.message);
  expect(refused).toMatch(message);
  expect(refused).not.toContain("s3cret");
  if (store.startsWith("postgres")) {
    expect(refused).toContain("'postgres://ada@db.example:5432/books?sslmode=require'");
    expect(refused).toContain(`'${folder}/it'\\''s here'`);
  }
});

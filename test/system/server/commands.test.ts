import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKeyVault } from "@manifold-gateway/gateway/admin";
import { isKey, lookupHash, openSqlite } from "@manifold-gateway/store";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureSecrets } from "../../../apps/server/src/config/secrets.ts";
import { linesOf, runCommand } from "../../support/commands.ts";
import { BARE } from "../../support/environment.ts";
import { MAIN } from "../../support/program.ts";

let folder: string;
let file: string;
let database: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "manifold-commands-"));
  file = join(folder, "manifold.json");
  database = join(folder, "store.db");
  writeFileSync(
    file,
    JSON.stringify({ store: `sqlite:${database}`, keyEncryptionSecrets: ["ab".repeat(32)] }),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const manifold = (line: string, input = "") => runCommand([...line.split(" "), "--config", file], { input });

/** The same as a process of its own. */
const spawned = (line: string) =>
  new Promise<{ code: number | null; lines: ReturnType<typeof linesOf>; errors: string }>((done) => {
    const words = [...line.split(" "), "--config", file];
    const child = spawn(process.execPath, ["--conditions=manifold", MAIN, ...words], {
      env: BARE,
    });
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    child.once("close", (code) => done({ code, errors, lines: linesOf(output) }));
  });

describe("the operator's commands", () => {
  it("the commands make accounts, give credit once for each reference, and show both", async () => {
    const made = await manifold("accounts create Ada --id ada");
    expect([made.code, made.lines]).toEqual([0, [expect.objectContaining({ id: "ada", name: "Ada" })]]);
    await expect(manifold("accounts create Other --id ada")).rejects.toThrow("id 'ada'");
    await expect(manifold("accounts create Ada")).rejects.toThrow(
      "an account named 'Ada', ada; with an --id",
    );
    const credit = () => manifold("accounts credit Ada 2.5 --reference invoice-1");
    expect((await credit()).lines).toMatchObject([{ id: "ada", creditBalance: 2.5, credited: true }]);
    expect((await credit()).lines).toMatchObject([{ creditBalance: 2.5, credited: false }]);
    expect((await manifold("accounts list")).lines).toMatchObject([{ id: "ada", creditBalance: 2.5 }]);
    expect((await manifold("accounts ledger ada")).lines).toMatchObject([{ id: "invoice-1", amount: 2.5 }]);
  });

  it("the commands refund a charge once", async () => {
    await expect(manifold("accounts refund ada nothing")).rejects.toThrow("no such generation");
    const store = await openSqlite({ path: database });
    const generation = { id: "gen", accountId: "ada", modality: "text", model: "m" } as const;
    await store.money.reserve({ generation, amount: 9, at: Date.now(), policy: "strict" });
    await store.money.settle({ id: "gen", status: "succeeded", cost: 500_000 });
    await store.close();
    const refund = () => manifold("accounts refund ada gen 0.2");
    expect((await refund()).lines).toMatchObject([{ creditBalance: 2.2, amount: 0.2, refunded: true }]);
    expect((await refund()).lines).toMatchObject([{ creditBalance: 2.2, refunded: false }]);
    await expect(manifold("accounts refund ada gen 0.6")).rejects.toThrow("was charged 0.5 USD");
  });

  it("the commands set a password that is never on the command line", async () => {
    expect((await manifold("accounts password ada --login ada", "correct horse")).lines).toEqual([
      { id: "ada", login: "ada" },
    ]);
    await expect(manifold("accounts password ada", "short")).rejects.toThrow("the password: ");
    await expect(manifold("accounts password ada", "x".repeat(257))).rejects.toThrow("the password: ");
    const store = await openSqlite({ path: database });
    expect((await store.accounts.findLogin("ada"))?.passwordHash).toMatch(/^\$argon2id\$/);
    await store.close();
  });

  it("the commands make, cap and revoke keys", async () => {
    const { lines } = await manifold("keys create ada ci --daily 1.5");
    const [{ key, ...shown }] = lines as [{ key: string; id: string }];
    expect(isKey(key)).toBe(true);
    expect((await manifold("keys list ada")).lines).toEqual([shown]);
    expect((await manifold("keys limit ada ci --daily none --total 3")).lines).toEqual([
      { id: shown.id, name: "ci", isActive: true, total: { limit: 3, spent: 0, remaining: 3 } },
    ]);
    const asked = "--requests-per-minute 60 --models sim-*,other --expires-at 2030-01-01";
    expect((await manifold(`keys restrict ada ci ${asked}`)).lines).toMatchObject([
      {
        restrictions: {
          requestsPerMinute: 60,
          models: ["sim-*", "other"],
          expiresAt: "2030-01-01T00:00:00.000Z",
        },
      },
    ]);
    await manifold("keys restrict ada ci --models none --expires-at none");
    expect((await manifold("keys list ada")).lines).toMatchObject([
      { restrictions: { requestsPerMinute: 60 } },
    ]);
    const store = await openSqlite({ path: database });
    expect(await store.keys.find(lookupHash(key))).toMatchObject({ isActive: true });
    const sealed = await store.keys.sealed({ accountId: "ada", id: shown.id });
    expect(sealed && createKeyVault([Buffer.from("ab".repeat(32), "hex")])?.open(sealed, shown.id)).toBe(key);
    expect((await manifold("keys revoke ada ci")).code).toBe(0);
    expect(await store.keys.find(lookupHash(key))).toBeUndefined();
    await store.close();
    await expect(manifold("keys revoke ada ci")).rejects.toThrow("no key 'ci'");
  });

  it("the audit command writes sums of hours anew where it is told to", async () => {
    const store = await openSqlite({ path: database });
    const generation = { id: "h", accountId: "ada", modality: "text", model: "m", price: {} } as const;
    await store.money.reserve({ generation, amount: 0, at: Date.now(), policy: "strict" });
    await store.money.settle({ id: "h", cost: 0, status: "succeeded", usage: {} });
    await store.close();
    const file = new Sqlite(database);
    file.exec("DELETE FROM hourly_sums");
    file.close();
    expect((await manifold("audit")).code).toBe(1);
    expect(await manifold("audit --repair")).toMatchObject({
      code: 0,
      lines: ["1 sums of hours were recomputed", "no difference"],
    });
  });

  it("the audit command exits with 1 and shows the difference where there is one", async () => {
    expect(await manifold("audit")).toMatchObject({ code: 0, lines: ["no difference"] });
    const store = await openSqlite({ path: database });
    await store.money.reserve({
      generation: { id: "g", accountId: "ada", modality: "text", model: "m", price: { output: 1_000_000 } },
      amount: 5,
      at: Date.now(),
      policy: "strict",
    });
    await store.money.settle({ id: "g", cost: 5, status: "succeeded", usage: { output: 4 } });
    await store.close();
    expect(await spawned("audit")).toEqual({
      code: 1,
      lines: [
        { invariant: "a charge is what its usage costs at its price", subject: "g", expected: 4, actual: 5 },
      ],
      errors: "",
    });
  });

  it.each([
    ["accounts", "create [options] <name>"],
    ["accounts toString", "unknown command 'toString'"],
    ["accounts lsit", "Did you mean list?"],
    ["accounts list --jsno", "Did you mean --json?"],
    ["accounts list ada", "too many arguments"],
    ["accounts list --daily 3", "unknown option '--daily'"],
    ["accounts credit ada five", "USD: must be an amount"],
    ["accounts refund ada", "missing required argument 'generation'"],
    ["accounts credit ada 5 --kind gift", "--kind is"],
    ["accounts credit ada 5 --reference charge:1", "--reference: must not"],
    ["accounts credit ada 5 --reference ", "--reference: must be"],
    ["accounts credit ada 0.0000001", "USD: "],
    ["accounts credit ada 1e300", "USD: "],
    ["accounts refund ada gen Infinity", "USD: "],
    ["accounts create Revenue --id revenue", "--id: is reserved for the ledger"],
    ["accounts create Odd --id a/b", "--id: must be"],
    [`accounts create ${"x".repeat(65)}`, "NAME: "],
    [`keys create ada ${"x".repeat(65)}`, "NAME: "],
    ["accounts password ada --login ", "--login: must be"],
    ["accounts ledger nobody", "no account 'nobody'"],
    ["keys list", "See 'manifold keys list --help'"],
    ["keys limit ada ci --daily much", "--daily is an amount"],
    ["keys restrict ada ci --requests-per-minute many", "--requests-per-minute: "],
    ["keys restrict ada ci --surfaces soap", "--surfaces: "],
  ])("the commands say how '%s' is meant", async (line, expected) => {
    await expect(manifold(line)).rejects.toThrow(expected);
  });

  it.each([
    ["frobnicate", 2, "unknown command 'frobnicate'"],
    ["audit --frob", 2, "--frob"],
    ["accounts ledger nobody", 1, "no account 'nobody'"],
  ])(
    "the command '%s' ends with exit code %i and one explanation, without a stack",
    async (line, expectedCode, expected) => {
      const { code, errors } = await spawned(line);
      expect(code).toBe(expectedCode);
      expect(errors).toContain(expected);
      expect(errors).not.toMatch(/\n\s+at /);
    },
  );
});

it("the secrets of an installation are made once, readable by their owner only", () => {
  const path = join(folder, "made", "secrets.json");
  const made = ensureSecrets(path);
  expect(made.seal).toMatch(/^[0-9a-f]{64}$/);
  expect(made.session).not.toBe(made.seal);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  chmodSync(path, 0o644);
  expect(ensureSecrets(path)).toEqual(made);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

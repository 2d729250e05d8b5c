import { inspectDatabase, openPostgres, problemOfPostgres } from "@manifold-gateway/store";
import { describe, expect, it } from "vitest";
import { describeFault } from "../../../packages/store/src/engine/connect-hints.ts";
import { toDriver } from "../../../packages/store/src/engine/postgres-address.ts";
import { makePostgres } from "../databases/postgres.ts";

describe("the address of a Postgres", () => {
  it.each([
    "postgres://user:secret@host:5432/database",
    "postgresql://user:p%23@host/database?sslmode=verify-full&sslrootcert=/etc/ca.pem&application_name=a",
    "postgres://user@/database?host=/var/run/postgresql",
    "postgres://user@host/database?sslmode=require&uselibpqcompat=true",
  ])("%s is taken", (url) => {
    expect(problemOfPostgres(url)).toBeUndefined();
  });

  it.each<[string, string, RegExp]>([
    ["a misspelt option", "postgres://u:hunter22@h/d?ssl_mode=require", /no option 'ssl_mode'.* sslmode, /],
    [
      "an unknown mode",
      "postgres://u:hunter22@h/d?sslmode=verify_full",
      /'sslmode' must be .*, verify-full$/,
    ],
    ["an unescaped password", "postgres://u:hunter22#1@h:5432/d", /in the password, # is written %23/],
    ["several hosts", "postgres://u:hunter22@h1:5432,h2:5432/d", /with one host/],
    ["a port beyond all", "postgres://u:hunter22@h:77011/d", /must be postgres:/],
  ])("%s is a problem, which does not repeat the password", (_, url, problem) => {
    expect(problemOfPostgres(url)).toMatch(problem);
    expect(problemOfPostgres(url)).not.toContain("hunter22");
  });

  it("modes of TLS that check less elsewhere become the one that checks everything", () => {
    const url = "postgres://h/d?a=b&sslmode=require";
    expect(toDriver(url)).toBe("postgres://h/d?a=b&sslmode=verify-full");
    expect(toDriver(`${url}&uselibpqcompat=true`)).toBe(`${url}&uselibpqcompat=true`);
    for (const mode of ["disable", "no-verify", "verify-full"])
      expect(toDriver(`postgres://h/d?sslmode=${mode}`)).toBe(`postgres://h/d?sslmode=${mode}`);
  });
});

const fault = (message: string, code = ""): Error => Object.assign(new Error(message), { code });

describe("a database that is not reached", () => {
  it.each<[string, Error, RegExp]>([
    ["an authority", fault("unable to verify", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"), /sslrootcert=FILE$/],
    ["the name", fault("no match", "ERR_TLS_CERT_ALTNAME_INVALID"), /^no match; name the server/],
    ["TLS", fault('no pg_hba.conf entry for host "::1", no encryption', "28000"), /sslmode=verify-full/],
    ["anything else", fault('database "x" does not exist', "3D000"), /^database "x" does not exist$/],
  ])("says what is missing: %s", (_, error, text) => {
    expect(describeFault(error)).toMatch(text);
  });

  it("is told by a look and by a start if the password is missing", async () => {
    const database = await makePostgres();
    const { href } = Object.assign(new URL(database.location), { password: "" });
    for (const attempt of [() => inspectDatabase(href), () => openPostgres({ url: href })])
      await expect(attempt()).rejects.toThrow(/asks for a password.*PGPASSWORD/);
    await database.drop();
  });
});

describe("a look at an empty Postgres", () => {
  it("finds it empty, and how many connections there are for how many", async () => {
    const database = await makePostgres();
    const found = await inspectDatabase(database.location);
    expect(found).toMatchObject({ exists: false, connections: { ofProcess: 13 } });
    expect(found.connections?.granted).toBeGreaterThan(13);
    await (await database.open()).close();
    expect(await inspectDatabase(database.location)).toMatchObject({ exists: true, pending: 0 });
    await database.drop();
  });

  it("finds and says at a start that its user may make no tables, and how few connections it has", async () => {
    const database = await makePostgres();
    const user = `poor_${new URL(database.location).searchParams.get("application_name")}`;
    const [{ schema }] = (await database.execute("SELECT current_schema() AS schema")) as [
      { schema: string },
    ];
    await database.execute(`CREATE ROLE ${user} LOGIN PASSWORD 'poor' CONNECTION LIMIT 3`);
    await database.execute(`GRANT USAGE ON SCHEMA ${schema} TO ${user}`);
    const { href } = Object.assign(new URL(database.location), { username: user, password: "poor" });
    expect(await inspectDatabase(href)).toMatchObject({
      refusal: expect.stringMatching(/may not make any; let the user own the database/),
      connections: { granted: 3 },
    });
    await expect(openPostgres({ url: href, connections: 1 })).rejects.toThrow(
      /permission denied for schema .*; let the user own the database/,
    );
    await database.execute(`DROP OWNED BY ${user}`);
    await database.execute(`DROP ROLE ${user}`);
    await database.drop();
  });
});

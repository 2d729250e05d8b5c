import { createHmac, generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, type JWTPayload, SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cookieSessions } from "../../../packages/gateway/src/account/sessions.ts";
import { useDatabases } from "./databases.ts";
import { AUDIENCE, type Desk, ISSUER, NOON, openDesk, PASSWORD, SECRET } from "./desk.ts";

const BALANCE = "/api/compat/v1/balance";
const seconds = NOON / 1000;
const secret = new TextEncoder().encode(SECRET);
const claims = { sub: "acc", iss: ISSUER, aud: AUDIENCE, iat: seconds, exp: seconds + 600 };

const sign = (
  payload: JWTPayload,
  header: Record<string, unknown> = {},
  key: Parameters<SignJWT["sign"]>[0] = secret,
) => new SignJWT(payload).setProtectedHeader({ alg: "HS256", typ: "JWT", ...header }).sign(key);

const bearer = (desk: Desk, token: string, path = BALANCE, method = "GET") =>
  desk.send(method, path, { headers: { authorization: `Bearer ${token}` } });

describe("session tokens", () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk();
    await desk.store.accounts.ensure({ id: "gone", name: "Gone", at: NOON });
    await desk.store.accounts.change("gone", { isActive: false });
  });
  afterAll(() => desk.close());

  it("a token is accepted when everything about it is right", async () => {
    expect((await bearer(desk, await sign(claims))).status).toBe(200);
    expect((await bearer(desk, await sign({ ...claims, aud: ["other", AUDIENCE] }))).status).toBe(200);
  });

  it("a token is as old as its time of issue, whatever other claims of its issuer say", async () => {
    for (const auth_time of [seconds - 86_400, seconds + 86_400, "yesterday"])
      expect((await bearer(desk, await sign({ ...claims, auth_time }))).status).toBe(200);
  });

  it("a renewed session of a browser lasts longer, is as old as before, and ends by the same id", async () => {
    let now = NOON;
    const options = { key: { secret: SECRET }, issuer: ISSUER, audience: AUDIENCE };
    const sessions = cookieSessions(options, () => now)!;
    const first = await sessions.issue!("acc");
    now += 6 * 3_600_000;
    const second = (await sessions.renew!(first.token))!;
    now += 6 * 3_600_000 + 10_000;
    const third = (await sessions.renew!(second.token))!;
    const [before, after] = [await sessions.verify(second.token), await sessions.verify(third.token)];
    expect(after).toEqual({ ...before, until: now + 12 * 3_600_000 });
    expect(after?.issuedAt).toBe(NOON);
    expect(await sessions.verify(first.token)).toBeUndefined();
    expect(await sessions.renew!(first.token)).toBeUndefined();
  });

  const without = (name: keyof typeof claims) => {
    const { [name]: _, ...rest } = claims;
    return rest;
  };
  const other = new TextEncoder().encode("another-secret-another-secret-32");
  it.each<[string, () => string | Promise<string>]>([
    ["another secret", () => sign(claims, {}, other)],
    ["another algorithm of the same secret", () => sign(claims, { alg: "HS384" })],
    ["another type", () => sign(claims, { typ: "at+jwt" })],
    ["no type", () => new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(secret)],
    ["a critical header nobody knows", () => signedWithCritical()],
    ["another issuer", () => sign({ ...claims, iss: "https://else.test" })],
    ["another audience", () => sign({ ...claims, aud: "else" })],
    ["no issuer", () => sign(without("iss"))],
    ["no audience", () => sign(without("aud"))],
    ["no subject", () => sign(without("sub"))],
    ["no expiry", () => sign(without("exp"))],
    ["no time of issue", () => sign(without("iat"))],
    ["an expiry in the past", () => sign({ ...claims, iat: seconds - 60, exp: seconds - 6 })],
    ["a time of issue in the future", () => sign({ ...claims, iat: seconds + 60 })],
    ["more than an hour of age", () => sign({ ...claims, iat: seconds - 3_606, exp: seconds + 600 })],
    ["an account that is not there", () => sign({ ...claims, sub: "nobody" })],
    ["an account that is not active", () => sign({ ...claims, sub: "gone" })],
    ["no signature", async () => `${(await sign(claims)).split(".").slice(0, 2).join(".")}.`],
    ["alg none", () => `${encode({ alg: "none", typ: "JWT" })}.${encode(claims)}.`],
    ["noise", () => "a.b.c"],
    ["a list as its subject", () => signText(JSON.stringify({ ...claims, sub: ["acc"] }))],
    ["an expiry that is no number", () => signText(JSON.stringify(claims).replace(/("exp":)\d+/, "$11e400"))],
    ["an expiry beyond all dates", () => sign({ ...claims, exp: 2 ** 53 })],
    ["too great a length", async () => `${await sign({ ...claims, more: "x".repeat(9_000) })}`],
  ])("a token is refused with %s", async (_, make) => {
    const { status, body } = await bearer(desk, await make());
    expect([status, body.success]).toEqual([401, false]);
  });

  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  /** What no library would sign. */
  const signText = (payload: string) => {
    const text = `${encode({ alg: "HS256", typ: "JWT" })}.${Buffer.from(payload).toString("base64url")}`;
    return `${text}.${createHmac("sha256", SECRET).update(text).digest("base64url")}`;
  };
  const signedWithCritical = () =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256", typ: "JWT", crit: ["odd"], odd: true })
      .sign(secret, { crit: { odd: true } });

  it("a token opens what sessions may do, and nothing else", async () => {
    const token = await sign(claims);
    for (const path of ["/api/v1/ai/models", "/api/compat/v1/usage", BALANCE, "/api-keys"])
      expect((await bearer(desk, token, path)).status).toBe(200);
    for (const path of ["/api/chatstyle/v1/models", "/api/msgstyle/v1/models", "/api/genstyle/v1beta/models"])
      expect((await bearer(desk, token, path)).status).toBe(401);
    expect((await desk.send("GET", BALANCE, { headers: { "x-api-key": token } })).status).toBe(401);
    expect((await bearer(desk, token, "/api/admin/accounts")).status).toBe(401);
  });

  it("a token ends at its expiry, also when it is already cached", async () => {
    const late = await openDesk();
    const token = await sign(claims);
    expect((await bearer(late, token)).status).toBe(200);
    late.pass(599_000);
    expect((await bearer(late, token)).status).toBe(200);
    late.pass(7_000);
    expect((await bearer(late, token)).status).toBe(401);
    await late.close();
  });

  it("a token does not count where no sessions are configured", async () => {
    const bare = await openDesk({ sessions: undefined } as never);
    expect((await bearer(bare, await sign(claims))).status).toBe(401);
    const body = { account: "ada", password: PASSWORD };
    expect((await bare.send("POST", "/api/auth/sign-in", { body })).status).toBe(404);
    await bare.close();
  });
});

describe("an external issuer", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const other = generateKeyPairSync("ed25519");
  const pinned = { issuer: ISSUER, audience: AUDIENCE };
  const eddsa = (header = {}, key = privateKey) => sign(claims, { alg: "EdDSA", ...header }, key);

  it("an external issuer is verified by its public key", async () => {
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
    const desk = await openDesk({ sessions: { key: { publicKey: pem }, ...pinned } });
    expect((await bearer(desk, await eddsa())).status).toBe(200);
    expect((await bearer(desk, await eddsa({}, other.privateKey))).status).toBe(401);
    // The public key is no secret: it must not serve as one.
    expect((await bearer(desk, await sign(claims, {}, new TextEncoder().encode(pem)))).status).toBe(401);
    const embedded = await eddsa({ jwk: await exportJWK(other.publicKey) }, other.privateKey);
    expect((await bearer(desk, embedded)).status).toBe(401);
    await desk.close();
  });

  it("an external issuer is verified by its key set, whose failure is not the caller's", async () => {
    const set = { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "EdDSA" }] };
    let isUp = false;
    const server = createServer((_, response) => {
      response.statusCode = isUp ? 200 : 500;
      response.end(JSON.stringify(set));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const jwks = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
    const desk = await openDesk({ sessions: { key: { jwks }, ...pinned } });
    expect((await bearer(desk, await eddsa({ kid: "one" }))).status).toBe(503);
    isUp = true;
    expect((await bearer(desk, await eddsa({ kid: "one" }))).status).toBe(200);
    expect((await bearer(desk, await eddsa({ kid: "two" }))).status).toBe(401);
    expect((await bearer(desk, await eddsa({ kid: "one" }, other.privateKey))).status).toBe(401);
    await desk.close();
    server.closeAllConnections();
    server.close();
  });

  it("the gateway does not start with a short session secret", async () => {
    const short = { key: { secret: "x".repeat(31) }, ...pinned };
    await expect(openDesk({ sessions: short })).rejects.toThrow(
      "sessions.key.secret: must have 32 characters or more",
    );
  });
});

describe.each(useDatabases())("sessions on $name", ({ make }) => {
  describe("signing in", () => {
    let desk: Desk;
    beforeEach(async () => {
      desk = await openDesk({ make });
      await desk.signIn();
    });
    afterEach(() => desk.close());
    const signIn = (account: string, password: string) =>
      desk.send("POST", "/api/auth/sign-in", { body: { account, password } });

    it("signing in gives a token for an hour", async () => {
      const { status, headers, body } = await signIn("ada", PASSWORD);
      expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
      expect(body).toEqual({
        token: expect.any(String),
        tokenType: "Bearer",
        expiresAt: "2026-11-21T13:00:00.000Z",
      });
      expect((await bearer(desk, body.token)).status).toBe(200);
      desk.pass(3_606_000);
      expect((await bearer(desk, body.token)).status).toBe(401);
    });

    it("a failed sign-in does not show whether the name or the password was wrong", async () => {
      const [name, password] = [await signIn("nobody", PASSWORD), await signIn("ada", "wrong")];
      expect([name.status, name.body.errors]).toEqual([401, password.body.errors]);
      await desk.byAdmin("PATCH", "/api/admin/accounts/acc", { isActive: false });
      expect((await signIn("ada", PASSWORD)).body.errors).toEqual(name.body.errors);
    });

    it("ten tries to sign in are free, further ones need growing pauses, in every process", async () => {
      const other = await openDesk({ store: desk.store });
      const again = (password: string) =>
        other.send("POST", "/api/auth/sign-in", { body: { account: "ada", password } });
      for (let tries = 0; tries < 10; tries++) expect((await signIn("ada", "wrong")).status).toBe(401);
      for (const pause of [2, 4, 8]) {
        for (const send of [() => signIn("ada", PASSWORD), () => again(PASSWORD)]) {
          const refused = await send();
          expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, String(pause)]);
        }
        desk.pass(pause * 1000);
        other.pass(pause * 1000);
        expect((await signIn("ada", "wrong")).status).toBe(401);
      }
      expect((await signIn("grace", "wrong")).status).toBe(401);
      desk.pass(16_000);
      expect((await signIn("ada", PASSWORD)).status).toBe(200);
      await other.close();
    });

    it("ten of many simultaneous tries to sign in are considered", async () => {
      const replies = await Promise.all(Array.from({ length: 30 }, () => signIn("ada", "wrong")));
      expect(replies.filter(({ status }) => status === 401)).toHaveLength(10);
    });

    it.each(["text/plain", "application/x-www-form-urlencoded", ""])(
      "sign-in refuses a body of type '%s', which any page can send",
      async (type) => {
        const headers = { "content-type": type };
        const body = { account: "ada", password: PASSWORD };
        const { status } = await desk.send("POST", "/api/auth/sign-in", { headers, body });
        expect(status).toBe(415);
      },
    );

    it("signing out ends that token in every process", async () => {
      const other = await openDesk({ store: desk.store });
      const [first, second] = [(await signIn("ada", PASSWORD)).body, (await signIn("ada", PASSWORD)).body];
      expect((await bearer(other, first.token)).status).toBe(200);
      expect((await bearer(desk, first.token, "/api/auth/sign-out", "POST")).status).toBe(200);
      other.pass(250);
      for (const one of [desk, other]) expect((await bearer(one, first.token)).status).toBe(401);
      expect((await bearer(desk, second.token)).status).toBe(200);
      const foreign = await sign(claims);
      expect((await bearer(desk, foreign, "/api/auth/sign-out", "POST")).status).toBe(200);
      expect((await bearer(desk, foreign)).status).toBe(401);
      expect(
        (await desk.send("POST", "/api/auth/sign-out", { headers: { "x-api-key": desk.key } })).status,
      ).toBe(403);
      await other.close();
    });

    it("a new password makes signing in again necessary", async () => {
      const { token } = (await signIn("ada", PASSWORD)).body;
      desk.pass(2_000);
      await desk.byAdmin("POST", "/api/admin/accounts/acc/password", { password: `${PASSWORD}!` });
      expect((await bearer(desk, token)).status).toBe(401);
      expect((await signIn("ada", PASSWORD)).status).toBe(401);
      const fresh = (await signIn("ada", `${PASSWORD}!`)).body.token;
      expect((await bearer(desk, fresh)).status).toBe(200);
    });
  });
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ADMIN } from "../../support/caller.ts";
import { useDatabases } from "./databases.ts";
import { type Desk, openDesk, PASSWORD, type Reply } from "./desk.ts";

const HOUR = 3_600_000;
const PAGE = { "sec-fetch-site": "same-origin", "x-console": "1" };

describe.each(useDatabases())("credentials on $name", ({ make }) => {
  let desk: Desk;
  beforeEach(async () => {
    desk = await openDesk({ make });
    await desk.signIn();
  });
  afterEach(() => desk.close());

  const cookieOf = ({ headers }: Reply): string => headers.get("set-cookie")?.split(";")[0] ?? "";
  const byCookie = (cookie: string, method: string, path: string, at = desk) =>
    at.send(method, path, { headers: { ...PAGE, cookie } });
  const byToken = (token: string) =>
    desk.send("GET", "/api/compat/v1/balance", { headers: { authorization: `Bearer ${token}` } });
  const signIn = (path: string, password = PASSWORD) =>
    desk.send("POST", path, { body: { account: "ada", password } });
  const setPassword = (password: string) =>
    desk.byAdmin("POST", "/api/admin/accounts/acc/password", { password });

  it("a new password ends cookies and tokens of the same millisecond, and none that come after it", async () => {
    const cookie = cookieOf(await signIn("/api/auth/session"));
    const { token } = (await signIn("/api/auth/sign-in")).body;
    expect((await byCookie(cookie, "GET", "/api/auth/session")).status).toBe(200);
    expect((await byToken(token)).status).toBe(200);
    // The same password again: what counts is that it was set.
    expect((await setPassword(PASSWORD)).status).toBe(200);
    expect((await byCookie(cookie, "GET", "/api/auth/session")).status).toBe(401);
    expect((await byToken(token)).status).toBe(401);
    const after = cookieOf(await signIn("/api/auth/session"));
    expect((await byCookie(after, "GET", "/api/auth/session")).status).toBe(200);
    expect((await byToken((await signIn("/api/auth/sign-in")).body.token)).status).toBe(200);
  });

  it("a browser's session ends after seven days, however often it is renewed", async () => {
    let reply = await signIn("/api/auth/session");
    let cookie = cookieOf(reply);
    let hours = 0;
    while (hours < 7 * 24) {
      desk.pass(6 * HOUR);
      hours += 6;
      reply = await byCookie(cookie, "GET", "/api/auth/session");
      if (reply.status !== 200) break;
      expect(Date.parse(reply.body.expiresAt) - desk.now()).toBe(Math.min(12, 7 * 24 - hours) * HOUR);
      cookie = cookieOf(reply) || cookie;
    }
    expect([hours, reply.status]).toEqual([7 * 24, 401]);
  });

  it("signing out by an early cookie of a session ends its renewed ones for as long as they would last", async () => {
    const early = cookieOf(await signIn("/api/auth/session"));
    desk.pass(11 * HOUR);
    const renewed = cookieOf(await byCookie(early, "GET", "/api/auth/session"));
    expect((await byCookie(early, "DELETE", "/api/auth/session")).status).toBe(200);
    desk.pass(2 * HOUR);
    await desk.store.endedSessions.expire(desk.now());
    expect((await byCookie(renewed, "GET", "/api/auth/session")).status).toBe(401);
  });

  it("an operator who signs out ends that cookie in every process, and no other", async () => {
    const other = await openDesk({ store: desk.store });
    const open = () => desk.send("POST", "/api/auth/operator", { body: { key: ADMIN } });
    const [ended, kept] = [cookieOf(await open()), cookieOf(await open())];
    const accounts = (cookie: string, at: Desk) => byCookie(cookie, "GET", "/api/admin/accounts", at);
    for (const at of [desk, other]) expect((await accounts(ended, at)).status).toBe(200);
    expect((await byCookie(ended, "DELETE", "/api/auth/operator")).status).toBe(200);
    other.pass(250);
    for (const at of [desk, other]) {
      expect((await accounts(ended, at)).status).toBe(401);
      expect((await accounts(kept, at)).status).toBe(200);
    }
    const [name, token = ""] = kept.split("=");
    const forged = `${name}=${token.slice(0, token.lastIndexOf("."))}.${"A".repeat(43)}`;
    expect((await accounts(forged, desk)).status).toBe(401);
    await other.close();
  });

  it("a hundred wrong keys of operators are free, over all routes and processes; a right header passes", async () => {
    const other = await openDesk({ store: desk.store });
    const signInBy = (key: string) => desk.send("POST", "/api/auth/operator", { body: { key } });
    const list = (key: string) =>
      other.send("GET", "/api/admin/accounts", { headers: { "x-admin-key": key } });
    const statuses: number[] = [];
    for (let i = 0; i < 60; i++) {
      statuses.push((await signInBy("wrong")).status, (await list("wrong")).status);
      expect((await signInBy(ADMIN)).status).toBe(i < 49 ? 200 : 429);
    }
    expect(statuses.map((status) => (status === 401 ? "refused" : status))).toEqual([
      ...Array.from({ length: 100 }, () => "refused"),
      ...Array.from({ length: 20 }, () => 429),
    ]);
    const refused = await signInBy(ADMIN);
    expect([refused.body.code, refused.headers.get("retry-after")]).toEqual(["too_many_tries", "1"]);
    expect((await list(ADMIN)).status).toBe(200);
    desk.pass(1_000);
    expect((await signInBy(ADMIN)).status).toBe(200);
    await other.close();
  });
});

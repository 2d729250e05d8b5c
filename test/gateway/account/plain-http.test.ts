import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN } from "../../support/caller.ts";
import { type Desk, openDesk, PASSWORD } from "./desk.ts";

const HOST = "gw.lan:8787";
const SIGN_IN = { account: "ada", password: PASSWORD };
/** What a browser sends over plain HTTP to another machine: no metadata of the fetch, but the origin of a change. */
const FROM_PAGE = { host: HOST, origin: `http://${HOST}`, "x-console": "1" };

describe.each([
  [true, "manifold-session=", ""],
  [false, "__Host-manifold-session=", "; Secure"],
])("sessions of browsers with insecure cookies %s", (insecureCookies, name, end) => {
  let desk: Desk;
  let cookie: string;
  beforeAll(async () => {
    desk = await openDesk({ console: { files: new Map(), insecureCookies } });
    await desk.signIn();
    const { headers } = await desk.send("POST", "/api/auth/session", {
      headers: { host: HOST },
      body: SIGN_IN,
    });
    cookie = headers.get("set-cookie") ?? "";
  });
  afterAll(() => desk.close());

  it("a cookie of another host than the machine itself goes over plain HTTP where it may", () => {
    expect(cookie.startsWith(name)).toBe(true);
    expect(cookie.endsWith(`HttpOnly; SameSite=Strict${end}`)).toBe(true);
  });

  it("the page can find out beforehand", async () => {
    const { body } = await desk.send("GET", "/api/auth/cookies", { headers: { host: HOST } });
    expect(body).toEqual({ insecure: insecureCookies });
  });

  it("a change without metadata of the fetch needs the page's own origin and the header", async () => {
    const create = async (headers: Record<string, string>): Promise<number> => {
      const all = { ...headers, cookie: cookie.split(";")[0] ?? "" };
      const body = { name: "far" };
      return (await desk.send("POST", "/api/compat/v1/api-keys", { headers: all, body })).status;
    };
    expect(await create(FROM_PAGE)).toBe(insecureCookies ? 201 : 403);
    expect(await create({ ...FROM_PAGE, origin: "http://gw.lan" })).toBe(403);
    expect(await create({ ...FROM_PAGE, origin: `https://${HOST}` })).toBe(403);
    expect(await create({ ...FROM_PAGE, "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await create({ host: HOST, origin: `http://${HOST}` })).toBe(403);
    expect(await create({ host: HOST, "x-console": "1" })).toBe(403);
  });
});

it("an operator's cookie follows the same setting", async () => {
  const desk = await openDesk({ console: { files: new Map(), insecureCookies: true } });
  const reply = await desk.send("POST", "/api/auth/operator", {
    headers: { host: HOST },
    body: { key: ADMIN },
  });
  expect(reply.headers.get("set-cookie")).toMatch(/^manifold-operator=[^;]+;(?!.*Secure)/);
  await desk.close();
});

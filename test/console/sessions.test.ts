import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN, type Console, KEY, PASSWORD, startConsole } from "./start.ts";

const OWN = { "sec-fetch-site": "same-origin", "x-console": "1" };

describe("sessions of a browser", () => {
  let server: Console;
  beforeAll(async () => {
    server = await startConsole();
  });
  afterAll(() => server?.stop());

  const send = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
    fetch(server.origin + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const cookieOf = (response: Response): string => response.headers.get("set-cookie")?.split(";")[0] ?? "";
  const signIn = async (): Promise<string> =>
    cookieOf(await send("POST", "/api/auth/session", {}, { account: "dev", password: PASSWORD }));

  it("a session is kept in a cookie that no script reads and no other site sends", async () => {
    const response = await send("POST", "/api/auth/session", {}, { account: "dev", password: PASSWORD });
    expect(response.headers.get("set-cookie")).toMatch(
      /^manifold-session=[\w.-]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    expect(await response.text()).not.toContain(cookieOf(response).split("=")[1]);
  });

  it("a session reads what the account has, and changes it by the console's own requests only", async () => {
    const cookie = await signIn();
    expect((await send("GET", "/api/compat/v1/balance", { cookie })).status).toBe(200);
    const create = (headers: Record<string, string>) =>
      send("POST", "/api/compat/v1/api-keys", { cookie, ...headers }, { name: "forged" });
    for (const headers of [
      {},
      { "x-console": "1" },
      { "sec-fetch-site": "same-origin" },
      { "x-console": "1", "sec-fetch-site": "cross-site" },
      { "x-console": "1", "sec-fetch-site": "same-site" },
    ]) {
      const refused = await create(headers as Record<string, string>);
      expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
        403,
        "cross_site",
      ]);
    }
    expect((await create(OWN)).status).toBe(201);
    const read = await send("GET", "/api/compat/v1/balance", { cookie, "sec-fetch-site": "cross-site" });
    expect(read.status).toBe(403);
  });

  it("cookies do not pass for tokens, nor tokens for cookies, and open no surface of models", async () => {
    const token = (await signIn()).split("=")[1];
    expect((await send("GET", "/api/compat/v1/balance", { authorization: `Bearer ${token}` })).status).toBe(
      401,
    );
    const made = await send("POST", "/api/auth/sign-in", {}, { account: "dev", password: PASSWORD });
    const { token: bearer } = (await made.json()) as { token: string };
    expect(
      (await send("GET", "/api/compat/v1/balance", { cookie: `manifold-session=${bearer}` })).status,
    ).toBe(401);
    const cookie = `manifold-session=${token}`;
    const body = { model: "sim-chat", messages: [{ role: "user", content: "Hello" }] };
    const chat = await send("POST", "/api/chatstyle/v1/chat/completions", { cookie, ...OWN }, body);
    expect(chat.status).toBe(401);
  });

  it("a credential that is sent goes before the cookie, also a wrong one", async () => {
    const cookie = await signIn();
    expect((await send("GET", "/api/compat/v1/balance", { cookie, "x-api-key": "wrong" })).status).toBe(401);
    expect((await send("GET", "/api/compat/v1/balance", { cookie, "x-api-key": KEY })).status).toBe(200);
  });

  it("signing out ends one session, and the others go on", async () => {
    const [first, second] = [await signIn(), await signIn()];
    const out = await send("DELETE", "/api/auth/session", { cookie: first, ...OWN });
    expect(out.headers.get("set-cookie")).toContain("manifold-session=; Path=/; Expires=Thu, 01 Jan 1970");
    expect((await send("GET", "/api/auth/session", { cookie: first })).status).toBe(401);
    expect((await send("GET", "/api/auth/session", { cookie: second })).status).toBe(200);
  });

  it("an operator's session is told from an account's, and needs the operator's key", async () => {
    const cookie = await signIn();
    expect((await send("GET", "/api/admin/accounts", { cookie })).status).toBe(401);
    expect((await send("POST", "/api/auth/operator", {}, { key: "wrong" })).status).toBe(401);
    const operator = cookieOf(await send("POST", "/api/auth/operator", {}, { key: ADMIN }));
    expect((await send("GET", "/api/admin/accounts", { cookie: operator })).status).toBe(200);
    expect((await send("POST", "/api/admin/accounts", { cookie: operator }, { name: "forged" })).status).toBe(
      403,
    );
    expect((await send("GET", "/api/compat/v1/balance", { cookie: operator })).status).toBe(401);
    const taken = operator.replace("operator=", "session=");
    expect((await send("GET", "/api/compat/v1/balance", { cookie: taken })).status).toBe(401);
  });

  it("an explanation names providers to an operator's session, and to no account's alone", async () => {
    const cookie = await signIn();
    const operator = cookieOf(await send("POST", "/api/auth/operator", {}, { key: ADMIN }));
    const explain = async (cookies: string) => {
      const headers = { cookie: cookies, ...OWN, "x-explain": "true" };
      const body = { model: "sim-chat", messages: [{ role: "user", content: "Hello" }] };
      return (await send("POST", "/api/v1/text/completions", headers, body)).text();
    };
    expect(await explain(cookie)).not.toContain('"provider"');
    expect(await explain(`${cookie}; ${operator}`)).toContain('"provider"');
  });

  it("a first-run link gives each kind of session once, and none to what only looks at it", async () => {
    // Scanners and previews of links: what is behind the # does not leave a browser, and only a page sends it.
    for (const method of ["HEAD", "GET"]) {
      const looked = await fetch(server.link, { method });
      expect([looked.status, looked.headers.get("set-cookie")]).toEqual([200, null]);
    }
    const once = new URL(server.link).hash.slice("#once=".length);
    expect((await send("POST", "/api/auth/session", {}, { once: "wrong" })).status).toBe(401);
    expect((await send("POST", "/api/auth/session", {}, { once })).status).toBe(200);
    expect((await send("POST", "/api/auth/session", {}, { once })).status).toBe(401);
    expect((await send("POST", "/api/auth/operator", {}, { once })).status).toBe(200);
    expect((await send("POST", "/api/auth/operator", {}, { once })).status).toBe(401);
  });

  it("a request is shown in depth to its account, with lines that add up", async () => {
    const id = await server.chat();
    const cookie = await signIn();
    const found = await send("GET", `/api/compat/v1/usage/${id}`, { cookie });
    const one = (await found.json()) as {
      microCost: number;
      lines: { count: number; rate: number }[];
      movements: { amount: number }[];
    };
    const sum = one.lines.reduce((total, { count, rate }) => total + count * rate, 0);
    expect(Math.ceil(sum / 1_000_000)).toBe(one.microCost);
    expect(one.movements.map(({ amount }) => amount)).toEqual([-one.microCost / 1_000_000]);
    expect((await send("GET", "/api/compat/v1/usage/unknown", { cookie })).status).toBe(404);
  });
});

describe("the console's files", () => {
  let server: Console;
  beforeAll(async () => {
    server = await startConsole();
  });
  afterAll(() => server?.stop());

  it("files are served with a strict policy, from the service alone, and compressed", async () => {
    const page = await fetch(`${server.origin}/console`);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain("unsafe");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const [, script = ""] = /src="(\/console\/assets\/[^"]+\.js)"/.exec(await page.text()) ?? [];
    const file = await fetch(server.origin + script, { headers: { "accept-encoding": "br" } });
    expect(file.headers.get("content-encoding")).toBe("br");
    expect(file.headers.get("cache-control")).toContain("immutable");
    expect((await fetch(`${server.origin}/console/assets/none.js`)).status).toBe(404);
    expect(await (await fetch(`${server.origin}/console/requests/any`)).text()).toContain('<div id="app">');
  });

  it("the bare address leads a browser to the console", async () => {
    const answer = await fetch(server.origin, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/console"]);
  });
});

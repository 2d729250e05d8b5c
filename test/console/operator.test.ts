import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  barriers,
  barriersInViews,
  choose,
  command,
  follow,
  launch,
  layoutShift,
  missing,
  openPage,
  reopen,
  settled,
  signIn,
  signInOperator,
  VIEWS,
  type Watched,
} from "./browser.ts";
import { ADMIN, type Console, KEY, PASSWORD, startConsole } from "./start.ts";

/** The operator's screens and the first heading of each. */
const SCREENS: Record<string, string> = {
  "/console": "Home",
  "/console/all-usage?by=account": "All usage",
  "/console/catalog": "Catalog",
  "/console/catalog/add": "Add provider",
  "/console/batches": "Batches",
  "/console/jobs": "Jobs",
  "/console/providers": "Providers",
  "/console/providers/simulator-msgstyle": "simulator-msgstyle",
  "/console/routing": "Routing",
  "/console/accounts": "Accounts",
  "/console/books": "Books",
  "/console/config": "Configuration",
  "/console/audit": "Audit log",
};
/** Those whose components no other screen has. */
const IN_EVERY_VIEW = [
  "/console",
  "/console/providers",
  "/console/providers/simulator-msgstyle",
  "/console/routing",
  "/console/config",
];
/** Those that show accounts their own. */
const FOR_ALL = ["/console", "/console/batches", "/console/jobs"];
const LIVE = { "/console/live": "Live" };
const HOSTILE = `<img src=x onerror="document.title='taken'"> "quoted"`;

describe.skipIf(missing)(`the operator's screens ${missing ?? ""}`, () => {
  let server: Console;
  let browser: Awaited<ReturnType<typeof launch>>;
  let watched: Watched;
  beforeAll(async () => {
    server = await startConsole();
    browser = await launch();
    await server.chat("sim-messages");
    watched = await openPage(browser, server.origin, VIEWS.light!);
    await signInOperator(watched.page, ADMIN);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const admin = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${server.origin}/api/admin${path}`, {
      method,
      headers: { "x-admin-key": ADMIN, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers of any route
    return (await answer.json()) as any;
  };
  const devId = async (): Promise<string> =>
    (await admin("GET", "/accounts")).results.find(({ login }: { login?: string }) => login === "dev").id;
  const press = async (page: Page, name: string | RegExp): Promise<void> => {
    await page.getByRole("button", { name, exact: typeof name === "string" }).focus();
    await page.keyboard.press("Enter");
  };

  it.each(Object.entries({ ...SCREENS, ...LIVE, "an account": "dev" }))(
    "hold no barrier, error or foreign request in any view at %s",
    async (path, heading) => {
      const { page, faults } = watched;
      await follow(page, path.startsWith("/") ? path : `/console/accounts/${await devId()}`);
      await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
      await settled(page);
      expect(await layoutShift(page)).toBeLessThan(0.1);
      expect(await barriersInViews(page, { isLike: !IN_EVERY_VIEW.includes(path) })).toEqual([]);
      expect(faults).toEqual([]);
    },
    120_000,
  );

  it("show Home at once, whichever answer comes last", async () => {
    const { page } = watched;
    const others = ["/admin/overview?", "/admin/state", "by=provider", "by=account"];
    for (const late of ["declarations", "config/reloads"]) {
      // No answer to the page of before is taken for one to this.
      await page.goto("about:blank");
      const held = Promise.withResolvers<void>();
      const path = `**/api/admin/${late}`;
      await page.route(path, (route) => held.promise.then(() => route.continue()));
      const answered = others.map((one) =>
        page.waitForEvent("requestfinished", (request) => request.url().includes(one)),
      );
      await page.goto("/console");
      await Promise.all(answered);
      await page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
      );
      expect(await page.locator(".loading").count(), late).toBe(1);
      held.resolve();
      await page.getByText("No provider yet").waitFor();
      await page.unroute(path);
    }
  });

  it("refund a request in two steps, by the keyboard alone", async () => {
    const generation = await server.chat("sim-messages");
    const id = await devId();
    const before = (await admin("GET", `/accounts/${id}`)).creditBalance;
    const { page, faults } = await reopen(watched);
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await page.getByRole("cell", { name: "dev", exact: true }).getByRole("link").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: `Refund ${generation}` }).waitFor();
    await press(page, `Refund ${generation}`);
    await page.locator("dialog input:focus").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText(`The whole charge of ${generation} will be given back`).waitFor();
    expect((await admin("GET", `/accounts/${id}`)).creditBalance).toBe(before);
    await page.locator("dialog").getByRole("button", { name: "Refund" }).focus();
    await page.keyboard.press("Enter");
    const line = page.getByRole("dialog", { name: "Refunded to dev" });
    await line.getByText(`refund:${generation}`).waitFor();
    await page.keyboard.press("Enter");
    await line.waitFor({ state: "detached" });
    await page
      .getByRole("row", { name: /refund <?\$/ })
      .getByTitle(generation)
      .waitFor();
    expect((await admin("GET", `/accounts/${id}`)).creditBalance).toBeGreaterThan(before);
    expect(faults).toEqual([]);
  });

  it("create, cap and revoke an account's key, by the keyboard alone", async () => {
    const { id } = await admin("POST", "/accounts", { name: "Grace" });
    const { page, faults } = await reopen(watched, `/console/accounts/${id}`);
    await press(page, "Create key");
    await page.locator("dialog input:focus").waitFor();
    await page.keyboard.type("nightly");
    await page.keyboard.press("Enter");
    expect(await page.locator(".secret code").textContent()).toMatch(/^mfk_/);
    await press(page, "Done");
    await command(page, "Actions of nightly", "Caps");
    await page.getByLabel("monthly cap in US dollars").focus();
    await page.keyboard.type("5");
    await page.keyboard.press("Enter");
    await page
      .getByRole("row", { name: /^nightly/ })
      .getByText("$0.00 of $5.00")
      .waitFor();
    await command(page, "Actions of nightly", "Revoke");
    await page.locator("dialog input:focus").waitFor();
    await page.keyboard.type("nightly");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /nightly.*revoked/ }).waitFor();
    expect(faults).toEqual([]);
  });

  it("lead from what needs a look to a provider, with its words and its circuit, by the keyboard alone", async () => {
    for (let n = 0; n < 10; n++)
      await fetch(`${server.origin}/api/chatstyle/v1/chat/completions`, {
        method: "POST",
        headers: {
          "x-api-key": "console-key-0123456789-0123456789abcdef",
          "content-type": "application/json",
        },
        body: JSON.stringify({
          model: "sim-chat",
          messages: [{ role: "user", content: "[[fault:status=500]]" }],
        }),
      }).then((answer) => answer.text());
    const { page, faults } = await reopen(watched);
    const needs = page.getByRole("region", { name: "Needs a look" });
    await needs.getByText("has 1 open circuit for some accounts: sim-chat.").waitFor();
    await needs.getByRole("link", { name: "simulator-chatstyle" }).first().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "simulator-chatstyle", level: 1 }).waitFor();
    const failures = page.getByRole("table", { name: "Last failed calls" });
    await failures
      .getByRole("row", { name: /answered 500 .*Simulated failure with status 500\./ })
      .first()
      .waitFor();
    await press(page, "Test simulator-chatstyle");
    await page.getByText(/^It lists \d+ models in .*: sim-/).waitFor();
    const routes = page.getByRole("table", { name: "Routes of simulator-chatstyle" });
    const row = routes.getByRole("row", { name: /^sim-chat / });
    await row.getByText("open for 1").waitFor();
    await press(page, "Reset the circuit of sim-chat");
    await row.getByText("closed", { exact: true }).waitFor();
    await press(page, "Pause sim-chat");
    await row.getByText("paused", { exact: true }).waitFor();
    await press(page, "Serve sim-chat");
    await row.getByText("active", { exact: true }).waitFor();
    // The simulator needs no credentials and refuses nothing: the page is given the state of a provider that has two, and
    // of which something was learnt.
    const until = "2026-11-24T10:41:07.000Z";
    await page.route("**/api/admin/state", async (route) => {
      const response = await route.fetch();
      const state = await response.json();
      const provider = state.providers.find(({ id }: { id: string }) => id === "simulator-chatstyle");
      provider.credentials = [
        { name: "first", weight: 3, state: "ready", calls: 1_234 },
        { name: "second", weight: 1, state: "denied", status: 401, until, calls: 5 },
      ];
      const because = "Unsupported parameter: 'stop' is not supported with this model";
      const lesson = { protocol: "chatstyle", traits: { refuses: ["stop"] }, because, at: until, until };
      provider.entries[0].learnt = [lesson];
      await route.fulfill({ response, json: state });
    });
    await page.reload();
    await page
      .getByRole("table", { name: /^Learnt from refusals of / })
      .getByRole("row", { name: 'chatstyle {"refuses":["stop"]} Unsupported parameter: \'stop\' is not' })
      .waitFor();
    const credentials = page.getByRole("table", { name: /^Credentials of / });
    await credentials.getByRole("row", { name: "first 3 ready – 1,234" }).waitFor();
    await credentials
      .getByRole("row", { name: "second 1 denied (status 401) 2026-11-24 10:41:07 5" })
      .waitFor();
    await page.getByText("2 credentials").waitFor();
    await page.goto("/console/audit?action=circuit_reset");
    await page.getByRole("cell", { name: "operator:operator" }).first().waitFor();
    expect(faults).toEqual([]);
  });

  it("show which entry a request would go to, and what if its circuit were open", async () => {
    const { page, faults } = await reopen(watched, "/console/routing?model=sim-chat&surface=messages");
    const order = page.getByRole("table", { name: "Routes in order" });
    await order.getByRole("cell", { name: "simulator-chatstyle sim-chat" }).waitFor();
    await order.getByRole("cell", { name: "no", exact: true }).waitFor();
    await choose(page, "What if the circuit of simulator-chatstyle is", "open");
    const out = page.getByRole("table", { name: "Routes left out" });
    await out.getByRole("cell", { name: "its circuit is open" }).waitFor();
    await page.getByText("It would be refused.").waitFor();
    expect(await barriers(page)).toEqual([]);
    await choose(page, "What if the circuit of simulator-chatstyle is", "no change");
    await order.waitFor();
    // Only the page supposed it: for requests the circuit is as it was.
    await server.chat("sim-chat");
    expect(faults).toEqual([]);
  });

  it("show the batches of all accounts, by account and state, and why lines failed", async () => {
    const { page, faults } = await reopen(watched, "/console/batches");
    await page.getByText("No batches yet").waitFor();
    const line = (name: string, model: string): string =>
      JSON.stringify({
        ...{ custom_id: name, method: "POST", url: "/v1/chat/completions" },
        body: { model, messages: [{ role: "user", content: "Hello" }] },
      });
    const form = new FormData();
    form.set("purpose", "batch");
    const lines = [line("a", "sim-chat"), line("b", "none"), line("", "sim-chat")].join("\n");
    form.set("file", new Blob([lines]), "lines.jsonl");
    const chat = async (path: string, body: FormData | object): Promise<{ id: string }> => {
      const isForm = body instanceof FormData;
      const headers = { "x-api-key": KEY, ...(!isForm && { "content-type": "application/json" }) };
      const sent = { method: "POST", headers, body: isForm ? body : JSON.stringify(body) };
      return (await (await fetch(`${server.origin}/api/chatstyle/v1${path}`, sent)).json()) as { id: string };
    };
    const terms = { endpoint: "/v1/chat/completions", completion_window: "24h" };
    const { id } = await chat("/batches", { ...terms, input_file_id: (await chat("/files", form)).id });
    await page.reload();
    // The list renews itself until the batch has ended.
    await page.getByRole("row", { name: /completed dev .*3 of 3 ?2 failed/ }).waitFor();
    expect(await barriersInViews(page)).toEqual([]);
    await choose(page, "State", "failed");
    await page.getByText("No batch matches these filters").waitFor();
    await page.goto(`/console/batches?account=${await devId()}&status=completed`);
    await page.locator(`tr[data-id="${id}"] a`).first().click();
    await page.getByRole("link", { name: "dev", exact: true }).waitFor();
    await page
      .getByRole("link", { name: /^Cost/ })
      .getByText(/\$0\.\d/)
      .waitFor();
    expect(await barriersInViews(page)).toEqual([]);
    await page.getByRole("link", { name: /^Failed 2/ }).click();
    await page.getByRole("row", { name: /refused model_not_found dev none/ }).waitFor();
    expect(await page.locator("tbody tr").count()).toBe(2);
    await page.getByRole("row", { name: /refused invalid_custom_id dev –/ }).click();
    await page.getByText("custom_id: '' is not accepted").waitFor();
    await page.getByRole("link", { name: `…${id.slice(-8)}, line 3` }).click();
    await page.getByRole("link", { name: /^Failed 2/ }).waitFor();
    expect(faults).toEqual([]);
  });

  it("show the jobs of all accounts, and one of them with its owner, provider and charge", async () => {
    const { page, faults } = watched;
    const body = JSON.stringify({ model: "sim-image", content: [{ type: "text", text: "A lighthouse." }] });
    const headers = { "x-api-key": KEY, "content-type": "application/json" };
    const path = "/api/v1/image/generations";
    expect((await fetch(server.origin + path, { method: "POST", headers, body })).status).toBe(200);
    await follow(page, `/console/jobs?account=${await devId()}&state=ended`);
    await page
      .getByRole("row", { name: /succeeded .*dev image sim-image simulator-/ })
      .getByRole("link")
      .first()
      .click();
    await page.getByText(/^\$0\.\d+$/).waitFor();
    await page.getByRole("link", { name: "dev", exact: true }).waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    await page.getByRole("link", { name: /^simulator-/ }).waitFor();
    expect(await barriersInViews(page, { isLike: true })).toEqual([]);
    expect(faults).toEqual([]);
  });

  it("cancel a job of any account, and go from its request to it", async () => {
    const { page, faults } = watched;
    const content = [{ type: "text", text: "A lighthouse. [[outcome:queued=500]]" }];
    const body = JSON.stringify({ model: "sim-video", content });
    const headers = { "x-api-key": KEY, "content-type": "application/json" };
    await fetch(`${server.origin}/api/v1/video/generations`, { method: "POST", headers, body });
    await follow(page, `/console/jobs?account=${await devId()}&state=live`);
    await page.getByRole("button", { name: /^Cancel the video/ }).waitFor();
    await page
      .getByRole("row", { name: /dev video sim-video/ })
      .getByRole("link")
      .first()
      .click();
    await page.getByRole("button", { name: /^Cancel the video/ }).click();
    await page.getByText("Cancelled", { exact: false }).first().waitFor();
    await page.getByRole("link", { name: "Price and ledger" }).click();
    await page.getByRole("link", { name: "cancelled", exact: true }).click();
    await page.waitForURL("**/console/jobs/*");
    await page.getByRole("heading", { name: "Job", level: 1 }).waitFor();
    expect(faults).toEqual([]);
  });

  it("audit the books, and find that they add up", async () => {
    const { page, faults } = await reopen(watched, "/console/books");
    const days = page.getByRole("table", { name: "Movements by day" });
    await days
      .getByRole("cell", { name: /^20\d\d-\d\d-\d\d$/ })
      .first()
      .waitFor();
    await press(page, "Run the audit");
    await page.getByText("No difference.").waitFor();
    expect(await barriers(page)).toEqual([]);
    const { totals } = await admin("GET", "/audit");
    const micro = (usd: number): number => Math.round(usd * 1e6);
    expect(micro(totals.credited) - micro(totals.charged) + micro(totals.refunded)).toBe(
      micro(totals.balances),
    );
    expect(faults).toEqual([]);
  });

  it("show requests while they run: an account its own, the operator all with their providers", async () => {
    const all = await reopen(watched, "/console/live");
    const own = await openPage(browser, server.origin, VIEWS.light!);
    await signIn(own.page, "dev", PASSWORD);
    await follow(own.page, "/console/live");
    for (const { page } of [own, all]) await page.getByText("listening").waitFor();
    await server.chat("sim-messages");
    for (const { page } of [own, all]) {
      const row = page.getByRole("row", { name: /succeeded.*sim-messages/ });
      await row.waitFor();
      expect(await barriers(page)).toEqual([]);
    }
    expect(await all.page.getByRole("columnheader", { name: "Provider" }).count()).toBe(1);
    expect(await own.page.getByRole("columnheader", { name: "Provider" }).count()).toBe(0);
    expect([...own.faults, ...all.faults]).toEqual([]);
    await own.close();
  });

  it("show the settings in force, and of secrets only that they are set", async () => {
    const { page, faults } = await reopen(watched, "/console/config?all=set");
    await page.getByRole("row", { name: /server\.adminKey The operator.* MANIFOLD_ADMIN_KEY/ }).waitFor();
    const text = (await page.locator("main").textContent()) ?? "";
    expect(text).toMatch(/set, sha256 [0-9a-f]{6}/);
    expect(JSON.stringify(await admin("GET", "/config")) + text).not.toContain(ADMIN);
    await page.getByRole("tab", { name: "Last reload" }).click();
    // An earlier test paused it.
    const noted = page.getByRole("region", { name: "Stored models changed" });
    await noted.getByText("sim-chat").waitFor();
    await page.getByRole("tab", { name: "Changes to the catalog" }).click();
    await page.getByText("No changes: the stored models match the configuration.").waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it("show names as text, whatever stands in them", async () => {
    const { id } = await admin("POST", "/accounts", { name: HOSTILE });
    const { page, faults } = await reopen(watched, "/console/accounts");
    await page.getByRole("link", { name: HOSTILE }).click();
    await page.getByRole("heading", { name: HOSTILE, level: 1 }).waitFor();
    await page.goto(`/console/audit?account=${id}`);
    await page.getByText("account created").first().waitFor();
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).not.toBe("taken");
    expect(faults).toEqual([]);
  });

  it("ask for the operator key over the page where the session ends, and keep what was typed", async () => {
    const { page, close } = await openPage(browser, server.origin, VIEWS.light!);
    await signInOperator(page, ADMIN);
    await page.goto("/console/accounts");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByLabel("Name").fill("kept");
    await page.context().clearCookies();
    await page.locator("dialog").getByRole("button", { name: "Create account" }).click();
    const again = page.getByRole("dialog", { name: "Your operator session has ended" });
    await again.getByLabel("Operator key").fill(ADMIN);
    await again.getByRole("button", { name: "Sign in as operator" }).click();
    await again.waitFor({ state: "detached" });
    expect(await page.getByLabel("Name").inputValue()).toBe("kept");
    await close();
  });

  it("stand beside an account's, whichever signed in first, and end without it, by the keyboard alone", async () => {
    const { page, faults, close } = await openPage(browser, server.origin, VIEWS.light!);
    const link = (name: string) =>
      page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name });
    await signIn(page, "dev", PASSWORD);
    expect(await link("Accounts").count()).toBe(0);
    await command(page, "Session of dev", "Sign in as operator");
    await page.getByRole("dialog", { name: "Also sign in as operator" }).waitFor();
    await page.getByLabel("Operator key").focus();
    await page.keyboard.type(ADMIN);
    await page.keyboard.press("Enter");
    await link("Accounts").waitFor();
    await page.locator(".top").getByText("Operator", { exact: true }).waitFor();
    for (const screen of ["Accounts", "Keys"]) {
      await link(screen).click();
      await page.getByRole("heading", { name: screen, level: 1 }).waitFor();
    }
    await command(page, "Session of dev", "End operator");
    await link("Accounts").waitFor({ state: "detached" });
    expect(await link("Keys").count()).toBe(1);
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual(["manifold-session"]);

    await page.context().clearCookies();
    await signInOperator(page, ADMIN);
    await command(page, "Session of the operator", "Sign in with an account");
    await page.getByLabel("Account", { exact: true }).focus();
    await page.keyboard.type("dev");
    await page.keyboard.press("Tab");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await link("Keys").waitFor();
    expect(await link("Accounts").count()).toBe(1);
    await command(page, "Session of dev", "Sign out");
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  it("are not there for an account, whose session opens no route of operators", async () => {
    const { page, close } = await openPage(browser, server.origin, VIEWS.light!);
    await signIn(page, "dev", PASSWORD);
    for (const path of Object.keys(SCREENS).filter((path) => !FOR_ALL.includes(path))) {
      await follow(page, "/console");
      await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
      await follow(page, path);
      await page.getByRole("heading", { name: "Page not found" }).waitFor();
    }
    const { paths } = (await (await fetch(`${server.origin}/openapi.json`)).json()) as {
      paths: Record<string, object>;
    };
    const routes = Object.entries(paths)
      .filter(([path]) => path.startsWith("/api/admin/"))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => [method.toUpperCase(), path]));
    expect(routes.length).toBeGreaterThan(20);
    const statuses = await page.evaluate(
      (list) =>
        Promise.all(
          list.map(async ([method, path = ""]) => {
            const body = method === "GET" || method === "DELETE" ? {} : { body: "{}" };
            const headers = { "x-console": "1", "content-type": "application/json" };
            return (await fetch(path.replace(/\{\w+\}/g, "x"), { method, headers, ...body })).status;
          }),
        ),
      routes as string[][],
    );
    expect(new Set(statuses)).toEqual(new Set([401]));
    await close();
  });
});

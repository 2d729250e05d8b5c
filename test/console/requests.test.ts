import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { curlOf, playgroundOf } from "../../packages/console/web/src/request/again.ts";
import { stagesOf } from "../../packages/console/web/src/request/stages.ts";
import {
  barriers,
  command,
  launch,
  missing,
  openPage,
  settled,
  signInOperator,
  VIEWS,
  type Watched,
} from "./browser.ts";
import { ADMIN, type Console, KEY, startConsole } from "./start.ts";

describe("a request that is sent again", () => {
  const chat = {
    surface: "chatstyle",
    model: "m",
    request: {
      model: "m",
      temperature: 0.5,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "First." },
        { role: "assistant", content: "Yes." },
        { role: "user", content: [{ type: "text", text: "It's the last." }] },
      ],
    },
  };

  it("a request opens in the playground of its kind, and one without content in none", () => {
    const one = { ...chat, id: "g1" };
    expect(playgroundOf(one)).toBe("/console/play?request=g1");
    expect(playgroundOf({ ...one, surface: "native", modality: "image", request: { content: [] } })).toBe(
      "/console/media?request=g1",
    );
    expect(playgroundOf({ ...one, request: undefined })).toBeUndefined();
    expect(playgroundOf({ ...one, request: { prompt: "a" } })).toBeUndefined();
  });

  it("a command quotes the body for a shell, and there is none for a form that is not known", () => {
    const command = curlOf(chat, "http://host")!;
    expect(command).toContain("http://host/api/chatstyle/v1/chat/completions");
    expect(command).toContain(`It'\\''s the last.`);
    expect(curlOf({ surface: "chatstyle", model: "m", request: { prompt: "a" } }, "")).toBeUndefined();
  });

  it("the stages of a request add up to its duration, whatever its attempts took", () => {
    const attempt = fc.record({ entry: fc.constant("e"), ms: fc.option(fc.nat(900), { nil: undefined }) });
    fc.assert(
      fc.property(fc.nat(2_000), fc.array(attempt, { maxLength: 5 }), (durationMs, attempts) => {
        const stages = stagesOf({ durationMs, attempts });
        expect(stages.reduce((sum, { ms }) => sum + ms, 0)).toBe(durationMs);
        expect(stages.every(({ ms }) => ms > 0)).toBe(true);
      }),
    );
  });
});

describe.skipIf(missing)(`the screen of requests ${missing ?? ""}`, () => {
  let server: Console;
  let browser: Awaited<ReturnType<typeof launch>>;
  let watched: Watched;
  let newest: string;
  beforeAll(async () => {
    server = await startConsole({}, ["demo", "--requests", "120"]);
    browser = await launch();
    await server.chat();
    newest = await server.chat();
    watched = await openPage(browser, server.origin, VIEWS.light!);
    await watched.page.goto(server.link);
    await watched.page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const open = async (address = ""): Promise<Watched> => {
    watched.faults.length = 0;
    await watched.page.goto(`/console/requests${address}`);
    await watched.page.locator("tbody tr").first().waitFor();
    return watched;
  };
  const costs = async (): Promise<number[]> =>
    (await watched.page.locator('td[data-label="Cost"]').allInnerTexts()).map((text) =>
      Number(text.replace(/[$<,]/g, "")),
    );

  it("sorts by cost, keeps that in the address, and goes back to the newest first", async () => {
    const { page, faults } = await open();
    await page.getByRole("button", { name: "Cost" }).click();
    await page.locator("th[aria-sort=descending]").waitFor();
    await page.waitForURL(/sort=cost/);
    await expect
      .poll(async () => (await costs()).every((cost, at, all) => at === 0 || cost <= all[at - 1]!))
      .toBe(true);
    await page.getByRole("button", { name: "Cost" }).click();
    await page.waitForURL((url) => !url.searchParams.has("sort"));
    expect(faults).toEqual([]);
  });

  it("filters by keys by their names, and says what they add up to", async () => {
    const { page, faults } = await open();
    // Whoever types faster than the names come gets the key of that name, not one with it for an id.
    const typed = Promise.withResolvers<void>();
    await page.route("**/usage/series?*", async (route) => {
      await typed.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "+ Filter" }).click();
    await page.getByRole("button", { name: "Key", exact: true }).click();
    await page.getByRole("combobox", { name: "Key" }).fill("studio");
    await page.keyboard.press("Enter");
    typed.resolve();
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("button", { name: "Key is studio" }).waitFor();
    await page.keyboard.press("Escape");
    const keys = page.locator('td[data-label="Key"]');
    await expect.poll(async () => [...new Set(await keys.allInnerTexts())]).toEqual(["studio"]);
    // All of them are on the page.
    await page
      .locator(".sums")
      .getByText(String(await keys.count()), { exact: true })
      .waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Remove the filter Key" }).click();
    await page.waitForURL((url) => !url.searchParams.has("key"));
    expect(faults).toEqual([]);
  });

  it("keeps a view under a name, finds it in the menu and the palette, and removes it", async () => {
    const { page, faults } = await open("?sort=cost&status=succeeded");
    const menu = (name: string) => page.getByRole("button", { name, exact: true });
    await command(page, "Views", "Save this view");
    await page.getByLabel("Name").fill("Dearest");
    await page.keyboard.press("Enter");
    await menu("View: Dearest").waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.goto("/console/requests");
    await command(page, "Views", "Dearest");
    await page.waitForURL(/sort=cost&status=succeeded$/);
    await page.goto("/console");
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.locator("[role=combobox]:focus").fill("Dearest");
    await page.getByRole("option", { name: "Dearest view of requests" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/sort=cost&status=succeeded$/);
    await command(page, "View: Dearest", "Remove the view Dearest");
    await menu("Views").waitFor();
    expect(faults).toEqual([]);
  });

  it("opens a request beside the list, steps by j and k, and closes by Escape", async () => {
    const { page, faults } = await open();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    const drawer = page.getByRole("complementary", { name: "Request" });
    await drawer.getByRole("tab", { name: "Attempts" }).waitFor();
    const first = new URL(page.url()).searchParams.get("open");
    expect(first).toBe(newest);
    await page.keyboard.press("j");
    await page.waitForURL((url) => url.searchParams.get("open") !== first);
    await drawer.getByRole("tab", { name: "Attempts" }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press("k");
    await page.waitForURL((url) => url.searchParams.get("open") === first);
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    await page.locator("tbody tr").nth(2).locator("td").nth(3).click();
    await drawer.waitFor();
    expect(faults).toEqual([]);
  });

  it("finds a request by the id that its answer had, and opens it in the playground", async () => {
    const id = "from-a-mail-0042";
    const sent = await fetch(`${server.origin}/api/chatstyle/v1/chat/completions`, {
      method: "POST",
      headers: { "x-api-key": KEY, "content-type": "application/json", "x-request-id": id },
      body: JSON.stringify({
        model: "sim-chat",
        messages: [{ role: "user", content: "Where is my order?" }],
      }),
    });
    await sent.text();
    const { page, faults } = await open();
    await page.keyboard.press("/");
    await page.keyboard.type(id);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Request to sim-chat" }).waitFor();
    await page.getByText(id).first().waitFor();
    await page.getByRole("link", { name: "Open in playground" }).click();
    await page.getByRole("heading", { name: "Playground" }).waitFor();
    await expect.poll(() => page.getByLabel("User message 1").inputValue()).toBe("Where is my order?");
    expect(faults).toEqual([]);
  });

  it("shows a conversation with its reply, both sides of a translation, and its money to the micro-USD", async () => {
    const id = await server.chat("sim-messages", "Which harbour froze?");
    const { page, faults } = await open(`?open=${id}`);
    const drawer = page.getByRole("complementary", { name: "Request" });
    await drawer.getByText(/answered in .* output tokens for \$0\./).waitFor();
    await expect
      .poll(() => drawer.locator(".bubble").evaluateAll((all) => all.map((one) => one.className)))
      .toEqual(["bubble user", "bubble reply"]);
    await drawer.locator(".bubble.user").getByText("Which harbour froze?").waitFor();
    const reply = (await drawer.locator(".bubble.reply pre").textContent()) ?? "";
    expect(reply.length).toBeGreaterThan(3);
    await drawer.getByRole("button", { name: "Raw" }).click();
    await drawer.getByRole("region", { name: "Reply" }).getByText(reply).waitFor();
    await drawer.getByRole("tab", { name: "Wire" }).click();
    for (const name of ["Request of Chat", "Request of Messages", "Reply of Messages", "Reply of Chat"])
      await drawer.getByRole("region", { name }).waitFor();
    await drawer.getByRole("region", { name: "Reply of Chat" }).getByText(reply).waitFor();
    expect(await drawer.locator(".json .marked").count()).toBeGreaterThan(2);
    expect(await barriers(page, { within: "aside" })).toEqual([]);
    await drawer.getByRole("tab", { name: "Price" }).click();
    const fact = async (name: string): Promise<number> => {
      const text = await drawer.locator(".facts div").filter({ hasText: name }).locator("dd").textContent();
      return Math.round(Number(text?.replace(/[$,]/g, "")) * 1e6);
    };
    await drawer.getByText("Balance after").first().waitFor();
    const charged = await fact("Charged");
    expect(await fact("Held")).toBe(charged + (await fact("Given back")));
    expect((await fact("Balance before")) - charged).toBe(await fact("Balance after"));
    expect(await barriers(page, { within: "aside" })).toEqual([]);
    expect(faults).toEqual([]);
  });

  it("shows new requests by itself while it is live", async () => {
    const { page, faults } = await open();
    await page.getByRole("button", { name: "Live" }).click();
    await page.waitForURL(/live=1/);
    const events = page.waitForResponse(/\/events/);
    await page.reload();
    await events;
    const id = await server.chat();
    await page.locator(`tbody a[href*="${id}"]`).waitFor();
    expect(faults).toEqual([]);
  });

  it("shows operators the requests of all accounts, with the account and the provider of each", async () => {
    const { page, faults, close } = await openPage(browser, server.origin, VIEWS.light!);
    await signInOperator(page, ADMIN);
    await page.goto("/console/requests");
    await page.getByRole("columnheader", { name: "Account" }).waitFor();
    await settled(page);
    const accounts = new Set(await page.locator('td[data-label="Account"]').allInnerTexts());
    expect(accounts.size).toBeGreaterThan(1);
    await page.locator("tbody tr").first().locator("td").nth(3).click();
    await page.getByRole("complementary", { name: "Request" }).getByRole("tab", { name: "Raw" }).waitFor();
    expect(await barriers(page, { within: "aside" })).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });
});

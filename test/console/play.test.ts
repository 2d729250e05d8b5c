import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  barriersInViews,
  launch,
  missing,
  openPage,
  reopen,
  signIn,
  VIEWS,
  type Watched,
} from "./browser.ts";
import { ADMIN, type Console, PASSWORD, startConsole } from "./start.ts";

describe.skipIf(missing)(`the playground ${missing ?? ""}`, () => {
  let server: Console;
  let browser: Awaited<ReturnType<typeof launch>>;
  let watched: Watched;
  beforeAll(async () => {
    server = await startConsole();
    browser = await launch();
    watched = await openPage(browser, server.origin, VIEWS.light!);
    await signIn(watched.page, "dev", PASSWORD);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  const paneOf = (name: string) => watched.page.getByRole("region", { name, exact: true });

  it("sends one request in three protocols at once, and leaves no key behind", async () => {
    const { page, faults } = await reopen(watched, "/console/play?model=sim-messages");
    await page.getByText("all 3 accepted").waitFor();
    await page.getByLabel("User message 1").fill("Name a colour");
    await page.keyboard.press("Control+Enter");
    for (const name of ["Chat", "Messages", "Generate content"]) {
      const pane = paneOf(`sim-messages, ${name}`);
      await pane.getByText("answer complete").waitFor();
      expect(await pane.locator(".answer").textContent()).toContain("Name a colour");
    }
    expect(await barriersInViews(page)).toEqual([]);
    const { viewport } = VIEWS.phone!;
    await page.setViewportSize(viewport!);
    await page.getByRole("tab", { name: "Messages" }).click();
    await paneOf("sim-messages, Chat").waitFor({ state: "detached" });
    await page.keyboard.press("Alt+1");
    await page.locator("#pane-1:focus").getByText("Name a colour").waitFor();
    await page.setViewportSize(VIEWS.light!.viewport!);
    await page.getByRole("link", { name: "Keys", exact: true }).click();
    await page.getByRole("row", { name: /active/ }).waitFor();
    expect(await page.getByRole("table").textContent()).not.toContain("playground");
    await page.goto("/console/usage?measure=requests&by=key");
    await page.locator(".legend li").filter({ hasText: "playground 3" }).waitFor();
    expect(faults).toEqual([]);
  });

  it("compares models on the cost of their records, goes on after a call, and goes back to what was sent", async () => {
    const { page, faults } = await reopen(watched, "/console/play?model=sim-messages");
    await page.getByRole("button", { name: "New" }).click();
    for (const name of ["Chat", "Generate content"])
      await page.getByRole("button", { name, exact: true, pressed: true }).click();
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByText("Tools and format").click();
    await page.getByRole("button", { name: "Insert an example" }).click();
    await page.getByLabel("System prompt").fill("Be brief, {{name}}.");
    await page.getByLabel("{{name}}").fill("Ada");
    await page.getByLabel("User message 1").fill('[[reason]] [[call:get_weather {"city":"Oslo"}]] Weather?');
    await page.getByText("all 2 accepted").waitFor();
    await page.keyboard.press("Control+Enter");
    const [first, second] = [paneOf("sim-messages, Messages"), paneOf("sim-chat, Messages")];
    await Promise.all([first, second].map((pane) => pane.getByText("answer complete").waitFor()));
    for (const pane of [first, second]) {
      const link = await pane.getByRole("link", { name: "request" }).getAttribute("href");
      const record = await page.evaluate(
        async (id) => (await fetch(`/api/compat/v1/usage/${id}`, { headers: { "x-console": "1" } })).json(),
        link!.split("/").at(-1),
      );
      expect(record.request.system).toBe("Be brief, Ada.");
      await pane.getByText(`$${record.usdCost}`).waitFor();
      expect(await pane.locator(".foot").textContent()).toMatch(/^first \d+\.\d\d s · .* out · \$/);
    }
    await first.getByRole("button", { name: "Answer the call" }).click();
    await page.locator("[data-result]:focus").waitFor();
    await page.keyboard.type("12 degrees");
    await page.keyboard.press("Control+Enter");
    await first.getByText("get_weather returned: 12 degrees").waitFor();
    await page.getByRole("button", { name: "History" }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /Weather/ })
      .last()
      .click();
    await first.getByText("Oslo").waitFor();
    expect(await page.getByLabel("Assistant message 2").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("shows a body that was typed as one that differs, sends it as it is, and takes it for all panes", async () => {
    await reopen(watched, "/console/keys");
    await watched.page.evaluate(() => localStorage.clear());
    const { page, faults } = await reopen(watched, "/console/play?model=sim-chat");
    const pane = paneOf("sim-chat, Messages");
    await pane.getByRole("button", { name: /^Body/ }).click();
    await pane.getByRole("button", { name: "Edit the body" }).click();
    const field = pane.getByLabel("Request body");
    await field.fill("{ no json");
    await pane.getByText("The body is no JSON").first().waitFor();
    const typed = {
      model: "sim-chat",
      max_tokens: 64,
      top_k: 3,
      messages: [{ role: "user", content: "<b>Hi</b>" }],
    };
    await field.fill(JSON.stringify(typed));
    await pane.getByText(/Differs from the other panes in .*top-k/).waitFor();
    await page.keyboard.press("Control+Enter");
    await pane.getByText("You said: <b>Hi</b>").waitFor();
    await pane.getByRole("button", { name: "Use for all panes" }).click();
    await expect.poll(() => page.getByLabel("User message 1").inputValue()).toBe("<b>Hi</b>");
    const other = paneOf("sim-chat, Generate content");
    await other.getByRole("button", { name: /^Body/ }).click();
    await other.getByText('"topK": 3').waitFor();
    expect(faults).toEqual([]);
  });

  it("opens a request with its body, and a link with its draft, and asks for a sign-in over the page", async () => {
    const generation = await server.chat("sim-chat", "Say hello");
    const { page } = await reopen(watched, `/console/play?request=${generation}`);
    const pane = paneOf("sim-chat, Chat");
    await expect.poll(() => page.getByLabel("User message 1").inputValue()).toBe("Say hello");
    expect(new URL(page.url()).search).toBe("");
    await pane.getByRole("button", { name: /^Body/ }).click();
    await pane.getByText('"seed": 7').waitFor();
    await page.getByLabel("User message 1").fill("Shared");
    await page.getByRole("button", { name: "Share" }).click();
    await page.waitForURL(/#draft=/);
    const link = page.url();
    await page.getByLabel("User message 1").fill("Changed since");
    await page.goto("about:blank");
    await page.goto(link);
    await expect.poll(() => page.getByLabel("User message 1").inputValue()).toBe("Shared");
    await page.context().clearCookies();
    await page.keyboard.press("Control+Enter");
    const again = page.getByRole("dialog", { name: "Your session has ended" });
    await again.getByLabel("Password").fill(PASSWORD);
    await again.getByRole("button", { name: "Sign in" }).click();
    await again.waitFor({ state: "detached" });
    expect(await page.getByLabel("User message 1").inputValue()).toBe("Shared");
    await page.getByRole("button", { name: "Send", exact: true }).first().click();
    await pane.getByText("You said: Shared").waitFor();
  });

  it("shows nothing of an account to another that signs in over its page", async () => {
    const post = (path: string, body: object): Promise<Response> => {
      const headers = { "x-admin-key": ADMIN, "content-type": "application/json" };
      const url = `${server.origin}/api/admin${path}`;
      return fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    };
    const { id } = await (await post("/accounts", { name: "other" })).json();
    await post(`/accounts/${id}/password`, { login: "other", password: PASSWORD });
    const { page, close } = await openPage(browser, server.origin, VIEWS.light!);
    await signIn(page, "dev", PASSWORD);
    await page.goto("/console/play");
    await page.getByLabel("User message 1").fill("Of the first account");
    await page.context().clearCookies();
    await page.keyboard.press("Control+Enter");
    const again = page.getByRole("dialog", { name: "Your session has ended" });
    await again.getByLabel("Account").fill("other");
    await again.getByLabel("Password").fill(PASSWORD);
    await again.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Playground" }).first().click();
    await page.getByLabel("User message 1").waitFor();
    expect(await page.getByLabel("User message 1").inputValue()).not.toBe("Of the first account");
    await close();
  });

  it("disables what no model of the draft takes, and names one that does", async () => {
    // Declared models take the place of those of a start without a file.
    const params = { temperature: { type: "range", min: 0, max: 1 } };
    const capabilities = { strictParams: true, text: { supportedParameters: ["maxTokens"], params } };
    const entry = { provider: "simulator-chatstyle", name: "sim-text", price: { input: 1, output: 2 } };
    const changes = [
      { section: "models", name: "strict", value: { entries: [{ ...entry, capabilities }] } },
      { section: "models", name: "lenient", value: { entries: [entry] } },
    ];
    const declared = await fetch(`${server.origin}/api/admin/declarations`, {
      method: "POST",
      headers: { "x-admin-key": ADMIN, "content-type": "application/json" },
      body: JSON.stringify({ changes, confirm: true }),
    });
    expect(await declared.json()).toMatchObject({ isApplied: true });
    const { page } = await reopen(watched, "/console/play?model=strict");
    await page.getByText("numbers from 0 to 1").waitFor();
    const refused = page.locator(".refused", { hasText: "Top-p" });
    await refused.getByText("Not taken by strict.").waitFor();
    expect(await page.getByLabel("Top-p").count()).toBe(0);
    await refused.getByRole("button", { name: "Use lenient" }).click();
    await page.getByLabel("Top-p").waitFor();
  });
});

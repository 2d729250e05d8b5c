import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { barriers, choose, launch, missing, openPage, signIn, VIEWS, type Watched } from "./browser.ts";
import { type Console, PASSWORD, startConsole } from "./start.ts";

const HOUR = 3_600_000;

describe.skipIf(missing)(`the frame of the console ${missing ?? ""}`, () => {
  let server: Console;
  let browser: Awaited<ReturnType<typeof launch>>;
  let watched: Watched;
  let generation: string;
  beforeAll(async () => {
    server = await startConsole();
    browser = await launch();
    watched = await openPage(browser, server.origin, { ...VIEWS.light!, timezoneId: "Asia/Tokyo" });
    await signIn(watched.page, "dev", PASSWORD);
    generation = await server.chat();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it("goes to what an id belongs to, to screens and to commands, by the keyboard alone", async () => {
    const { page, faults } = watched;
    const find = async (text: string): Promise<void> => {
      await page.keyboard.press("Control+k");
      await page.locator("[role=combobox]:focus").waitFor();
      await page.keyboard.type(text);
    };
    await find(generation);
    await page.getByRole("option", { name: generation }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /^Request to/ }).waitFor();
    await find("balan");
    await page.keyboard.press("Enter");
    await page.locator("h1:focus", { hasText: "Balance" }).waitFor();
    await find("create key");
    await page.getByRole("option", { name: "Create a key" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: /key/ }).waitFor();
    await page.keyboard.press("Escape");
    await find("theme dark");
    await page.keyboard.press("Enter");
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    await find("no such thing");
    await page.getByText("Nothing has this id or name.").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("[role=combobox]").waitFor({ state: "detached" });
    expect(faults).toEqual([]);
  });

  it("hands the focus on where what had it is taken away", async () => {
    const { page, close } = await openPage(browser, server.origin, VIEWS.light!);
    await signIn(page, "dev", PASSWORD);
    const focused = (element: string, text: string): Promise<void> =>
      page.locator(`${element}:focus`, { hasText: text }).waitFor();
    await focused("h1", "Home");
    await page.goto("/console/requests?status=failed&model=sim-chat");
    await page.getByRole("button", { name: "Remove the filter Model" }).press("Enter");
    await focused(".chip button", "Status is");
    await page.getByRole("button", { name: "Remove the filter Status" }).press("Enter");
    await focused(".chip button", "+ Filter");
    await page.goto("/console/keys");
    await page.getByRole("button", { name: "Create key" }).press("Enter");
    await page.locator("dialog input:focus").waitFor();
    await page.keyboard.type("passing");
    await page.keyboard.press("Enter");
    await page.locator("dialog .secret").waitFor();
    await focused("dialog button", "Copy");
    await page.keyboard.press("Escape");
    await focused("main button", "Create key");
    await close();
  });

  it("shows times in UTC or in the zone of the browser, and says which", async () => {
    const { page } = watched;
    await page.goto("/console/requests");
    const time = page.locator("tbody time").first();
    const at = Date.parse((await time.getAttribute("datetime"))!);
    const text = (shift: number): string => new Date(at + shift).toISOString().slice(0, 19).replace("T", " ");
    expect(await time.textContent()).toBe(text(0));
    await page.getByRole("columnheader", { name: "Time (UTC)" }).waitFor();
    await page.getByRole("button", { name: "Times in UTC" }).click();
    await page.getByRole("columnheader", { name: "Time (GMT+9)" }).waitFor();
    expect(await time.textContent()).toBe(text(9 * HOUR));
    await page.reload();
    await page.getByRole("columnheader", { name: "Time (GMT+9)" }).waitFor();
    await page.getByRole("button", { name: "Times in GMT+9" }).click();
  });

  it("has its choices walked through by arrow keys and letters, and leaves the value by Escape", async () => {
    const { page } = watched;
    await page.goto("/console/requests");
    const range = page.getByRole("button", { name: /^Range/ });
    await range.focus();
    await page.keyboard.press("ArrowDown");
    const list = page.getByRole("listbox", { name: "Range" });
    await list.waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press("y");
    expect(await list.locator(".active").textContent()).toBe("yesterday");
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    expect(await range.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(new URL(page.url()).search).toBe("");
    await page.keyboard.press("Enter");
    await page.keyboard.type("7 d");
    await page.keyboard.press("Enter");
    await page.waitForURL(/days=7/);
    await page.getByRole("button", { name: "Range 7 days" }).waitFor();
  });

  it("shows characters that turn a text around, in place of obeying them", async () => {
    const { page } = watched;
    const made = await page.evaluate(async () => {
      const headers = { "x-console": "1", "content-type": "application/json" };
      const body = JSON.stringify({ name: "safe\u202eevil" });
      return (await fetch("/api/compat/v1/api-keys", { method: "POST", headers, body })).status;
    });
    expect(made).toBeLessThan(300);
    await page.goto("/console/keys");
    await page.getByText("safe[U+202E]evil").waitFor();
    expect(await page.locator("main").textContent()).not.toContain("\u202e");
  });

  it("shows no rows of other filters while there is no connection", async () => {
    const { page } = watched;
    await page.goto("/console/requests");
    await page.locator("tbody time").first().waitFor();
    await page.context().setOffline(true);
    await page.getByText("There is no connection.").waitFor();
    await choose(page, "Range", "7 days");
    await page.getByText("Waiting for a connection to load requests").waitFor();
    expect(await page.locator("tbody time").count()).toBe(0);
    await page.context().setOffline(false);
    await page.locator("tbody time").first().waitFor();
  });

  it("lets readers choose the columns of a list, and keeps the choice", async () => {
    const { page } = watched;
    await page.goto("/console/requests");
    const head = page.getByRole("columnheader", { name: "Duration" });
    await head.waitFor();
    await page.getByRole("button", { name: "Columns all" }).click();
    await page.getByRole("option", { name: "Duration" }).click();
    await head.waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.reload();
    await page.getByRole("columnheader", { name: "Cost" }).waitFor();
    expect(await head.count()).toBe(0);
    await page.getByRole("button", { name: /^Columns/ }).click();
    await page.getByRole("option", { name: "Duration" }).click();
    await head.waitFor();
  });

  it("folds its rail to icons, which keep their names", async () => {
    const { page } = watched;
    await page.getByRole("button", { name: "Fold the navigation" }).click();
    const link = page.getByRole("link", { name: "Balance" });
    expect((await link.boundingBox())!.width).toBeLessThan(56);
    await page.reload();
    await page.getByRole("button", { name: "Unfold the navigation" }).click();
    expect((await link.boundingBox())!.width).toBeGreaterThan(100);
  });

  it("has the main screens at the foot of a phone, and all others behind them", async () => {
    const { page, close, faults } = await openPage(browser, server.origin, VIEWS.phone!);
    await signIn(page, "dev", PASSWORD);
    const bar = page.getByRole("navigation", { name: "Main screens" });
    expect(await bar.locator("a, button").allInnerTexts()).toEqual([
      "Home",
      "Requests",
      "Playground",
      "Keys",
      "More",
    ]);
    await bar.getByRole("button", { name: "More" }).tap();
    const all = page.getByRole("navigation", { name: "Screens", exact: true });
    expect(await barriers(page)).toEqual([]);
    await all.getByRole("link", { name: "Voices" }).tap();
    await page.getByRole("heading", { name: "Voices", level: 1 }).waitFor();
    await all.waitFor({ state: "hidden" });
    expect(faults).toEqual([]);
    await close();
  });
});

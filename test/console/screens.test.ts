import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { barriers, launch, missing, openPage, settled, signIn, VIEWS } from "./browser.ts";
import { type Console, PASSWORD, startConsole } from "./start.ts";

/** The screens and the first heading of each. */
const SCREENS: Record<string, string> = {
  "/console": "Home",
  "/console/requests": "Requests",
  "/console/play": "Playground",
  "/console/usage?by=model": "Usage",
  "/console/keys": "Keys",
  "/console/balance": "Balance",
  "/console/jobs": "Jobs",
  "/console/assets": "Assets",
  "/console/models": "Models",
  "/console/voices": "Voices",
  "/console/api": "API",
  "/console/live": "Live",
  "/console/explain": "Explain",
};

describe.skipIf(missing)(`screens of the console ${missing ?? ""}`, () => {
  let server: Console;
  let browser: Awaited<ReturnType<typeof launch>>;
  let generation: string;
  beforeAll(async () => {
    server = await startConsole({}, ["demo", "--requests", "200"]);
    browser = await launch();
    generation = await server.chat("sim-messages");
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it.each(Object.entries(VIEWS))(
    "hold no barrier, error or foreign request (%s)",
    async (_, view) => {
      const { page, faults, close } = await openPage(browser, server.origin, view);
      const found: Record<string, string[]> = { "sign-in": [] };
      await page.goto("/console");
      await page.getByLabel("Account").waitFor();
      found["sign-in"] = await barriers(page);
      await signIn(page, "dev", PASSWORD);
      for (const [path, heading] of Object.entries(SCREENS)) {
        await page.goto(path);
        await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
        await settled(page);
        found[path] = await barriers(page);
      }
      for (const tab of ["way", "losses", "price", "ledger", "raw"]) {
        await page.goto(`/console/requests/${generation}?tab=${tab}`);
        await page.getByRole("heading", { name: "Request to sim-messages" }).waitFor();
        found[tab] = await barriers(page);
      }
      await close();
      expect(Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0))).toEqual({});
      expect(faults).toEqual([]);
    },
    120_000,
  );

  it("let a first-run link in once, and nobody after it", async () => {
    const first = await openPage(browser, server.origin, VIEWS.light!);
    await first.page.goto(server.link);
    await first.page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    expect(first.page.url()).not.toContain("once");
    await first.close();
    const second = await openPage(browser, server.origin, VIEWS.light!);
    await second.page.goto(server.link);
    await second.page.getByText("This link was used or has expired.").waitFor();
    await second.close();
  });

  it("create a key with a cap, show it once, and revoke it, by the keyboard alone", async () => {
    const { page, faults, close } = await openPage(browser, server.origin, VIEWS.light!);
    await signIn(page, "dev", PASSWORD);
    await page.keyboard.press("g");
    await page.keyboard.press("k");
    await page.getByRole("button", { name: "Create key" }).focus();
    await page.keyboard.press("Enter");
    await page.locator("dialog input:focus").waitFor();
    await page.keyboard.type("nightly <b>job</b>");
    await page.keyboard.press("Tab");
    await page.keyboard.type("0.5");
    await page.keyboard.press("Enter");
    const raw = await page.locator(".secret code").textContent();
    expect(raw).toMatch(/^mfk_/);
    await page.getByRole("button", { name: "Done" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: "nightly <b>job</b>", exact: true }).waitFor();
    await page.getByRole("cell", { name: "$0.00 of $0.50", exact: true }).waitFor();
    await page.getByRole("button", { name: "Revoke nightly" }).focus();
    await page.keyboard.press("Enter");
    await page.locator("dialog input:focus").waitFor();
    await page.keyboard.type("nightly <b>job</b>");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /nightly.*revoked/ }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("keep what was typed where the session ends", async () => {
    const { page, close } = await openPage(browser, server.origin, VIEWS.light!);
    await signIn(page, "dev", PASSWORD);
    await page.goto("/console/keys");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByLabel("Name").fill("kept");
    await page.context().clearCookies();
    await page.locator("dialog").getByRole("button", { name: "Create key" }).click();
    const again = page.getByRole("dialog", { name: "Your session has ended" });
    await again.getByLabel("Password").fill(PASSWORD);
    await again.getByRole("button", { name: "Sign in" }).click();
    await again.waitFor({ state: "detached" });
    expect(await page.getByLabel("Name").inputValue()).toBe("kept");
    await close();
  });
});

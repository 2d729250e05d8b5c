import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { usd } from "../../packages/console/web/src/format.ts";
import {
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

/** The screens and the first heading of each, but for those that media.test.ts shows with something in them. */
const SCREENS: Record<string, string> = {
  "/console": "Home",
  "/console/requests": "Requests",
  "/console/play": "Playground",
  "/console/assets": "Assets",
  "/console/usage?by=model": "Usage",
  "/console/keys": "Keys",
  "/console/balance": "Balance",
  "/console/models": "Models",
  "/console/voices": "Voices",
  "/console/api": "API",
  "/console/live": "Live",
  "/console/explain": "Explain",
};

/** Those that show each kind of component: figures with charts, a table with filters, a form with an answer. */
const IN_EVERY_VIEW = ["/console", "/console/requests", "/console/play"];

describe.skipIf(missing)(`screens of the console ${missing ?? ""}`, () => {
  let server: Console;
  let browser: Awaited<ReturnType<typeof launch>>;
  let watched: Watched;
  let generation: string;
  beforeAll(async () => {
    server = await startConsole({}, ["demo", "--requests", "60"]);
    browser = await launch();
    watched = await openPage(browser, server.origin, VIEWS.light!);
    generation = await server.chat("sim-messages");
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  describe("in every view", { timeout: 120_000 }, () => {
    it("hold no barrier, error or foreign request before a sign-in", async () => {
      const { page, faults } = watched;
      await page.goto("/console");
      await page.getByLabel("Account").waitFor();
      expect(await barriersInViews(page)).toEqual([]);
      await signIn(page, "dev", PASSWORD);
      expect(faults).toEqual([]);
    });

    it.each(Object.entries(SCREENS))(
      "hold no barrier, error or foreign request at %s",
      async (path, heading) => {
        const { page, faults } = watched;
        await follow(page, path);
        await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
        await settled(page);
        expect(await layoutShift(page)).toBeLessThan(0.1);
        expect(await barriersInViews(page, { isLike: !IN_EVERY_VIEW.includes(path) })).toEqual([]);
        expect(faults).toEqual([]);
      },
    );

    it.each(["way", "losses", "price", "ledger", "raw"])(
      "hold no barrier, error or foreign request in a request's tab %s",
      async (tab) => {
        const { page, faults } = watched;
        await follow(page, `/console/requests/${generation}?tab=${tab}`);
        await page.getByRole("heading", { name: "Request to sim-messages" }).waitFor();
        expect(await barriersInViews(page, { isLike: tab !== "way" })).toEqual([]);
        expect(faults).toEqual([]);
      },
    );
  });

  it("show operators the usage of all accounts as the sum of theirs, and lead to that of one", async () => {
    const { page, faults, close } = await openPage(browser, server.origin, VIEWS.light!);
    await signInOperator(page, ADMIN);
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    await choose(page, "Split by", "account");
    await page.getByRole("columnheader", { name: "Harbour Books" }).waitFor();
    const to = new Date().toISOString();
    const from = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const sums = async (path: string, query: object, headers: Record<string, string>) => {
      const search = new URLSearchParams({ from, to, ...query });
      return (await (await fetch(`${server.origin}${path}/usage/series?${search}`, { headers })).json()) as {
        total: { requests: number; microCost: number };
        series: { name: string; displayName: string; total: object }[];
      };
    };
    const operator = { "x-admin-key": ADMIN };
    const all = await sums("/api/admin", { by: "account" }, operator);
    const own = await Promise.all(
      all.series.map(({ name }) => sums("/api/admin", { account: name }, operator)),
    );
    expect(all.series.map(({ displayName }) => displayName).sort()).toEqual([
      "Field Lab",
      "Harbour Books",
      "dev",
    ]);
    for (const sum of ["requests", "microCost"] as const)
      expect(own.reduce((of, { total }) => of + total[sum], 0)).toBe(all.total[sum]);
    const at = all.series.findIndex(({ displayName }) => displayName === "dev");
    expect((await sums("/api/compat/v1", {}, { "x-api-key": KEY })).total).toEqual(own[at]!.total);
    await page.locator(".legend").getByRole("link", { name: "dev" }).click();
    await page.getByRole("button", { name: /^Account dev / }).waitFor();
    const spend = usd(own[at]!.total.microCost / 1_000_000);
    await page.getByText(`Spend: ${spend}`).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("have room for text of twice the size, on a laptop and on the narrowest phone", async () => {
    const wider = async (view: BrowserContextOptions, paths: readonly string[]): Promise<string[]> => {
      const { page, close } = await openPage(browser, server.origin, view);
      await signIn(page, "dev", PASSWORD);
      const found: string[] = [];
      for (const path of paths) {
        await follow(page, path);
        await settled(page);
        await page.evaluate(() => {
          document.documentElement.style.fontSize = "200%";
        });
        const over = (): Promise<number> =>
          page.evaluate(() => {
            const { scrollWidth, clientWidth } = document.documentElement;
            const names = [...document.querySelectorAll(".chart text")].map((name) => {
              const [inner, outer] = [name, name.closest("svg")!].map((one) => one.getBoundingClientRect());
              return Math.max(outer!.left - inner!.left, inner!.right - outer!.right);
            });
            return Math.max(scrollWidth - clientWidth, ...names.map(Math.floor));
          });
        // Charts are drawn anew once they know their width.
        await expect
          .poll(over, { timeout: 2_000 })
          .toBeLessThanOrEqual(0)
          .catch(() => found.push(path));
      }
      await close();
      return found;
    };
    expect(
      await wider({ viewport: { width: 1280, height: 800 } }, [...IN_EVERY_VIEW, "/console/usage"]),
    ).toEqual([]);
    expect(await wider(VIEWS.narrow!, Object.keys(SCREENS))).toEqual([]);
  });

  it("keep their place where the picture of a list has nothing to show, and comes before the list", async () => {
    const { page } = watched;
    const seen = page.waitForResponse(/usage\/series/);
    await page.route(/v1\/usage\?/, async (route) => {
      await seen;
      await route.continue();
    });
    await reopen(watched, "/console/requests?model=no-such-model");
    await page.getByText("No request matches these filters.").waitFor();
    await page.unroute(/v1\/usage\?/);
    await page.getByText("In the last 30 days: none").waitFor();
    expect(await layoutShift(page)).toBeLessThan(0.1);
  });

  it("draw some hundred rows or options of thousands, and more of them when asked", async () => {
    const { page } = watched;
    await page.route("**/api/v1/ai/models", async (route) => {
      const response = await route.fetch();
      const models: Record<string, unknown>[] = await response.json();
      const model = models.find(({ modelId }) => modelId === "sim-large");
      const of = (at: number): object => ({ ...model, modelId: `model-${at}`, displayName: `Model ${at}` });
      await route.fulfill({ response, json: Array.from({ length: 450 }, (_, at) => of(at)) });
    });
    await reopen(watched, "/console/models");
    const rows = page.locator("tbody tr");
    await page.getByRole("button", { name: "Show 200 more of 450" }).press("Enter");
    await page.getByRole("button", { name: "Show 50 more of 450" }).press("Enter");
    await page.getByRole("button", { name: /^Show .* more/ }).waitFor({ state: "detached" });
    expect(await rows.count()).toBe(450);
    // Reading goes on with the first row that was added.
    expect(await rows.nth(400).locator(":focus").count()).toBe(1);
    await follow(page, "/console/play");
    await page.getByRole("heading", { name: "Playground", level: 1 }).waitFor();
    await page.getByRole("button", { name: /^Model / }).press("Enter");
    const options = page.getByRole("option");
    await expect.poll(() => options.count()).toBe(200);
    await options.last().scrollIntoViewIfNeeded();
    await expect.poll(() => options.count()).toBe(400);
    expect(await page.getByRole("listbox").evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
    await page.unroute("**/api/v1/ai/models");
  });

  it("show what a request cost and how long it took on the screen of a laptop, and whose it was", async () => {
    const laptop = { viewport: { width: 1280, height: 800 } };
    const cut = (page: Page): Promise<string[]> =>
      page.evaluate(() => {
        const isWider = (inner: Element, outer: Element): boolean =>
          inner.getBoundingClientRect().right > outer.getBoundingClientRect().right + 1;
        const tables = [...document.querySelectorAll(".table")].flatMap((table) =>
          [...table.querySelectorAll("thead th")].filter((head) => isWider(head, table)),
        );
        const figures = [...document.querySelectorAll(".figures li")].flatMap((box) =>
          [...box.children, ...box.querySelectorAll("b")].filter((one) => isWider(one, box)),
        );
        return [...tables, ...figures].map(({ textContent }) => textContent);
      });
    const own = await openPage(browser, server.origin, laptop);
    await signIn(own.page, "dev", PASSWORD);
    for (const path of ["/requests", "/jobs", "/models"]) {
      await follow(own.page, `/console${path}`);
      await own.page.getByRole("table").waitFor();
      expect(await cut(own.page), path).toEqual([]);
    }
    await own.close();
    const { page, faults, close } = await openPage(browser, server.origin, laptop);
    await signInOperator(page, ADMIN);
    await follow(page, "/console/providers/simulator-msgstyle");
    await page.getByRole("heading", { name: "Now" }).waitFor();
    expect(await cut(page)).toEqual([]);
    expect(await page.getByRole("link", { name: "Change" }).getAttribute("href")).toContain(
      "tab=providers&name=simulator-msgstyle",
    );
    await follow(page, "/console/requests");
    await page.getByRole("columnheader", { name: "Duration" }).waitFor();
    await page.getByText("In the last 30 days:").waitFor();
    expect(await cut(page)).toEqual([]);
    await follow(page, `/console/requests/${generation}`);
    await page.getByRole("link", { name: "simulator-msgstyle", exact: true }).waitFor();
    await page.getByRole("link", { name: "development", exact: true }).click();
    await page.getByRole("link", { name: "dev", exact: true }).click();
    await page.getByRole("heading", { name: "dev", level: 1 }).waitFor();
    await page.getByRole("link", { name: "All requests" }).click();
    await page.getByRole("button", { name: "Account is dev" }).waitFor();
    await page
      .getByRole("row", { name: / sim-messages / })
      .first()
      .waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("let a first-run link in once, and nobody after it", async () => {
    const first = await openPage(browser, server.origin, VIEWS.phone!);
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
    const { page, faults } = await reopen(watched);
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
    await page
      .getByRole("row", { name: /^nightly/ })
      .getByText("$0.00 of $0.50")
      .waitFor();
    await command(page, /^Actions of nightly/, "Revoke");
    await page.locator("dialog input:focus").waitFor();
    await page.keyboard.type("nightly <b>job</b>");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /nightly.*revoked/ }).waitFor();
    expect(faults).toEqual([]);
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

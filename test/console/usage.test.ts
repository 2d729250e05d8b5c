import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Counts,
  costOf,
  MODALITIES,
  type Modality,
  openSqlite,
  type Price,
  type Store,
} from "@manifold-gateway/store";
import fc from "fast-check";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { usd } from "../../packages/console/web/src/format.ts";
import { total } from "../../packages/console/web/src/price.ts";
import { choose, launch, missing, openPage, reopen, signIn, VIEWS, type Watched } from "./browser.ts";
import { type Console, PASSWORD, startConsole } from "./start.ts";

const MADE = 1_000;
/** Of how many of them the lines and movements are read one by one. */
const READ = 200;
/** The models of each modality, and all of them. */
const OF_EACH = 8;
const MODELS = OF_EACH * MODALITIES.length;
const DAY = 86_400_000;

const millis = fc.nat(90_000).map((ms) => ms / 1_000);
/** What is counted and priced of each modality. */
const USAGE: Record<Modality, fc.Arbitrary<Counts>> = {
  text: fc.record({
    input: fc.nat(9_000),
    output: fc.nat(3_000),
    cacheRead: fc.nat(500),
    reasoning: fc.nat(900),
  }),
  image: fc.record({ images: fc.integer({ min: 1, max: 4 }) }),
  video: fc.record({ seconds: millis }),
  ranking: fc.oneof(fc.record({ searchUnits: fc.nat(9) }), fc.record({ input: fc.nat(9_000) })),
  moderation: fc.record({ input: fc.nat(9_000) }),
  audio: fc.oneof(fc.record({ characters: fc.nat(4_000) }), fc.record({ seconds: millis })),
};
const PRICE: Price = {
  ...{ input: 1_000_000, output: 2_000_003, cacheRead: 100_001, reasoning: 3_000_000 },
  ...{ images: 40_000_000_000, seconds: 35_000_000_001, characters: 15_000_000 },
  searchUnits: 2_000_000_000,
};

/** Records of every modality over the last days, as a gateway writes them. */
async function fill(store: Store): Promise<void> {
  const { id: accountId } = (await store.accounts.findLogin("dev"))!.account;
  const [key] = await store.keys.list(accountId);
  const now = Date.now();
  await store.accounts.credit({ accountId, amount: 10 ** 12, kind: "topup", reference: "fill", at: now });
  const records = fc.sample(
    fc.constantFrom(...MODALITIES).chain((modality) =>
      fc.record({
        modality: fc.constant(modality),
        usage: USAGE[modality],
        ago: fc.integer({ min: 60_000, max: 20 * DAY }),
        model: fc.constantFrom(...Array.from({ length: OF_EACH }, (_, n) => `${modality}-${n}`)),
        status: fc.constantFrom("succeeded", "succeeded", "failed", "aborted"),
        surface: fc.constantFrom("native", "chatstyle"),
        entry: fc.constantFrom("e1", "e2", "e3"),
        durationMs: fc.nat(200_000),
      }),
    ),
    { numRuns: MADE, seed: 7 },
  );
  await Promise.all(
    records.map(async ({ modality, model, ago, status, surface, entry, usage, durationMs }, n) => {
      const id = `made-${n}`;
      const asked = { modality, model, surface, price: { ...PRICE } };
      const generation = { id, accountId, keyId: key!.id, ...asked };
      await store.money.reserve({ generation, amount: 1, at: now - ago, policy: "threshold" });
      const cost = costOf(usage, PRICE);
      await store.money.settle({
        id,
        accountId,
        cost,
        status: status as "failed",
        usage: { ...usage },
        durationMs,
        route: { entry },
      });
    }),
  );
}

interface Listed {
  id: string;
  usdCost: number;
  modality: string;
}

/** Answers of the service to the page's own session. */
const read = <T>(page: Page, paths: string[]): Promise<T[]> =>
  page.evaluate(
    (all) =>
      Promise.all(
        all.map((path) => fetch(path, { headers: { "x-console": "1" } }).then((one) => one.json())),
      ),
    paths,
  );

const micro = (amount: number): number => Math.round(amount * 1_000_000);

describe.skipIf(missing)(`usage in the console ${missing ?? ""}`, () => {
  let server: Console;
  let browser: Awaited<ReturnType<typeof launch>>;
  let watched: Watched;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "manifold-usage-"));
    const path = join(folder, "manifold.db");
    server = await startConsole({ DATABASE_URL: `sqlite:${path}` });
    const store = await openSqlite({ path });
    await fill(store);
    expect(await store.money.audit()).toEqual([]);
    await store.close();
    browser = await launch();
    watched = await openPage(browser, server.origin, VIEWS.light!);
    await signIn(watched.page, "dev", PASSWORD);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("adds up: price lines to costs, the ledger to the balance, the series to the list", {
    timeout: 60_000,
  }, async () => {
    const { page, faults } = await reopen(watched);
    const list: Listed[] = [];
    for (let after: string | undefined = "0"; after !== undefined; ) {
      const url: string = `/api/compat/v1/usage?after=${after}&limit=500&request=false`;
      const answers: { results: Listed[]; next?: string }[] = await read(page, [url]);
      const [answer] = answers;
      list.push(...answer!.results);
      after = answer!.next;
    }
    expect(list.length).toBe(MADE);
    expect(new Set(list.map(({ modality }) => modality)).size).toBe(MODALITIES.length);

    type Detail = { microCost: number; lines: Parameters<typeof total>[0]; movements: { amount: number }[] };
    for (let at = 0; at < READ; at += 100) {
      const part = list.slice(at, at + 100);
      const details = await read<Detail>(
        page,
        part.map(({ id }) => `/api/compat/v1/usage/${id}`),
      );
      for (const [n, { microCost, lines, movements }] of details.entries()) {
        expect(Number(total(lines))).toBe(microCost);
        expect(microCost).toBe(micro(part[n]!.usdCost));
        expect(movements.reduce((sum, { amount }) => sum + micro(amount), 0)).toBe(0 - microCost);
      }
    }

    const [{ total: movements }] = (await read<{ total: number }>(page, [
      "/api/compat/v1/ledger?limit=1",
    ])) as [{ total: number }];
    const pages = Array.from({ length: Math.ceil(movements / 100) }, (_, n) => n * 100);
    const ledger = await read<{ results: { amount: number }[] }>(
      page,
      pages.map((offset) => `/api/compat/v1/ledger?limit=100&offset=${offset}`),
    );
    const moved = ledger
      .flatMap(({ results }) => results)
      .reduce((sum, { amount }) => sum + micro(amount), 0);
    const [account] = await read<{ creditBalance: number }>(page, ["/api/compat/v1/account"]);
    expect(moved).toBe(micro(account!.creditBalance));

    const spent = list.reduce((sum, { usdCost }) => sum + micro(usdCost), 0);
    await page.goto("/console/usage?by=model");
    await page.getByText(`Spend: ${usd(spent / 1_000_000)}`).waitFor();
    const names = await page.locator(".legend li").allInnerTexts();
    expect(names.length).toBe(7);
    expect(names.at(-1)).toMatch(new RegExp(`^${MODELS - (names.length - 1)} others`));
    // Each says what it came to in the range before, but for the others.
    await expect
      .poll(() =>
        page
          .locator(".legend li")
          .getByText(/^ ?before: /)
          .count(),
      )
      .toBe(6);
    await page.goto("/console/usage?measure=requests&by=modality&bucket=week");
    const all = page.getByRole("row", { name: /^all/ });
    await all.waitFor();
    const counts = await all.getByRole("cell").allInnerTexts();
    expect(counts.slice(1).reduce((sum, text) => sum + Number(text), 0)).toBe(MADE);
    expect(faults).toEqual([]);
  });

  it("leads from a peak to one generation and its line of the ledger, by the keyboard alone", async () => {
    const { page, faults } = await reopen(watched);
    await page.keyboard.press("g");
    await page.keyboard.press("u");
    await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
    const peak = page.locator("main p a");
    const day = await peak.textContent();
    const reach = async (what: ReturnType<Page["locator"]>): Promise<void> => {
      for (let n = 0; n < 80; n++) {
        if (await what.evaluate((one) => one === document.activeElement)) return;
        await page.keyboard.press("Tab");
      }
      throw new Error("the keyboard does not get there");
    };
    await reach(peak);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
    const first = page.locator("tbody a").first();
    await first.waitFor();
    for (const time of await page.locator("tbody time").allInnerTexts()) expect(time.slice(0, 10)).toBe(day);
    await reach(first);
    await page.keyboard.press("Enter");
    const whole = page.getByRole("link", { name: "Open as a page" });
    await whole.waitFor();
    await reach(whole);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/console\/requests\/\w/);
    await page.getByRole("heading", { name: /^Request to/, level: 1 }).waitFor();
    await reach(page.getByRole("tab").first());
    for (let n = 0; n < 6 && !/price/.test(page.url()); n++) await page.keyboard.press("ArrowRight");
    await page
      .getByRole("cell", { name: /charge/ })
      .first()
      .waitFor();
    expect(faults).toEqual([]);
  });

  /** The lines of the file that a button or a link of this name downloads, and the file's name. */
  const downloaded = async (page: Page, role: "button" | "menuitem", name: RegExp) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole(role, { name }).click()]);
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    return { file: file.suggestedFilename(), lines: Buffer.concat(chunks).toString().trim().split("\r\n") };
  };

  it("gives the same figures as a file, with every model beyond those of the chart", async () => {
    const { page } = await reopen(watched, "/console/usage?measure=requests&bucket=day&by=model");
    const { file, lines } = await downloaded(page, "button", /^Download \d+ rows as CSV/);
    const [head, ...rows] = lines.map((line) => line.split(","));
    expect(file).toMatch(/^usage_requests_by-model_from-[\d-]+_to-[\d-]+\.csv$/);
    expect(head?.length).toBe(1 + MODELS);
    expect(rows.flatMap((row) => row.slice(1)).reduce((sum, cell) => sum + Number(cell), 0)).toBe(MADE);
  });

  it("downloads every request that matches, from whichever page, and says how many beforehand", async () => {
    const { page } = await reopen(watched);
    const [{ results, next }] = (await read<{ results: { id: string }[]; next: string }>(page, [
      "/api/compat/v1/usage?after=0&limit=500&request=false",
    ])) as [{ results: { id: string }[]; next: string }];
    expect(results.length).toBe(500);
    await page.goto(`/console/requests?after=${next}`);
    await page.getByRole("button", { name: "Export 1,000 rows" }).click();
    const without = page.getByRole("menu").getByText("Without refused requests");
    await without.waitFor();
    const { lines } = await downloaded(page, "menuitem", /CSV/);
    expect(lines.length).toBe(1 + MADE);
    await page.goto("/console/requests?status=failed");
    const button = page.getByRole("button", { name: /^Export \d+ rows/ });
    const text = await button.textContent();
    await button.click();
    expect(await without.count()).toBe(0);
    const failed = await downloaded(page, "menuitem", /CSV/);
    expect(failed.file).toBe("requests_status-failed.csv");
    expect(`Export ${failed.lines.length - 1} rows`).toBe(text);
  });

  it("says what the month comes to of what the screen is narrowed to", async () => {
    const { page } = await reopen(watched, "/console/usage?model=image-1");
    await page.getByRole("heading", { name: "This month, with these filters" }).waitFor();
    const begin = `${new Date().toISOString().slice(0, 7)}-01`;
    const path = `/api/compat/v1/usage/series?model=image-1&from=${begin}&bucket=month`;
    const [{ total }] = (await read<{ total: { usdCost: number } }>(page, [path])) as [
      { total: { usdCost: number } },
    ];
    await page.getByText(`${usd(total.usdCost)} so far.`).waitFor();
  });

  it("shows the requests of a day that is typed in both fields, and the failed ones always in one colour", async () => {
    const { page, faults } = await reopen(watched, "/console/requests");
    await page.locator("tbody time").first().waitFor();
    const day = new Date(Date.now() - 3 * DAY).toISOString().slice(0, 10);
    await page.getByRole("textbox", { name: "From" }).fill(day);
    await page.getByRole("textbox", { name: "To" }).fill(day);
    await page.waitForURL(/to=/);
    await page.waitForFunction(
      (day) =>
        [...document.querySelectorAll("tbody time")].every((time) => time.textContent?.startsWith(day)) &&
        document.querySelector("tbody time") !== null,
      day,
    );
    expect(await page.getByRole("textbox", { name: "To" }).inputValue()).toBe(day);
    const colour = async (): Promise<string> => {
      const failed = page.locator(".legend li").filter({ hasText: "failed" });
      return failed.locator("rect").evaluate((one) => getComputedStyle(one).fill);
    };
    const among = await colour();
    await page.getByRole("button", { name: "+ Filter" }).click();
    await page.getByRole("button", { name: "Status" }).click();
    await page.getByRole("option", { name: "failed" }).click();
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.querySelectorAll(".legend li").length === 1);
    expect(await colour()).toBe(among);
    await choose(page, "Range", "yesterday");
    await page.waitForURL((url) => !url.searchParams.has("from"));
    const yesterday = new Date(Date.now() - DAY).toISOString().slice(0, 10);
    expect(await page.getByRole("textbox", { name: "To" }).inputValue()).toBe(yesterday);
    expect(faults).toEqual([]);
  });

  it("splits by surface and by entry, and leads from each to its requests", async () => {
    const { page, faults } = await reopen(watched);
    for (const [split, names] of [
      ["surface", ["chatstyle", "native"]],
      ["entry", ["e1", "e2", "e3"]],
    ] as const) {
      await page.goto("/console/usage?measure=requests");
      await choose(page, "Split by", split === "entry" ? "route" : split);
      const last = names.at(-1)!;
      const link = page.locator(".legend").getByRole("link", { name: last });
      await link.waitFor();
      const series = await page.locator(".legend li").allInnerTexts();
      expect(series.map((text) => text.split(/\s/)[0]).sort()).toEqual(names);
      await link.click();
      await page.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
      expect(new URL(page.url()).searchParams.get(split)).toBe(last);
      await page.locator("tbody a").first().waitFor();
      const shown = page.locator(".legend li");
      await shown.first().waitFor();
      /** The sum of what the legend counts; NaN until it has its figures. */
      const total = async (): Promise<number> =>
        (await shown.allInnerTexts()).reduce((sum, text) => sum + Number(/(\d+)\s*$/.exec(text)?.[1]), 0);
      const counted = series.find((text) => text.startsWith(last))?.replace(/\s+/, " ");
      await expect.poll(async () => `${last} ${await total()}`).toBe(counted);
    }
    expect(faults).toEqual([]);
  });

  it("shows a span that is dragged over, and what the month comes to", async () => {
    const { page, faults } = await reopen(watched, "/console/usage?bucket=day");
    await page.getByText(/At the pace of the last 7 days it comes to/).waitFor();
    const chart = page.getByRole("img", { name: "Spend per day" });
    const { x, y, width, height } = (await chart.boundingBox())!;
    await page.mouse.move(x + width * 0.9, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.7, y + height / 2, { steps: 3 });
    await page.mouse.up();
    await page.waitForURL(/from=/);
    const { from = "", to = "" } = Object.fromEntries(new URL(page.url()).searchParams);
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
    expect(days).toBeGreaterThan(5);
    expect(days).toBeLessThan(9);
    // The same by the keyboard: the last three times of what is shown now.
    const slider = page.getByRole("slider", { name: "Spend per day, time by time" });
    await expect.poll(() => slider.getAttribute("aria-valuemax"), { timeout: 30_000 }).toBe(String(days - 1));
    await slider.press("End");
    await slider.press("Shift+ArrowLeft");
    await slider.press("Shift+ArrowLeft");
    await slider.press("Enter");
    const start = new Date(Date.parse(to) - 3 * 86_400_000).toISOString();
    await page.waitForURL((url) => url.searchParams.get("from") === start);
    expect(new URL(page.url()).searchParams.get("to")).toBe(to);
    expect(faults).toEqual([]);
  });
});

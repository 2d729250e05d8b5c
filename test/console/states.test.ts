import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, missing, openPage, VIEWS } from "./browser.ts";
import { type Console, startConsole } from "./start.ts";

const SENTENCE = "The books are being counted, please come back.";

/** What becomes of the questions of a screen: they wait, are refused with a sentence, or go to the service. */
type Weather = "held" | "refused" | "clear";

/**
 * Holds the questions of every page that is opened, until `setWeather` says what becomes of them. It stands before
 * the page's own `fetch`: a route of the browser's would load the scripts anew for each screen.
 */
const holdQuestions = (page: Page): Promise<unknown> =>
  page.addInitScript((sentence) => {
    const ask = globalThis.fetch;
    const waiting: (() => void)[] = [];
    let weather: Weather = "held";
    Object.assign(globalThis, {
      setWeather(next: Weather) {
        weather = next;
        for (const go of waiting.splice(0)) go();
      },
      async fetch(path: string, init: RequestInit) {
        if (path.startsWith("/api/auth/")) return ask(path, init);
        if (weather === "held") await new Promise<void>((go) => waiting.push(go));
        if (weather === "clear") return ask(path, init);
        return Response.json({ errors: [sentence], code: "busy" }, { status: 409 });
      },
    });
  }, SENTENCE);

/** What a screen does wrong while its questions are held, then refused, then answered. */
const faultsOf = (page: Page): Promise<string[]> =>
  page.evaluate(async (sentence) => {
    const { setWeather } = globalThis as unknown as { setWeather(next: Weather): void };
    const all = (selector: string): HTMLElement[] => [
      ...document.querySelectorAll<HTMLElement>(`main ${selector}`),
    ];
    const faults: string[] = [];
    const expects = async (fault: string, holds: () => boolean): Promise<void> => {
      const end = performance.now() + 20_000;
      while (!holds() && performance.now() < end)
        await new Promise((done) => {
          requestAnimationFrame(done);
        });
      if (!holds()) faults.push(fault);
    };
    await expects("no heading while it loads", () => all("h1").length === 1);
    await expects("nothing says that it loads", () => all(".loading").length > 0);
    const [early] = /(?<![\d.,])0 [a-z]+s\b/.exec(document.querySelector("main")?.textContent ?? "") ?? [];
    if (early !== undefined) faults.push(`counts before it knows: ${early}`);
    setWeather("refused");
    await expects("not one alert with the sentence of the service", () => {
      const alerts = all("[role=alert]");
      // Until every question has its answer, the alert of one may give way to that of another.
      const isOver = all(".loading").length === 0;
      return isOver && alerts.length === 1 && alerts[0]?.textContent.includes(sentence) === true;
    });
    await expects("a heading is lost", () => all("h1").length === 1);
    setWeather("clear");
    const again = all("button").filter(({ textContent }) => textContent === "Try again");
    if (again.length !== 1) faults.push(`${again.length} ways to try again`);
    again[0]?.click();
    await expects("an alert stays", () => all(".loading, [role=alert]").length === 0);
    for (const { textContent } of all(".loading, [role=alert]")) faults.push(textContent);
    await expects("nothing is shown", () => all("> :not(.head, search)").length > 0);
    return faults;
  }, SENTENCE);

describe.skipIf(missing)(`screens whose requests do not succeed ${missing ?? ""}`, () => {
  let server: Console;
  let browser: Awaited<ReturnType<typeof launch>>;
  beforeAll(async () => {
    server = await startConsole();
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it("say that they load, then why nothing comes, and show it once they are let", async () => {
    const { page, close } = await openPage(browser, server.origin, VIEWS.light!);
    await page.goto(server.link);
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    const image = { model: "sim-image", content: [{ type: "text", text: "A lighthouse." }] };
    const [job, account] = await page.evaluate(async (order) => {
      const headers = { "x-console": "1", "content-type": "application/json" };
      const post = { method: "POST", headers, body: JSON.stringify(order) };
      const made = await (await fetch("/api/v1/image/generations/async", post)).json();
      const { results } = await (await fetch("/api/admin/accounts", { headers })).json();
      return [made.generationId, results[0].id] as [string, string];
    }, image);
    const screens = [
      "",
      "/play",
      "/media",
      "/explain",
      "/requests",
      `/requests/${await server.chat()}`,
      "/jobs",
      "/jobs?of=all",
      "/batches",
      "/batches?of=all",
      `/jobs/${job}`,
      "/assets",
      "/usage",
      "/keys",
      "/balance",
      "/models",
      "/model?model=sim-chat",
      "/voices",
      "/api",
      "/all-usage",
      "/providers",
      "/routing",
      "/accounts",
      `/accounts/${account}`,
      "/books",
      "/config",
      "/audit",
    ];
    await holdQuestions(page);
    const found: Record<string, string[]> = {};
    for (const path of screens) {
      await page.goto(`/console${path}`, { waitUntil: "commit" });
      const faults = await faultsOf(page);
      if (faults.length > 0) found[path] = faults;
    }
    const banner = page.getByText("There is no connection.");
    await page.context().setOffline(true);
    await banner.waitFor();
    await page.context().setOffline(false);
    await banner.waitFor({ state: "detached" });
    await close();
    expect(found).toEqual({});
  }, 120_000);
});

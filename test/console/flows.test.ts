import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, missing, openPage, VIEWS, type Watched } from "./browser.ts";
import { type Console, KEY, startConsole } from "./start.ts";

/** Nothing here is quick or slow by itself; a machine under load takes its time. */
const WAIT_MS = 60_000;

/** Walks with the Tab key to a part of the page, as somebody without a pointer does. */
async function reach(page: Page, what: Locator): Promise<void> {
  await what.waitFor();
  for (let n = 0; n < 80; n++) {
    if (await what.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("the Tab key does not lead there");
}

describe.skipIf(missing)(`the console by the keyboard alone ${missing ?? ""}`, { timeout: WAIT_MS }, () => {
  let server: Console;
  let browser: Awaited<ReturnType<typeof launch>>;
  let watched: Watched;
  beforeAll(async () => {
    server = await startConsole();
    browser = await launch();
    watched = await openPage(browser, server.origin, VIEWS.light!);
    watched.page.setDefaultTimeout(WAIT_MS);
  });
  afterAll(async () => {
    await watched?.close();
    await browser?.close();
    await server?.stop();
  });

  it("leads from the link of the first start to the first answer in three protocols", async () => {
    const { page, faults } = watched;
    await page.goto(server.link);
    await reach(page, page.getByRole("link", { name: "Open the playground" }));
    await page.keyboard.press("Enter");
    await reach(page, page.getByRole("button", { name: /^Send all/ }));
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByText("answer complete").count(), { timeout: WAIT_MS }).toBe(3);
    expect(await page.locator(".result .answer").count()).toBe(3);
    expect(faults).toEqual([]);
  });

  it("shows a request's way, price and counts in words", async () => {
    const { page, faults } = watched;
    await page.goto(`/console/requests/${await server.chat("sim-messages")}`);
    await reach(page, page.getByRole("tab", { name: "Conversation" }));
    await page.keyboard.press("ArrowRight");
    await page.getByRole("cell", { name: "succeeded" }).waitFor();
    for (const name of ["Losses", "Wire", "Price"]) {
      await page.keyboard.press("ArrowRight");
      await page.getByRole("tab", { name, selected: true }).waitFor();
    }
    await page.getByRole("cell", { name: "Input tokens" }).waitFor();
    await page.getByRole("heading", { name: "Usage", level: 2 }).waitFor();
    expect(await page.locator("main").textContent()).not.toMatch(/promptTokens|chatstyle|msgstyle/);
    expect(faults).toEqual([]);
  });

  it("says first why a request failed, in the provider's words, and that it was not retried", async () => {
    const { page, faults } = watched;
    await page.goto(`/console/requests/${await server.chat("sim-messages", "[[fault:status=400]]")}`);
    const sentence = page.locator("main p.bad").first();
    await sentence.waitFor();
    expect(await sentence.textContent()).toMatch(
      /^\w+ answered 400 [\w.]+: .+ It was not retried\. Nothing was charged\./s,
    );
    await page.getByRole("tab", { name: "Attempts" }).click();
    const cell = page.getByRole("cell", { name: /^request refused \(400\)/ });
    expect(await cell.locator(".faint").textContent()).not.toBe("");
    expect(faults).toEqual([]);
  });

  it("lists a refused request among the others, and finds it by its id with the sentence that it got", async () => {
    const { page, faults } = watched;
    const response = await fetch(`${server.origin}/api/chatstyle/v1/chat/completions`, {
      method: "POST",
      headers: { "x-api-key": KEY, "content-type": "application/json", "x-request-id": "refused-1" },
      body: JSON.stringify({ model: "missing", messages: [{ role: "user", content: "Hello" }] }),
    });
    const { errors } = (await response.json()) as { errors: string[] };
    await page.goto("/console/requests");
    await page.getByRole("cell", { name: "refused model_not_found" }).first().waitFor();
    expect(await page.getByRole("cell", { name: "succeeded" }).count()).toBeGreaterThan(0);
    await page.getByRole("searchbox", { name: "Find by id" }).fill("refused-1");
    await page.keyboard.press("Enter");
    await page.getByRole("complementary", { name: "Refused request" }).getByText(errors[0]!).waitFor();
    expect(new URL(page.url()).searchParams.get("requestId")).toBe("refused-1");
    await expect.poll(() => page.locator("main tbody tr").count()).toBe(1);
    await page.goto("/console/requests?status=refused,failed&code=model_not_found");
    await page.getByRole("cell", { name: "refused model_not_found" }).first().waitFor();
    expect(await page.getByRole("cell", { name: "failed" }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("cancels a job in the list, and shows the whole of a long error beside its beginning", async () => {
    const { page, faults } = watched;
    const order = async (text: string): Promise<void> => {
      const content = [{ type: "text", text }];
      await fetch(`${server.origin}/api/v1/video/generations`, {
        method: "POST",
        headers: { "x-api-key": KEY, "content-type": "application/json" },
        body: JSON.stringify({ model: "sim-video", content }),
      });
    };
    await order(`[[outcome:fail=${"broken".repeat(20)}]]`);
    await order("[[outcome:queued=500]]");
    await page.goto("/console/jobs");
    const error = page.locator(".short[title*=broken]");
    await error.waitFor();
    expect(await error.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
    await reach(page, page.getByRole("button", { name: /^Cancel the video/ }));
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /cancelled/ }).waitFor();
    expect(faults).toEqual([]);
  });

  it("moves the focus to the heading of the screen that a shortcut or link leads to, and only then", async () => {
    const { page, faults } = watched;
    const heading = (name: string) => page.locator("h1:focus", { hasText: name });
    await page.goto("/console");
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await heading("Requests").waitFor();
    expect(await page.title()).toBe("Requests · Manifold");
    await page.keyboard.press("/");
    expect(await page.locator("[data-filter]:focus").count()).toBe(1);
    await page.getByRole("button", { name: "Cost" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/sort=cost/);
    expect(await page.locator(".sort:focus").count()).toBe(1);
    await page.goBack();
    expect(await page.locator(".sort:focus").count()).toBe(1);
    await page.locator("tbody a").first().focus();
    await page.keyboard.press("Enter");
    await page.locator("#drawer-title:focus").waitFor();
    await reach(page, page.getByRole("link", { name: "Open as a page" }));
    await page.keyboard.press("Enter");
    await heading("Request").waitFor();
    await expect.poll(() => page.title(), { timeout: WAIT_MS }).toMatch(/^Request to sim-\S+ · Manifold$/);
    await page.getByRole("tab", { name: "Attempts" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/tab=/);
    expect(await page.locator("[role=tab]:focus").count()).toBe(1);
    await page.goBack();
    await page.goBack();
    await page.locator("#drawer-title").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("#drawer-title").waitFor({ state: "detached" });
    // The row that was open has the focus, so that `j` goes on from there.
    await page.locator("tbody tr:first-child a:focus").waitFor();
    await page.getByRole("link", { name: "Keys", exact: true }).focus();
    await page.keyboard.press("Enter");
    await heading("Keys").waitFor();
    // Their lists are loaded after the screen.
    for (const name of ["Jobs", "Batches"]) {
      await page.getByRole("link", { name, exact: true }).focus();
      await page.keyboard.press("Enter");
      await heading(name).waitFor();
    }
    expect(faults).toEqual([]);
  });

  it("shows a route in three languages, and tries it with the session", async () => {
    const { page, faults } = watched;
    await page.goto("/console/api?search=models/{modelId}");
    await reach(page, page.locator("summary", { hasText: "GET /api/v1/ai/models/{modelId}" }));
    await page.keyboard.press("Enter");
    await reach(page, page.getByRole("tab", { name: "curl" }));
    await page.keyboard.press("ArrowRight");
    await page.getByText("requests.get(").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByText("await fetch(").waitFor();
    await reach(page, page.getByText("Try it", { exact: true }));
    await page.keyboard.press("Enter");
    await reach(page, page.getByLabel("modelId"));
    await page.keyboard.type("sim-chat");
    await page.keyboard.press("Enter");
    await page.getByText("Answered 200").waitFor();
    await page.getByText('"modelId": "sim-chat"').waitFor();
    expect(faults).toEqual([]);
  });
});

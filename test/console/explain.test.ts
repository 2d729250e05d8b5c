import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPaste } from "../../packages/console/web/src/play/paste.ts";
import { surfaceOf } from "../../packages/console/web/src/play/surfaces.ts";
import { barriersInViews, launch, missing, openPage, signIn, VIEWS } from "./browser.ts";
import { type Console, PASSWORD, startConsole } from "./start.ts";

it.each([
  ["a body", '{"a":1}', { body: '{"a":1}' }],
  [
    "single quotes, with one escaped as a shell has it",
    `curl 'https://x.test/api/v1/text/completions' -H "x-api-key: $KEY" -d '{"a":"it'\\''s"}'`,
    { path: "/api/v1/text/completions", body: '{"a":"it\'s"}' },
  ],
  [
    "double quotes over several lines",
    'curl https://x.test/v1 \\\n  --data-raw "{\\"a\\": \\"$\\"}"',
    { path: "/v1", body: '{"a": "$"}' },
  ],
])("a paste is read: %s", (_, text, read) => {
  expect(readPaste(text)).toEqual(read);
});

it("the surface and model of a path are known", () => {
  expect(surfaceOf("/api/genstyle/v1beta/models/acme%2Fone:streamGenerateContent")).toEqual({
    surface: "generate",
    model: "acme/one",
  });
  expect(surfaceOf("/api/msgstyle/v1/messages")).toEqual({ surface: "messages" });
  expect(surfaceOf("/elsewhere")).toBeUndefined();
});

describe.skipIf(missing)(`explain ${missing ?? ""}`, () => {
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

  it("shows a loss on the body itself, by the keyboard", async () => {
    const { page, faults, close } = await openPage(browser, server.origin, VIEWS.light!);
    await signIn(page, "dev", PASSWORD);
    await page.keyboard.press("g");
    await page.keyboard.press("e");
    await page.getByRole("heading", { name: "Explain", level: 1 }).waitFor();
    const before = await barriersInViews(page);
    const body = JSON.stringify({
      model: "sim-messages",
      messages: [{ role: "user", content: "<img src=x onerror=alert(1)>" }],
      seed: 3,
    });
    await page
      .getByLabel("Body, or a whole curl line")
      .fill(`curl ${server.origin}/api/chatstyle/v1/chat/completions -d '${body}'`);
    await page.getByRole("button", { name: "Explain", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByText(/It would be accepted, go to \w+, and be translated, with 2 losses/).waitFor();
    await page.locator(".json .marked.bad").getByText('"seed": 3').waitFor();
    const upstream = page.getByRole("region", { name: "Request to the provider" });
    expect(await upstream.textContent()).toContain('"max_tokens": 4096');
    await page.getByText(/balance: .* would be held/).waitFor();
    expect(await page.locator("img").count()).toBe(0);
    const after = await barriersInViews(page);
    if (process.env.PICTURES)
      await page.screenshot({ path: `${process.env.PICTURES}/explain.png`, fullPage: true });
    await close();
    expect([before, after]).toEqual([[], []]);
    expect(faults).toEqual([]);
  });
});

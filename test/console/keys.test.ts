import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { barriers, command, launch, missing, openPage, signIn, VIEWS, type Watched } from "./browser.ts";
import { type Console, PASSWORD, startConsole } from "./start.ts";

/** Goes to a button and presses Enter there. */
async function press({ page }: Watched, name: string): Promise<void> {
  const target = page.getByRole("button", { name, exact: true });
  await target.focus();
  await page.keyboard.press("Enter");
}

/** Types into the fields of the open dialog one after the other. */
async function fill({ page }: Watched, texts: readonly string[]): Promise<void> {
  await page.locator("dialog input:focus").waitFor();
  for (const [at, text] of texts.entries()) {
    if (at > 0) await page.keyboard.press("Tab");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.type(text);
  }
}

describe.skipIf(missing)(`keys, by the keyboard alone ${missing ?? ""}`, () => {
  let server: Console;
  let browser: Awaited<ReturnType<typeof launch>>;
  let watched: Watched;
  /** The key that the tests make. */
  let raw: string;
  beforeAll(async () => {
    server = await startConsole();
    browser = await launch();
    watched = await openPage(browser, server.origin, VIEWS.light!);
    await signIn(watched.page, "dev", PASSWORD);
  });
  afterAll(async () => {
    expect(watched?.faults).toEqual([]);
    await browser?.close();
    await server?.stop();
  });

  /** A chat request with the key that the tests make; its status. */
  const call = async (): Promise<number> => {
    const response = await fetch(`${server.origin}/api/chatstyle/v1/chat/completions`, {
      method: "POST",
      headers: { "x-api-key": raw, "content-type": "application/json" },
      body: JSON.stringify({ model: "sim-chat", messages: [{ role: "user", content: "Hello" }] }),
    });
    await response.text();
    return response.status;
  };

  it("get four caps when they are made, show what to copy, and the first call once it comes", async () => {
    const { page } = watched;
    await page.keyboard.press("g");
    await page.keyboard.press("k");
    await press(watched, "Create key");
    await fill(watched, ["four", "1", "2", "3", "4"]);
    await page.keyboard.press("Enter");
    raw = (await page.locator(".secret code").textContent()) ?? "";
    const snippet = page.locator(".snippet pre");
    for (const text of [`export MANIFOLD_KEY="${raw}"`, `${server.origin}/api/chatstyle/v1/chat/completions`])
      await snippet.getByText(text).waitFor();
    await page.getByText("Waiting for the first call …").waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(await call()).toBe(200);
    await page.getByRole("status").getByRole("link", { name: "sim-chat" }).waitFor();
    await press(watched, "Done");
    await page.getByRole("row", { name: /^four/ }).getByText("of $1.00").waitFor();
  });

  it("have a page with all caps, the last use and its address, the requests, and every way to use them", async () => {
    const { page } = watched;
    await page.getByRole("link", { name: "four" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "four", level: 1 }).waitFor();
    for (const of of ["$1.00", "$2.00", "$3.00", "$4.00"]) await page.getByText(`of ${of}`).waitFor();
    await page.getByText("It never starts anew.").waitFor();
    await page.getByText(/^\d+ s ago from 127\.0\.0\.1$/).waitFor();
    await page.locator("tbody").getByText("sim-chat").waitFor();
    const snippet = page.locator(".snippet pre");
    await page.getByRole("button", { name: "With curl" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("codex");
    await page.keyboard.press("Enter");
    await snippet.getByText(`base_url = "${server.origin}/api/chatstyle/v1"`).waitFor();
    expect(await snippet.textContent()).not.toContain(raw);
    expect(await barriers(page)).toEqual([]);
    await page.goBack();
  });

  it("are revealed again", async () => {
    const { page } = watched;
    await command(watched.page, "Actions of four", "Reveal");
    await press(watched, "Reveal");
    expect(await page.locator(".secret code").textContent()).toBe(raw);
    expect(await barriers(page)).toEqual([]);
    await press(watched, "Done");
  });

  it("get limits, show them, and lose them again", async () => {
    const { page } = watched;
    await command(watched.page, "Actions of four", "Limits");
    await page.getByLabel("requests a minute").focus();
    await fill(watched, ["60"]);
    await page.getByLabel("models").focus();
    await page.keyboard.type("sim-*, other");
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press("Enter");
    const row = page.getByRole("row", { name: /^four/ });
    await row.getByText("60 requests a minute · sim-*, other").waitFor();
    await command(watched.page, "Actions of four", "Limits");
    await page.getByLabel("requests a minute").focus();
    await fill(watched, ["0"]);
    await page.keyboard.press("Enter");
    await page.locator("dialog input:invalid").waitFor();
    await fill(watched, [""]);
    await page.keyboard.press("Enter");
    await row.getByText(/^sim-\*, other$/).waitFor();
  });

  it("reach a cap that is lowered, and go on once it is raised", async () => {
    const { page } = watched;
    await page.getByRole("link", { name: "four" }).focus();
    await page.keyboard.press("Enter");
    const setDaily = async (cap: string, shown: string): Promise<void> => {
      await press(watched, "Caps");
      await page.getByLabel("Daily cap in US dollars").focus();
      await fill(watched, [cap]);
      await page.keyboard.press("Enter");
      await page.locator(".cap-cards").getByText(`of ${shown}`).waitFor();
    };
    expect(await call()).toBe(200);
    await setDaily("0.000001", "$0.000001");
    await page.getByText(/^Reached: what costs is refused/).waitFor();
    expect(await call()).toBe(429);
    await setDaily("10", "$10.00");
    expect(await call()).toBe(200);
  });
});

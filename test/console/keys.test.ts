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

  it("get four caps when they are made, and are revealed again", async () => {
    const { page } = watched;
    await page.keyboard.press("g");
    await page.keyboard.press("k");
    await press(watched, "Create key");
    await fill(watched, ["four", "1", "2", "3", "4"]);
    await page.keyboard.press("Enter");
    raw = (await page.locator(".secret code").textContent()) ?? "";
    await press(watched, "Done");
    for (const of of ["$1.00", "$2.00", "$3.00", "$4.00"])
      await page.getByRole("row", { name: /^four/ }).getByText(`of ${of}`).waitFor();
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
    const call = async (): Promise<number> => {
      const response = await fetch(`${server.origin}/api/chatstyle/v1/chat/completions`, {
        method: "POST",
        headers: { "x-api-key": raw, "content-type": "application/json" },
        body: JSON.stringify({ model: "sim-chat", messages: [{ role: "user", content: "Hello" }] }),
      });
      await response.text();
      return response.status;
    };
    const setDaily = async (cap: string, shown: string): Promise<void> => {
      await command(watched.page, "Actions of four", "Caps");
      await page.getByLabel("Daily cap in US dollars").focus();
      await fill(watched, [cap]);
      await page.keyboard.press("Enter");
      await page.getByRole("row", { name: /^four/ }).getByText(`of ${shown}`).waitFor();
    };
    expect(await call()).toBe(200);
    await setDaily("0.000001", "$0.000001");
    expect(await call()).toBe(429);
    await setDaily("10", "$10.00");
    expect(await call()).toBe(200);
  });
});

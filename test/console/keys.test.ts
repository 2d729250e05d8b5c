import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { barriers, launch, missing, openPage, signIn, VIEWS, type Watched } from "./browser.ts";
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
  beforeAll(async () => {
    server = await startConsole();
    browser = await launch();
    watched = await openPage(browser, server.origin, VIEWS.light!);
    await signIn(watched.page, "dev", PASSWORD);
  });
  afterAll(async () => {
    // Chromium reports the refusals by the cap.
    expect(watched?.faults.filter((fault) => !fault.includes("429"))).toEqual([]);
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
    const raw = await page.locator(".secret code").textContent();
    await press(watched, "Done");
    for (const of of ["$1.00", "$2.00", "$3.00", "$4.00"])
      await page.getByRole("row", { name: /^four/ }).getByText(`of ${of}`).waitFor();
    await press(watched, "Reveal four");
    await press(watched, "Reveal");
    expect(await page.locator(".secret code").textContent()).toBe(raw);
    expect(await barriers(page)).toEqual([]);
    await press(watched, "Done");
  });

  it("get limits, show them, and lose them again", async () => {
    const { page } = watched;
    await press(watched, "Limits four");
    await page.getByLabel("requests a minute").focus();
    await fill(watched, ["60"]);
    await page.getByLabel("models").focus();
    await page.keyboard.type("sim-*, other");
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press("Enter");
    const row = page.getByRole("row", { name: /^four/ });
    await row.getByText("60 requests a minute · sim-*, other").waitFor();
    await press(watched, "Limits four");
    await page.getByLabel("requests a minute").focus();
    await fill(watched, ["0"]);
    await page.keyboard.press("Enter");
    await page.locator("dialog input:invalid").waitFor();
    await fill(watched, [""]);
    await page.keyboard.press("Enter");
    await row.getByText(/^sim-\*, other$/).waitFor();
  });

  it("reach a cap in the playground, and go on once it is raised", async () => {
    const { page } = watched;
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await page.getByText("accepted · goes to").waitFor();
    await page.getByLabel("User").focus();
    await page.keyboard.type("Name a colour");
    await page.keyboard.press("Control+Enter");
    await fill(watched, ["0.000001"]);
    await page.keyboard.press("Enter");
    const chat = page.getByRole("region", { name: "Chat", exact: true });
    await chat.getByText("answer complete").waitFor();
    await page.getByLabel("User").focus();
    await page.keyboard.press("Control+Enter");
    await chat.getByRole("alert").getByText("daily").waitFor();
    await page.getByLabel("User").blur();
    await page.keyboard.press("g");
    await page.keyboard.press("k");
    await press(watched, "Caps playground");
    await page.getByLabel("Daily cap in US dollars").focus();
    await fill(watched, ["1"]);
    await page.keyboard.press("Enter");
    await page
      .getByRole("row", { name: /^playground/ })
      .getByText("of $1.00")
      .waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await page.getByLabel("User").focus();
    await page.keyboard.press("Control+Enter");
    await chat.getByText("answer complete").waitFor();
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { barriers, launch, missing, openPage, signIn, VIEWS } from "./browser.ts";
import { type Console, PASSWORD, startConsole } from "./start.ts";

describe.skipIf(missing)(`the playground ${missing ?? ""}`, () => {
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

  it("sends one request in three protocols at once, and leaves no key behind", async () => {
    const { page, faults, close } = await openPage(browser, server.origin, VIEWS.light!);
    await signIn(page, "dev", PASSWORD);
    await page.goto("/console/play?model=sim-messages");
    await page.getByText("accepted · goes to").waitFor();
    await page.getByLabel("User").fill("Name a colour");
    await page.keyboard.press("Control+Enter");
    for (const pane of ["Chat", "Messages", "Generate content"]) {
      const region = page.getByRole("region", { name: pane, exact: true });
      await region.getByText("answer complete").waitFor();
      expect(await region.locator(".answer").textContent()).not.toBe("");
      expect(await region.locator("textarea").inputValue()).toContain("Name a colour");
    }
    expect(await barriers(page)).toEqual([]);
    if (process.env.PICTURES)
      await page.screenshot({ path: `${process.env.PICTURES}/playground.png`, fullPage: true });
    await page.getByRole("region", { name: "Chat", exact: true }).getByText("The request: its way").click();
    await page.getByRole("heading", { name: "Request to sim-messages" }).waitFor();
    await page.getByRole("link", { name: "Keys" }).click();
    await page.getByRole("row", { name: /active/ }).waitFor();
    expect(await page.getByRole("table").textContent()).not.toContain("playground");
    await page.goto("/console/usage?measure=requests&by=key");
    await page.locator(".legend li").filter({ hasText: "playground 3" }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("says beside the body what a protocol cannot, and sends what was edited", async () => {
    const { page, close } = await openPage(browser, server.origin, VIEWS.light!);
    await signIn(page, "dev", PASSWORD);
    await page.goto("/console/play?model=sim-chat");
    const chat = page.getByRole("region", { name: "Chat", exact: true });
    await chat.locator("textarea").fill("{ no json");
    await page.getByRole("button", { name: "Send all 3" }).click();
    await chat.getByText("The body of chat is no JSON").waitFor();
    await chat
      .locator("textarea")
      .fill(
        '{"model":"unknown-model","messages":[{"role":"user","content":"<img src=x onerror=alert(1)>"}]}',
      );
    await page.getByRole("button", { name: "Send all 3" }).click();
    await chat.getByRole("alert").getByText("unknown-model").waitFor();
    expect(await page.locator("img").count()).toBe(0);
    await close();
  });
});

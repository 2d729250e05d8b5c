import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { barriers, launch, missing, openPage, signIn, VIEWS } from "./browser.ts";
import { type Console, KEY, PASSWORD, startConsole } from "./start.ts";

/** The screens about media, and the first heading of each. */
const SCREENS: Record<string, string> = {
  "/console/jobs": "Jobs",
  "/console/assets": "Assets",
  "/console/voices": "Voices",
};

const PROMPT = '<img src=x onerror="alert(1)"> a boat';

describe.skipIf(missing)(`the screens about media ${missing ?? ""}`, () => {
  let server: Console;
  let browser: Awaited<ReturnType<typeof launch>>;
  let video: string;
  const order = async (path: string, body: object): Promise<Record<string, string>> => {
    const response = await fetch(`${server.origin}/api/v1/${path}`, {
      method: "POST",
      headers: { "x-api-key": KEY, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, string>;
  };
  beforeAll(async () => {
    server = await startConsole();
    browser = await launch();
    const content = [{ type: "text", text: PROMPT }];
    video = (await order("video/generations", { model: "sim-video", content })).generationId ?? "";
    const url = "https://127.0.0.1/portrait.png";
    await order("kyc/user/assets", { url, name: '"><img src=x onerror=alert(1)>.png' });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it.each(Object.entries(VIEWS))("hold no barrier, error or foreign request (%s)", async (_, view) => {
    const { page, faults, close } = await openPage(browser, server.origin, view);
    const found: Record<string, string[]> = {};
    await signIn(page, "dev", PASSWORD);
    for (const [path, heading] of Object.entries(SCREENS)) {
      await page.goto(path);
      await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
      await page.getByText("Loading").waitFor({ state: "detached" });
      found[path] = await barriers(page);
    }
    await page.goto(`/console/jobs/${video}`);
    await page.locator("video").waitFor();
    found.job = await barriers(page);
    await close();
    expect(Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0))).toEqual({});
    expect(faults).toEqual([]);
  });

  it("lead from the list to the file of a job and its charge, by the keyboard", async () => {
    const { page, faults, close } = await openPage(browser, server.origin, VIEWS.light!);
    await signIn(page, "dev", PASSWORD);
    await page.keyboard.press("g");
    await page.keyboard.press("j");
    await page.getByRole("row", { name: /video sim-video/ }).waitFor();
    await page.getByRole("combobox", { name: "kind" }).selectOption("image");
    await page.getByText("No job fits these filters").waitFor();
    await page.getByRole("combobox", { name: "kind" }).selectOption("video");
    await page
      .getByRole("row", { name: /video sim-video/ })
      .getByRole("link")
      .focus();
    await page.keyboard.press("Enter");
    const file = page.locator("video");
    await file.waitFor();
    await page.waitForFunction(() => (document.querySelector("video")?.readyState ?? 0) > 0);
    await page.getByText(/^\$0\.\d+$/).waitFor();
    expect(await page.getByRole("link", { name: "Use as input" }).getAttribute("href")).toContain("video=");
    await close();
    expect(faults).toEqual([]);
  });

  it("show an asset's name as text, its limits before and the one it failed after", async () => {
    const { page, faults, close } = await openPage(browser, server.origin, VIEWS.light!);
    await signIn(page, "dev", PASSWORD);
    await page.goto("/console/assets");
    await page.getByText('"><img src=x onerror=alert(1)>.png').waitFor();
    await page.getByText("✗ download_failed").waitFor();
    await page.getByRole("button", { name: "Add an asset" }).click();
    const dialog = page.getByRole("dialog", { name: "Add an asset" });
    await dialog.getByText("each edge in pixels: over 300, under 6,000").waitFor();
    await dialog.getByRole("combobox").selectOption("Video");
    await dialog.getByText("frames a second: at least 24, at most 60").waitFor();
    await dialog.getByLabel("Address of the file").fill("no address");
    await dialog.getByRole("button", { name: "Fetch and check" }).click();
    await dialog.getByText("must be a valid HTTPS URL").waitFor();
    expect(await dialog.getByLabel("Address of the file").inputValue()).toBe("no address");
    expect(await page.locator("img").count()).toBe(0);
    await close();
    expect(faults.filter((fault) => !/status of 400/.test(fault))).toEqual([]);
  });

  it("find voices by what they speak, each with a sample", async () => {
    const { page, close } = await openPage(browser, server.origin, VIEWS.light!);
    await signIn(page, "dev", PASSWORD);
    await page.goto("/console/voices?language=de-DE");
    await page.getByRole("heading", { name: "Seven" }).waitFor();
    expect(await page.locator('span[lang="de-DE"]').count()).toBeGreaterThan(0);
    expect(await page.getByRole("heading", { name: "Tim" }).count()).toBe(0);
    await close();
  });
});

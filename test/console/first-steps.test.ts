import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STEPS, stepsOf } from "../../packages/console/web/src/home/steps.ts";
import { daysLeft } from "../../packages/console/web/src/usage/runway.ts";
import { barriersInViews, launch, missing, openPage, VIEWS } from "./browser.ts";
import { type Console, startConsole } from "./start.ts";

it("steps tick themselves, and that of providers is for operators alone", () => {
  const begun = { hasRequest: false, hasCall: false, hasProvider: undefined, keys: 1 };
  expect([...stepsOf(begun)]).toEqual([
    ["request", false],
    ["code", false],
    ["key", false],
  ]);
  const done = stepsOf({ hasRequest: true, hasCall: true, hasProvider: true, keys: 2 });
  expect([...done.keys()]).toEqual([...STEPS]);
  expect([...done.values()].every(Boolean)).toBe(true);
});

it("a balance lasts for whole days at its pace", () => {
  expect([daysLeft(10, 3), daysLeft(10, 6), daysLeft(-1, 6), daysLeft(1_000, 0.001), daysLeft(5, 0)]).toEqual(
    [...["3 days", "1 day", "0 days", "for years"], undefined],
  );
});

describe.skipIf(missing)(`the first steps ${missing ?? ""}`, () => {
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

  it("are done one after the other, each with its real result, and go once they are hidden", async () => {
    const { page, faults, close } = await openPage(browser, server.origin, VIEWS.light!);
    await page.goto(server.link);
    const done = page.locator(".first-steps .is-done h3");
    const titles = async () => (await done.allTextContents()).map((text) => text.replace(/^\d?/, ""));
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await page.getByText("Waiting for the first call …").waitFor();
    expect(await page.locator(".first-steps > li").count()).toBe(4);
    expect(await titles()).toEqual([]);
    expect(await barriersInViews(page)).toEqual([]);

    await page.getByRole("button", { name: "Say hello in three protocols" }).click();
    await page.locator(".hellos p").nth(2).waitFor();
    for (const text of await page.locator(".hellos p").allTextContents()) expect(text).toMatch(/\w/);
    await expect.poll(titles).toEqual(["Send a request (done)"]);

    const id = await server.chat();
    await page.locator(`.first-steps [role=status] a[href$="${id}"]`).waitFor();
    await expect.poll(titles).toEqual(["Send a request (done)", "Use it from your code (done)"]);

    await page.getByRole("link", { name: "Create a key", exact: true }).click();
    await page.getByLabel("Name").fill("colleague");
    await page.keyboard.press("Enter");
    await page.locator(".secret code").waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("link", { name: "Home" }).first().click();
    await expect.poll(titles).toContain("Give out a key (done)");
    await page.getByRole("button", { name: "Hide" }).click();
    await page.getByRole("heading", { name: "First steps" }).waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("heading", { name: "Last requests" }).waitFor();
    expect(await page.getByRole("heading", { name: "First steps" }).count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });
});

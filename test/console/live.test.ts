import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, missing, openPage, signIn, VIEWS } from "./browser.ts";
import { type Console, PASSWORD, startConsole } from "./start.ts";

/** More than the connections that a browser opens to one service. */
const TABS = 7;

describe.skipIf(missing)(`live screens ${missing ?? ""}`, () => {
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

  it("share one stream, so that any number of tabs can follow requests, whichever is closed", async () => {
    const { page, faults, close } = await openPage(browser, server.origin, VIEWS.light!);
    await signIn(page, "dev", PASSWORD);
    const tabs = [page];
    while (tabs.length < TABS) tabs.push(await page.context().newPage());
    for (const tab of tabs) {
      await tab.goto("/console/live");
      await tab.getByText("listening").waitFor();
    }
    await server.chat();
    const succeeded = /succeeded.*sim-chat/;
    for (const tab of tabs) await tab.getByRole("row", { name: succeeded }).waitFor();
    // The first reads the stream: another takes its place.
    for (const tab of tabs.splice(1, 1).concat(tabs.splice(0, 1))) await tab.close();
    const [next] = tabs;
    await next!.goto("/console/requests?live=1");
    await next!.getByRole("row", { name: succeeded }).waitFor();
    await expect
      .poll(async () => {
        await server.chat();
        return tabs.at(-1)!.getByRole("row", { name: succeeded }).count();
      })
      .toBeGreaterThan(1);
    await expect.poll(() => next!.getByRole("row", { name: succeeded }).count()).toBeGreaterThan(1);
    expect(faults).toEqual([]);
    await close();
  });
});

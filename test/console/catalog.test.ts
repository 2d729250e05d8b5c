import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  barriersInViews,
  launch,
  missing,
  openPage,
  reopen,
  settled,
  VIEWS,
  type Watched,
} from "./browser.ts";
import { ADMIN, type Console, startConsole } from "./start.ts";

const KEY = "sk-right-0123456789";
const COMPLETION = {
  ...{ id: "c", object: "chat.completion", created: 0, model: "in-house" },
  choices: [{ index: 0, message: { role: "assistant", content: "Harbour" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
};
/** A vendor that lists two models, and answers in one word. */
const vendor = createServer((request, response) => {
  const { authorization } = request.headers;
  const [status, answer] =
    authorization !== `Bearer ${KEY}`
      ? [401, { error: { message: `Incorrect API key: ${authorization}` } }]
      : [
          200,
          request.url?.endsWith("/models")
            ? { data: [{ id: "gpt-4o-mini" }, { id: "in-house" }] }
            : COMPLETION,
        ];
  response.writeHead(status as number).end(JSON.stringify(answer));
});
/** A receiver of events, which takes all of them. */
const receiver = createServer((_, response) => response.writeHead(204).end());

describe.skipIf(missing)(`the catalog in the console ${missing ?? ""}`, { timeout: 60_000 }, () => {
  let server: Console;
  let browser: Awaited<ReturnType<typeof launch>>;
  let watched: Watched;
  const addressOf = (of: typeof vendor) => `http://127.0.0.1:${(of.address() as AddressInfo).port}`;
  beforeAll(async () => {
    for (const of of [vendor, receiver])
      await new Promise<void>((done) => {
        of.listen(0, "127.0.0.1", done);
      });
    server = await startConsole();
    browser = await launch();
    watched = await openPage(browser, server.origin, VIEWS.light!);
    await watched.page.goto(server.link);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    vendor.close();
    receiver.close();
  });
  const members = async () => {
    const response = await fetch(`${server.origin}/api/admin/declarations`, {
      headers: { "x-admin-key": ADMIN },
    });
    // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of them.
    return ((await response.json()) as { members: any[] }).members;
  };
  const isMade = async (section: string, name: string) =>
    (await members()).some((one) => one.section === section && one.name === name);

  it("leads from an empty start to the first answer of a vendor's model, and back by an undo", async () => {
    const { page, faults } = watched;
    await page.evaluate(() => {
      const counted = globalThis as unknown as { clicks: number };
      counted.clicks = 0;
      document.addEventListener("click", () => counted.clicks++, true);
    });
    const began = performance.now();
    await page.getByRole("link", { name: "Add a provider" }).click();
    await page.getByRole("button", { name: /^Who it is/ }).click();
    await page.getByRole("option", { name: /^Another address/ }).click();
    await page.getByLabel("Address", { exact: true }).fill(`${addressOf(vendor)}/v1`);
    await page.getByRole("button", { name: /^Speaks/ }).click();
    await page.getByRole("option", { name: "Chat", exact: true }).click();
    await page.keyboard.press("Escape");
    await page.getByLabel("Key", { exact: true }).fill("sk-wrong-0123456789");
    // An address without a name suggests none.
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("server");
    await page.getByLabel("Name", { exact: true }).fill("vendor");
    const test = page.getByRole("button", { name: "Test it and list its models" });
    await test.click();
    await page.getByText("It refuses the credential (status 401): Incorrect API key").waitFor();
    expect(await page.locator("main").textContent()).not.toContain("sk-wrong");
    await page.getByLabel("Key", { exact: true }).fill(KEY);
    await test.click();
    await page.getByText("It lists 2 models.").waitFor();
    await page.getByRole("checkbox", { name: "in-house" }).check();
    const review = page.getByRole("button", { name: "Review", exact: true });
    await review.click();
    await page.getByText("a price, or 0 if it is free").waitFor();
    expect(await barriersInViews(page)).toEqual([]);
    for (const unit of ["Input", "Output"]) await page.getByLabel(`${unit} tokens of in-house`).fill("2");
    await review.click();
    await page.getByText("Nothing has changed yet.").waitFor();
    expect(await isMade("providers", "vendor")).toBe(false);
    await page.getByRole("button", { name: "Add vendor and 1 model" }).click();
    await page.getByRole("button", { name: "Say hello in three protocols" }).click();
    await page.locator(".hellos p").nth(2).waitFor();
    expect(await page.locator(".hellos p").allTextContents()).toEqual(Array(3).fill("Harbour"));
    expect(performance.now() - began).toBeLessThan(120_000);
    // With a wrong key and a missing price on the way.
    expect(await page.evaluate(() => (globalThis as unknown as { clicks: number }).clicks)).toBe(12);
    faults.length = 0;
    await page.goto("/console/audit?subject=models.in-house");
    await page.getByRole("link", { name: "Undo" }).click();
    await page.getByText("in-house: would no longer be served").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("was undone.").waitFor();
    expect([await isMade("models", "in-house"), await isMade("providers", "vendor")]).toEqual([false, true]);
    await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone:").waitFor();
    expect(await isMade("models", "in-house")).toBe(true);
    expect(faults).toEqual([]);
  });

  it("stops a model at once and undoes it, whether it is declared here or built in", async () => {
    const { page, faults } = await reopen(watched, "/console/catalog");
    const ask = async (model: string) => {
      const response = await fetch(`${server.origin}/api/chatstyle/v1/chat/completions`, {
        method: "POST",
        headers: {
          "x-api-key": "console-key-0123456789-0123456789abcdef",
          "content-type": "application/json",
        },
        body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] }),
      });
      await response.text();
      return response.status;
    };
    for (const model of ["in-house", "sim-messages"]) {
      await page.getByRole("button", { name: `Actions for the model ${model}`, exact: true }).click();
      await page.getByRole("menuitem", { name: "Stop it now" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Stop it now" }).click();
      await page.getByText(`The model ${model} was stopped.`).waitFor();
      expect(await ask(model)).not.toBe(200);
      await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
      await expect.poll(() => ask(model)).toBe(200);
    }
    expect(faults).toEqual([]);
  });

  it("changes a price after its difference was seen, and says beside a field what is wrong with it", async () => {
    const { page, faults } = await reopen(watched, "/console/catalog?edit=models:in-house");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Input tokens, in US dollars").fill("a lot");
    await dialog.getByRole("button", { name: "Review the change" }).click();
    const field = dialog.getByLabel("Input tokens, in US dollars");
    await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
    // JSON that is no member, or none at all, keeps the form, and fields show what the JSON has changed.
    await dialog.getByText("All of it, as JSON").click();
    const json = dialog.getByLabel("JSON");
    const member = JSON.parse(await json.inputValue());
    for (const wrong of ["[]", "null", '{"entries": ']) {
      await json.fill(wrong);
      expect(await json.getAttribute("aria-invalid")).toBe("true");
      await dialog.getByRole("button", { name: "Review the change" }).click();
      expect(await json.inputValue()).toBe(wrong);
    }
    await json.fill(JSON.stringify({ ...member, input: "image", entries: [null], aliases: "one" }));
    await expect.poll(() => dialog.getByLabel("Further names").inputValue()).toBe("one");
    await json.fill(JSON.stringify(member));
    await field.fill("3");
    expect(JSON.parse(await json.inputValue()).entries[0].price.input).toBe(3);
    await dialog.getByText("All of it, as JSON").click();
    expect(await barriersInViews(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Review the change" }).click();
    await dialog.getByRole("cell", { name: "route vendor in-house.price.input" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("The model in-house was changed.").waitFor();
    const changed = (await members()).find(({ name }) => name === "in-house");
    expect(changed.value.entries[0].price.input).toBe(3);
    // What is built in has no such action, and says so.
    await page.getByRole("button", { name: "Actions for the model sim-chat", exact: true }).click();
    expect(await page.getByRole("menuitem").allTextContents()).toEqual(["Stop it now"]);
    expect(faults).toEqual([]);
  });

  it("makes a webhook that was tested, and key defaults with which new keys begin", async () => {
    const { page, faults } = await reopen(watched, "/console/catalog?tab=webhooks");
    await page.getByRole("button", { name: "Add a webhook" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("ops");
    await dialog.getByLabel("Address", { exact: true }).fill(`${addressOf(receiver)}/hook`);
    await dialog.getByRole("button", { name: "Make a secret" }).click();
    await dialog.getByRole("button", { name: "Send a test event" }).click();
    await dialog.getByText("It has accepted the event (status 204).").waitFor();
    await dialog.getByRole("button", { name: "Review the change" }).click();
    await dialog.getByRole("button", { name: "Make it" }).click();
    await page.getByText("The webhook ops was made.").waitFor();
    await page.getByRole("tab", { name: "Key defaults 0" }).click();
    await page.getByRole("button", { name: "Set key defaults" }).click();
    await dialog.getByLabel("monthly cap in US dollars").fill("20");
    await dialog.getByRole("button", { name: "Review the change" }).click();
    await dialog.getByRole("button", { name: "Make it" }).click();
    await page.getByText("The key defaults of all other accounts were made.").waitFor();
    await settled(page);
    expect(await barriersInViews(page, { isLike: true })).toEqual([]);
    await page.goto("/console/keys?new=key");
    expect(await page.getByLabel("monthly cap in US dollars").inputValue()).toBe("20");
    expect(faults).toEqual([]);
  });

  it("exports the whole as a file without a credential", async () => {
    const { page, faults } = await reopen(watched, "/console/catalog?export=file");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download manifold.json" }).click();
    const text = await (await download).createReadStream().then(async (stream) => {
      let all = "";
      for await (const chunk of stream) all += chunk;
      return all;
    });
    expect(JSON.parse(text)).toMatchObject({
      providers: { vendor: { key: expect.stringMatching(/^\$\{/) } },
    });
    expect(text).not.toContain(KEY);
    expect(faults).toEqual([]);
  });
});

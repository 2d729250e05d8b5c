import { samples } from "@manifold-gateway/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LONGEST_LINE } from "../../packages/console/web/src/batches/check-file.ts";
import {
  barriersInViews,
  choose,
  follow,
  launch,
  layoutShift,
  missing,
  openPage,
  reopen,
  settled,
  signIn,
  VIEWS,
  type Watched,
} from "./browser.ts";
import { type Console, KEY, PASSWORD, startConsole } from "./start.ts";

/** The screens about media and the first heading of each, but for those that screens.test.ts shows as they are here. */
const SCREENS: Record<string, string> = {
  "/console/media": "Media playground",
  "/console/media?mode=video": "Media playground",
  "/console/media?mode=speech": "Media playground",
  "/console/media?mode=embedding": "Media playground",
  "/console/jobs": "Jobs",
  "/console/batches": "Batches",
  "/console/api?search=video": "API",
  "/console/model?model=sim-image-pro": "Simulated image model, one at a time",
  "/console/model?model=sim-video&tab=types": "Simulated video model",
  "/console/model?model=sim-chat&tab=calls": "Simulated chat-completions model",
};
/** Those whose components no other screen has. */
const IN_EVERY_VIEW = ["/console/media?mode=video", "/console/model?model=sim-video&tab=types"];

const PROMPT = '<img src=x onerror="alert(1)"> a boat';

describe.skipIf(missing)(`the screens about media ${missing ?? ""}`, () => {
  let server: Console;
  let browser: Awaited<ReturnType<typeof launch>>;
  let watched: Watched;
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
    watched = await openPage(browser, server.origin, VIEWS.light!);
    await signIn(watched.page, "dev", PASSWORD);
    video = (await order("video/generations", { model: "sim-video", content })).generationId ?? "";
    const url = "https://127.0.0.1/portrait.png";
    await order("kyc/user/assets", { url, name: '"><img src=x onerror=alert(1)>.png' });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  describe("in every view", { timeout: 120_000 }, () => {
    it.each(Object.entries(SCREENS))(
      "hold no barrier, error or foreign request at %s",
      async (path, heading) => {
        const { page, faults } = watched;
        await follow(page, path);
        await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
        await settled(page);
        expect(await layoutShift(page)).toBeLessThan(0.1);
        expect(await barriersInViews(page, { isLike: !IN_EVERY_VIEW.includes(path) })).toEqual([]);
        expect(faults).toEqual([]);
      },
    );

    it("hold no barrier, error or foreign request at a job", async () => {
      const { page, faults } = watched;
      await page.goto(`/console/jobs/${video}`);
      // A step of a job that failed is tried again when its lease of a minute is over; the log says why it failed.
      const shown = page.locator("video").waitFor({ timeout: 90_000 });
      await shown.catch((cause) => {
        throw new Error(server.output(), { cause });
      });
      expect(await barriersInViews(page)).toEqual([]);
      expect(faults).toEqual([]);
    });
  });

  it("lead from the list to the file of a job and its charge, by the keyboard", async () => {
    const { page, faults } = await reopen(watched);
    await page.keyboard.press("g");
    await page.keyboard.press("j");
    await page.getByRole("row", { name: /video sim-video/ }).waitFor();
    await choose(page, "kind", "images");
    await page.getByText("No job matches these filters").waitFor();
    await choose(page, "kind", "videos");
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
    expect(faults).toEqual([]);
  });

  it("order a video by a form of what its model takes, to its preview and charge, by the keyboard", async () => {
    const { page, faults } = await reopen(watched);
    await page.keyboard.press("g");
    await page.keyboard.press("m");
    await page.getByRole("tab", { name: "Image" }).focus();
    await page.keyboard.press("ArrowRight");
    await choose(page, "Model", "sim-video");
    await page.getByText("accepted · goes to").waitFor();
    await page.getByText("Camera fixed").waitFor();
    await page.getByRole("spinbutton", { name: "duration" }).focus();
    await page.keyboard.type("99");
    await page.locator(".strip").getByText("duration").waitFor();
    await page.getByRole("spinbutton", { name: "duration" }).focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("4");
    await choose(page, "Generate audio", "false");
    await page.getByLabel("Prompt").fill(PROMPT);
    await page.getByText("accepted · goes to").waitFor();
    // The answer is lost on its way back: the job that has begun is found by ordering once more.
    await page.evaluate(() => {
      const send = globalThis.fetch;
      globalThis.fetch = async (...request) => {
        if (request[0] !== "/api/v1/video/generations") return send(...request);
        globalThis.fetch = send;
        const { generationId } = await (await send(...request)).json();
        Object.assign(globalThis, { begun: generationId });
        throw new TypeError("Failed to fetch");
      };
    });
    await page.getByRole("button", { name: "Order" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("The service cannot be reached.").waitFor();
    await page.keyboard.press("Enter");
    const begun = await page.evaluate(() => (globalThis as unknown as { begun: string }).begun);
    const job = page.getByRole("region", { name: `Job ${begun}` });
    await job.locator("video").waitFor();
    await job.getByText(/^\$0\.\d+$/).waitFor();
    if (process.env.PICTURES)
      await page.screenshot({ path: `${process.env.PICTURES}/media.png`, fullPage: true });
    await job.getByRole("link", { name: "Use as input" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("an asset", { exact: true }).waitFor();
    expect(await page.locator("img").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("check a file before it is sent, and show its name as text", async () => {
    const { page, faults } = await reopen(watched, "/console/media?model=sim-video");
    const zone = page.getByLabel(/^Add image/);
    const name = "<img src=x onerror=alert(1)>.png";
    await zone.setInputFiles({
      name: "notes.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("no picture"),
    });
    await page.getByText('"notes.txt" is text/plain; this model takes image/jpeg').waitFor();
    await zone.setInputFiles({ name, mimeType: "image/png", buffer: samples.png(640, 480) });
    await page.getByText(name).first().waitFor();
    await page.getByText("640×480 image/png").waitFor();
    expect(await page.locator("img").count()).toBe(0);
    await page.getByRole("button", { name: `Remove ${name}` }).click();
    await page.getByText("640×480 image/png").waitFor({ state: "detached" });
    expect(faults).toEqual([]);
  });

  it("read a text with a voice, and embed one as the playground", async () => {
    const { page, faults } = await reopen(
      watched,
      "/console/media?mode=speech&voice=en_male_tim_uranus_bigtts",
    );
    await page.getByText("accepted · goes to").waitFor();
    await page.getByRole("button", { name: "Voice en_male_tim_uranus_bigtts" }).waitFor();
    await page.getByRole("button", { name: "Order" }).click();
    await page.locator("audio").waitFor();
    await page.getByRole("tab", { name: "Embedding" }).click();
    await page.getByRole("button", { name: "Embed", exact: true }).click();
    await page.getByText(/\d+ dimensions/).waitFor();
    expect(faults).toEqual([]);
  });

  it("run a batch of a file whose wrong line is named before and after, and lead to its requests", async () => {
    const { page, faults } = await reopen(watched, "/console/batches?new=batch");
    const line = (name: string | undefined): string =>
      JSON.stringify({
        ...{ custom_id: name, url: "/v1/chat/completions" },
        body: { model: "sim-chat", messages: [{ role: "user", content: PROMPT }] },
      });
    const dialog = page.getByRole("dialog", { name: "Begin a batch" });
    const chooseFile = (text: string): Promise<void> =>
      dialog.getByLabel("File of lines").setInputFiles({
        ...{ name: "lines.jsonl", mimeType: "application/jsonl" },
        buffer: Buffer.from(text),
      });
    await chooseFile(`${line("one")}\n${"x".repeat(LONGEST_LINE + 1)}`);
    await dialog.getByText("Line 2 has more than 8 MiB").waitFor();
    await chooseFile(`${line("one")}\n${line(undefined)}\n`);
    await dialog.getByText("Line 2: custom_id: is missing").waitFor();
    await dialog.getByRole("button", { name: "Begin", exact: true }).click();
    await page.getByText("completed").first().waitFor();
    await page.getByRole("row", { name: /invalid_custom_id/ }).waitFor();
    expect(await barriersInViews(page)).toEqual([]);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download: Answers" }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^batch_.+_output\.jsonl$/);
    await page.getByRole("link", { name: "Its requests" }).click();
    await page.getByRole("row", { name: /succeeded sim-chat/ }).waitFor();
    await page.getByRole("button", { name: /^Batch is batch_/ }).waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "line 2", exact: true }).click();
    await page.getByRole("row", { name: /refused invalid_custom_id/ }).waitFor();
    expect(await page.locator("tbody tr").count()).toBe(1);
    expect(faults).toEqual([]);
  });

  const answers: [pane: string, send: string, is: RegExp][] = [
    ["mode=rerank", "Rank", /^Llamas live in the Andes/],
    ["mode=moderation", "Judge", /harassment/],
    ["mode=transcription", "Transcribe", /Passages \(\d+\)/],
    ["model=sim-transcription-tokens", "Transcribe", /answer complete/],
    ["model=sim-speech", "Speak", /Download, /],
  ];
  it.each(answers)("show an answer, its cost and code to copy: %s", async (address, act, is) => {
    const { page, faults } = await reopen(watched, `/console/media?${address}`);
    const send = page.getByRole("button", { name: act, exact: true });
    await send.waitFor();
    if (act === "Transcribe") {
      await send.click();
      await page.getByText("Choose a recording first.").waitFor();
      const file = { name: "speech.wav", mimeType: "audio/wav", buffer: samples.wav(2) };
      await page.getByLabel(/^Recording/).setInputFiles(file);
      if (address === "mode=transcription") await choose(page, "Form", "text with times");
    }
    await send.click();
    const answer = page.getByRole("region", { name: "Answer" });
    await answer.getByText(is).first().waitFor();
    await answer.getByText(/all .+ · \$\d/).waitFor();
    // The others have the same parts.
    if (act !== "Rank") expect(await barriersInViews(page, { isLike: act !== "Judge" })).toEqual([]);
    await page.getByRole("button", { name: "Copy as code" }).click();
    await page.getByRole("menuitem", { name: "curl", exact: true }).waitFor();
    await page.keyboard.press("Escape");
    expect(faults).toEqual([]);
  });

  it("show an asset's name as text, its limits before and the one it failed after", async () => {
    const { page, faults } = await reopen(watched, "/console/assets");
    await page.getByText('"><img src=x onerror=alert(1)>.png').waitFor();
    await page.locator("summary").filter({ hasText: "not allowed" }).click();
    await page.getByText("✗ download_failed").waitFor();
    await page.getByRole("button", { name: "Add an asset" }).click();
    const dialog = page.getByRole("dialog", { name: "Add an asset" });
    await dialog.getByText("each edge in pixels: over 300, under 6,000").waitFor();
    await choose(dialog, "Type", "Video");
    await dialog.getByText("frames a second: at least 24, at most 60").waitFor();
    await dialog.getByLabel("Address of the file").fill("no address");
    await dialog.getByRole("button", { name: "Fetch and check" }).click();
    await dialog.getByText("must be a valid HTTPS URL").waitFor();
    expect(await dialog.getByLabel("Address of the file").inputValue()).toBe("no address");
    expect(await page.locator("img").count()).toBe(0);
    expect(faults.filter((fault) => !/status of 400/.test(fault))).toEqual([]);
  });

  it("find models by what they make, with their price, bounds and types, and open one to try", async () => {
    const { page, faults } = await reopen(watched, "/console/models?output=video&parameter=generateAudio");
    expect(await page.getByRole("link", { name: "sim-image", exact: true }).count()).toBe(0);
    await page
      .getByRole("row", { name: /^sim-video / })
      .getByText("output $2.40–7.70 per million; output $7.00 per million by default")
      .waitFor();
    await page.getByRole("link", { name: "sim-video", exact: true }).click();
    await page.getByRole("row", { name: /duration.*whole numbers from 4 to 15.*5/ }).waitFor();
    await page.getByRole("row", { name: /cameraFixed.*not supported/ }).waitFor();
    await page.getByRole("columnheader", { name: "Output, a million" }).waitFor();
    await page.getByRole("tab", { name: "TypeScript" }).click();
    await page.getByText("SimVideoParams").waitFor();
    await page.getByRole("link", { name: "Open in playground" }).click();
    await page.getByRole("tab", { name: "Video", selected: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it("find a route of the service by words, with its examples", async () => {
    const { page, faults } = await reopen(watched, "/console/api");
    expect(await page.getByText("/api/v1/video/estimate").isVisible()).toBe(false);
    await page.getByLabel("search").fill("estimate cost video");
    await page.getByText("POST /api/v1/video/estimate").click();
    await page.getByText('"A paper boat on a stream."').first().waitFor();
    expect(faults).toEqual([]);
  });

  it("find voices by what they speak, each with a sample", async () => {
    const { page } = await reopen(watched, "/console/voices?language=de-DE");
    await page.getByRole("heading", { name: "Seven" }).waitFor();
    expect(await page.locator('span[lang="de-DE"]').count()).toBeGreaterThan(0);
    expect(await page.getByRole("heading", { name: "Tim" }).count()).toBe(0);
  });
});

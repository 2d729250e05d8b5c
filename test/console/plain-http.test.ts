import { consoleFiles } from "@manifold-gateway/console";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN } from "../support/caller.ts";
import { ADA } from "../support/holder.ts";
import { type Stage, startStage } from "../support/stage.ts";
import { FAR, launch, missing, openPage, signIn, VIEWS } from "./browser.ts";
import { PASSWORD } from "./start.ts";

const SESSIONS = { key: { secret: "0123456789abcdef0123456789abcdef" }, issuer: "test", audience: "test" };

/** Chromium reports that a header of the page counts for HTTPS alone. */
const OF_ORIGIN = /Cross-Origin-Opener-Policy/;

/** A gateway with its console, and the address of it on what browsers take for another machine. */
async function startFar(insecureCookies: boolean): Promise<Stage & { far: string }> {
  const files = consoleFiles()!;
  const stage = await startStage({ sessions: SESSIONS, console: { files, insecureCookies } });
  await fetch(`${stage.origin}/api/admin/accounts/${ADA.id}/password`, {
    method: "POST",
    headers: { "x-admin-key": ADMIN, "content-type": "application/json" },
    body: JSON.stringify({ login: "ada", password: PASSWORD }),
  });
  return { ...stage, far: `http://${FAR}:${new URL(stage.origin).port}` };
}

describe.skipIf(missing)(`the console over plain HTTP ${missing ?? ""}`, () => {
  let stages: (Stage & { far: string })[];
  let browser: Awaited<ReturnType<typeof launch>>;
  beforeAll(async () => {
    stages = await Promise.all([startFar(false), startFar(true)]);
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    for (const stage of stages ?? []) await stage.close();
  });

  it("says what to do where the browser keeps no session, and takes no password", async () => {
    const [{ far }] = stages as [Stage & { far: string }];
    const { page, faults, close } = await openPage(browser, far, VIEWS.light!);
    await page.goto("/console");
    await page.getByRole("alert").getByText("this browser keeps no session").waitFor();
    const text = await page.getByRole("main").textContent();
    for (const way of ["HTTPS", `ssh -L ${new URL(far).port}:127.0.0.1`, "insecureCookies: true"])
      expect(text).toContain(way);
    expect(await page.locator("input").count()).toBe(0);
    expect(faults.filter((fault) => !OF_ORIGIN.test(fault))).toEqual([]);
    await close();
  });

  it("lets people sign in, change things and copy where the service keeps sessions there", async () => {
    const [, { far }] = stages as [Stage, Stage & { far: string }];
    const { page, faults, close } = await openPage(browser, far, VIEWS.light!);
    await signIn(page, "ada", PASSWORD);
    await page.goto("/console/keys");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByLabel("Name").fill("far");
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    const key = await page.locator(".secret code").textContent();
    await page.getByRole("dialog").getByRole("button", { name: "Copy the key" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.goto("/console/explain");
    await pasteInto(page, "Body, or a whole curl line");
    expect(await page.getByLabel("Body, or a whole curl line").inputValue()).toBe(key);
    expect(faults.filter((fault) => !OF_ORIGIN.test(fault))).toEqual([]);
    await close();
  });
});

/** Replaces the text of a field by what was copied. */
async function pasteInto(page: Page, field: string): Promise<void> {
  await page.getByLabel(field).focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+v");
}

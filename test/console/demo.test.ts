import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Console, startConsole } from "./start.ts";

const WORDS = ["demo", "--requests", "5"];

describe("the command that makes a month of traffic", () => {
  let server: Console;
  beforeAll(async () => {
    server = await startConsole({}, WORDS);
  }, 60_000);
  afterAll(() => server?.stop());

  it("has a video under way and one that waits", async () => {
    const database = new Sqlite(join(server.cwd, "data/demo/manifold.db"), { readonly: true });
    const states = database.prepare("SELECT state FROM jobs WHERE ended_at IS NULL ORDER BY created_at");
    await expect
      .poll(() => states.all(), { timeout: 20_000 })
      .toEqual([{ state: "running" }, { state: "queued" }]);
    database.close();
  }, 30_000);

  it("finds the month of an earlier start, and makes none anew", async () => {
    expect(server.output()).toContain("5 requests");
    await server.stop("folder");
    server = await startConsole({}, WORDS, server.cwd);
    expect(server.output()).toContain("exists already");
    expect(server.output()).not.toContain("5 requests");
  }, 60_000);
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Console, startConsole } from "./start.ts";

const WORDS = ["demo", "--requests", "5"];

describe("the command that makes a month of traffic", () => {
  let server: Console;
  beforeAll(async () => {
    server = await startConsole({}, WORDS);
  }, 60_000);
  afterAll(() => server?.stop());

  it("finds the month of an earlier start, and makes none anew", async () => {
    expect(server.output()).toContain("5 requests");
    await server.stop("folder");
    server = await startConsole({}, WORDS, server.cwd);
    expect(server.output()).toContain("exists already");
    expect(server.output()).not.toContain("5 requests");
  }, 60_000);
});

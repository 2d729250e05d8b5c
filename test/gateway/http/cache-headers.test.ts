import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Desk, openDesk } from "../account/desk.ts";

describe("the cache headers of answers", () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk();
  });
  afterAll(() => desk.close());
  const told = async (path: string) => (await desk.byKey(path)).headers.get("cache-control");

  it.each([
    "/api/compat/v1/usage",
    "/api/compat/v1/usage?format=csv",
    "/api/compat/v1/balance",
    "/api/compat/v1/api-key",
    "/api/v1/ai/models",
    "/api/admin/accounts",
    "/nowhere",
    "/health",
  ])("an answer of %s may not be stored by caches", async (path) => {
    expect(await told(path)).toBe("no-store");
  });

  it.each(["/docs", "/openapi.json"])("%s may be stored by caches", async (path) => {
    expect(await told(path)).toBe("public, max-age=300");
  });
});

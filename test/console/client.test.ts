import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { call } from "../../packages/console/web/src/api/client.ts";
import { filtersOf } from "../../packages/console/web/src/state/url.ts";
import { accountKeys, keysOf } from "../../packages/console/web/src/ui/key-calls.ts";

const SOURCES = join(import.meta.dirname, "../../packages/console/web/src");

describe("the console's client", () => {
  let sent: string[] = [];
  beforeAll(() => {
    vi.stubGlobal("fetch", async (address: string, { method, body }: RequestInit) => {
      sent.push([method, address, ...(body === undefined ? [] : [body])].join(" "));
      return Response.json({});
    });
  });
  beforeEach(() => {
    sent = [];
  });
  afterAll(() => vi.unstubAllGlobals());

  it("the client fills the path, leaves out empty filters and sends the body as JSON", async () => {
    await call("get", "/api/compat/v1/usage", {
      query: { model: "a b", key: "", user: undefined, limit: 5 },
    });
    await call("patch", "/api/compat/v1/api-keys/{keyId}", { path: { keyId: "a/b" }, body: { name: "ci" } });
    await call("post", "/api/v1/image/generations/async", { text: '{"model":"m"}' });
    expect(sent).toEqual([
      "GET /api/compat/v1/usage?model=a+b&limit=5",
      'PATCH /api/compat/v1/api-keys/a%2Fb {"name":"ci"}',
      'POST /api/v1/image/generations/async {"model":"m"}',
    ]);
  });

  it("the keys of an account are called by its session and by operators in the same way", async () => {
    for (const calls of [accountKeys, keysOf("acc")]) {
      await calls.list(new AbortController().signal);
      await calls.create("ci", { daily: 1, weekly: null, monthly: null, total: null }, {});
      await calls.setActive("k", false);
      await calls.setCaps("k", { daily: null, weekly: 2, monthly: null, total: null });
      await calls.restrict("k", { models: null });
      await calls.revoke("k");
    }
    const byOperator = sent.splice(6);
    expect(sent[0]).toBe("GET /api/compat/v1/api-keys?with=spend");
    expect(sent[5]).toBe("DELETE /api/compat/v1/api-keys/k");
    expect(byOperator).toEqual(
      sent.map((line) => line.replace("/api/compat/v1/", "/api/admin/accounts/acc/")),
    );
  });

  it("the address is narrowed to the filters of a route", () => {
    const params = { model: "m", status: "failed", tag: "", days: "7" };
    const filters = filtersOf<"/api/compat/v1/usage">(params, ["model", "status", "tag", "user"]);
    expect(filters).toEqual({ model: "m", status: "failed" });
  });

  // The compiler refuses each of these lines, or `npm run check` reports a comment that expects an error in vain.
  it("the compiler refuses misspelt filters, members and routes", async () => {
    const misspelt = { limit: 5, modle: "m" };
    // @ts-expect-error A literal with a misspelt filter.
    await call("get", "/api/compat/v1/usage", { query: { modle: "m" } });
    // @ts-expect-error A variable with a misspelt filter.
    await call("get", "/api/compat/v1/usage", { query: misspelt });
    const alone = { modle: "m" };
    // @ts-expect-error A variable with nothing but a misspelt filter.
    await call("get", "/api/compat/v1/usage", { query: alone });
    // @ts-expect-error A misspelt filter among others.
    await call("get", "/api/compat/v1/jobs", { query: { ...misspelt, offset: 1 } });
    // @ts-expect-error A value that the route does not have.
    await call("get", "/api/compat/v1/jobs", { query: { state: "running" } });
    // @ts-expect-error A filter of operators on an account's route.
    await call("get", "/api/compat/v1/usage/series", { query: { account: "acc" } });
    // @ts-expect-error A route without filters.
    await call("get", "/api/compat/v1/account", { query: misspelt });
    // @ts-expect-error A misspelt name among the filters in the address.
    filtersOf<"/api/compat/v1/usage">({}, ["modle"]);
    const body = { isActiv: false };
    // @ts-expect-error A variable with a misspelt member of a body.
    await call("patch", "/api/compat/v1/api-keys/{keyId}", { path: { keyId: "k" }, body });
    const second = { name: "ci", isActiv: false };
    // @ts-expect-error A variable with a misspelt member beside another.
    await call("patch", "/api/compat/v1/api-keys/{keyId}", { path: { keyId: "k" }, body: second });
    const restrictions = { modles: ["m"] };
    // @ts-expect-error A misspelt restriction.
    await accountKeys.restrict("k", restrictions);
    // @ts-expect-error A misspelt parameter of the path.
    await call("get", "/api/compat/v1/api-keys/{keyId}", { path: { keyID: "k" } });
    // @ts-expect-error A route that does not exist.
    await call("get", "/api/compat/v1/key");
    // @ts-expect-error A method that the route does not have.
    await call("post", "/api/compat/v1/usage", { query: { limit: 5 } });
    expect(sent).toHaveLength(13);
  });

  it("no source of the console but one waits for the network by itself, where a lost connection looks like a defect", () => {
    const callers = globSync("**/*.{ts,tsx}", { cwd: SOURCES }).filter((file) =>
      // Samples of code have an expression in their address.
      /\bfetch\((?!\$)/.test(readFileSync(join(SOURCES, file), "utf8")),
    );
    expect(callers).toEqual(["api/reach.ts"]);
  });

  it("no source of the console turns the compiler off by a cast", () => {
    const casts = globSync("**/*.{ts,tsx}", { cwd: SOURCES })
      .filter((file) => !file.endsWith("schema.d.ts"))
      .flatMap((file) =>
        readFileSync(join(SOURCES, file), "utf8")
          .split("\n")
          .flatMap((line, at) =>
            /\bas (never|any|unknown as)\b|@ts-(ignore|expect-error|nocheck)/.test(line)
              ? [`${file}:${at + 1} ${line.trim()}`]
              : [],
          ),
      );
    expect(casts).toEqual([]);
  });
});

import { afterAll, beforeAll, expect, it } from "vitest";
import { type Desk, openDesk } from "./desk.ts";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const keys = "/api/compat/v1/api-keys";
const admin = "/api/admin/accounts";

it.each<[string, string, unknown, (string | number)[], string]>([
  ["session", keys, {}, ["name"], "is missing: it must be text"],
  ["session", keys, { name: "" }, ["name"], "must not be empty"],
  ["session", keys, { name: null }, ["name"], "must be text, and is null"],
  ["session", keys, { name: "x".repeat(65) }, ["name"], "must have at most 64 characters"],
  [
    "session",
    keys,
    { name: "a", limits: { daily: "5" } },
    ["limits", "daily"],
    "must be a number, and is text",
  ],
  ["session", keys, { name: "a", limits: { daily: -1 } }, ["limits", "daily"], "must be 0 or more"],
  [
    "session",
    keys,
    { name: "a", restrictions: { requestsPerMinute: 0.5 } },
    ["restrictions", "requestsPerMinute"],
    "must be a whole number",
  ],
  [
    "session",
    keys,
    { name: "a", restrictions: { models: [] } },
    ["restrictions", "models"],
    "must not be empty",
  ],
  [
    "session",
    keys,
    { name: "a", restrictions: { surfaces: ["native", "natve"] } },
    ["restrictions", "surfaces", 1],
    "must be one of native, chatstyle, msgstyle, genstyle. Did you mean 'native'?",
  ],
  [
    "session",
    keys,
    { name: "a", restrictions: { expiresAt: "soon" } },
    ["restrictions", "expiresAt"],
    "must be an ISO date or time",
  ],
  [
    "session",
    keys,
    { name: "a", limit: {} },
    ["limit"],
    "there is no such field; known are name, limits, caps, restrictions. Did you mean 'limits'?",
  ],
  ["operator", `${admin}/acc/credit`, { amount: true }, ["amount"], "must be a number, and is true or false"],
  ["operator", `${admin}?limit=many`, undefined, ["limit"], "must be a whole number from 1 to 100"],
])("%s: %s with %j names the field and what is allowed", async (who, path, body, field, text) => {
  const method = body === undefined ? "GET" : "POST";
  const answer =
    who === "operator" ? await desk.byAdmin(method, path, body) : await desk.bySession(method, path, body);
  expect([answer.status, answer.body.code]).toEqual([400, "invalid_request"]);
  expect(answer.body.fields).toContainEqual({ path: field, text });
  expect(answer.body.errors).toContain(`${field.join(".") || "body"}: ${text}`);
});

it("names the field of a refusal that no schema makes", async () => {
  await desk.byAdmin("POST", admin, { id: "bob", name: "Bob" });
  expect((await desk.byAdmin("POST", admin, { id: "bob", name: "Bob" })).body.fields).toEqual([
    { path: ["id"], text: "An account with this id exists already." },
  ]);
});

import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../../support/commands.ts";
import { CREDENTIAL, declare, model, send, withServices } from "./stage.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const LISTED = { data: [{ id: "gpt-4o-mini" }, { id: "no-such-model" }, { id: "filed" }] };

/** Answers of a vendor by path; each repeats the credential that it got. */
const answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  "/good/models": (_, response) => response.end(JSON.stringify(LISTED)),
  "/none/models": (_, response) => response.end("{}"),
  "/page/models": (_, response) => response.end("<html>a page</html>"),
  "/refusing/models": ({ headers }, response) =>
    response
      .writeHead(401)
      .end(JSON.stringify({ error: { message: `Incorrect API key: ${headers.authorization}` } })),
  "/asking/models": (_, response) => response.writeHead(400).end('{"error":{"message":"API key not valid"}}'),
  "/busy/models": (_, response) => response.writeHead(429).end(),
  "/failing/models": (_, response) => response.writeHead(503).end("<html>of a proxy</html>"),
  "/moved/models": (_, response) => response.writeHead(302, { location: "/good/models" }).end(),
};
const events: { body: string; headers: Record<string, string> }[] = [];
const vendor = createServer(async (request, response) => {
  const answer = answers[request.url ?? ""];
  if (answer) return answer(request, response);
  let body = "";
  for await (const chunk of request) body += chunk;
  if (request.url?.startsWith("/hook"))
    events.push({ body, headers: request.headers as Record<string, string> });
  response.writeHead(request.url === "/hook" ? 204 : 404).end();
});
let address = "";
beforeAll(async () => {
  await new Promise<void>((done) => vendor.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
});
afterAll(() => void vendor.close());

const lines: unknown[] = [];
const note = (fields: object, message: string) => void lines.push({ ...fields, message });
const stage = withServices({}, { info: note, warn: note, error: note });

const at = (path: string, more: object = {}) => ({
  name: "new",
  value: { protocol: "chatstyle", origin: `${address}/${path}`, key: CREDENTIAL, ...more },
});
const variable = (name: string) => `\${${name}}`;
const testProvider = (body: object) => send(stage.first, "POST", "/providers/test", body);

describe("a test of a provider", () => {
  it.each([
    ["good", "listed", /^It lists 3 models\.$/],
    ["none", "listed", /^It answers, and lists no models\.$/],
    ["page", "unreadable", /something else than a list of models/],
    ["refusing", "refused", /^It refuses the credential \(status 401\): Incorrect API key: .*\[redacted\]/],
    ["asking", "rejected", /^It rejects the request \(status 400\): API key not valid$/],
    ["nowhere", "not_found", /^It has no list of models there \(status 404\)\.$/],
    ["busy", "busy", /status 429/],
    ["failing", "failing", /^It fails \(status 503\)\.$/],
    ["moved", "unreachable", /redirect/],
  ])(
    "at an address that is %s finds it %s, in words without the credential",
    async (path, verdict, words) => {
      const { status, body } = await testProvider(at(path));
      expect({ status, verdict: body.verdict }).toEqual({ status: 200, verdict });
      expect(body.finding).toMatch(words);
      expect(body.todo === undefined).toBe(path === "good");
    },
  );

  it("finds one that is away, and tries no key where that is not free", async () => {
    const away = await testProvider(at("", { origin: "http://127.0.0.1:9" }));
    expect(away.body).toMatchObject({
      verdict: "unreachable",
      finding: expect.stringContaining("ECONNREFUSED"),
    });
    const media = await testProvider(at("good", { protocol: undefined, serves: { image: "chatstyle" } }));
    expect(media.body.verdict).toBe("untried");
  });

  it("proposes models to declare, with known prices, and says which names are taken", async () => {
    const { models } = (await testProvider(at("good", { preset: "openai", protocol: undefined }))).body;
    // Known models for pictures follow, which the vendor need not list.
    expect(models.length).toBeGreaterThan(3);
    expect(models.slice(0, 3).map(({ value: _, ...one }: { value: object }) => one)).toMatchObject([
      { name: "gpt-4o-mini", isPriced: true, isRetired: expect.any(Boolean) },
      { name: "no-such-model", isPriced: false },
      { name: "filed", isPriced: false, declared: "file" },
    ]);
    const [{ value }] = models;
    expect(value).toMatchObject({
      output: ["text"],
      entries: [{ provider: "new", name: "gpt-4o-mini", price: { input: expect.any(Number) } }],
    });
    const changes = [
      { section: "providers", ...at("good") },
      { section: "models", name: "small", value },
    ];
    expect((await declare(stage.first, changes, { preview: true })).body.problems).toEqual([]);
  });

  it.each([
    ["of the web without TLS", { origin: "http://vendor.example" }, /must be https/],
    [
      "with a variable of the service for a key",
      { key: variable("MANIFOLD_ADMIN_KEY") },
      /belongs to the service/,
    ],
    ["with a credential that was never stored", { key: "sealed 01234567" }, /no stored credential/],
  ])("refuses an address %s, as a declaration would be", async (_, more, finding) => {
    const refused = await testProvider(at("good", more));
    expect(refused).toMatchObject({ status: 400, body: { code: "declaration_invalid" } });
    expect(refused.body.errors.join()).toMatch(finding);
  });

  it("takes a stored credential for the address that it belongs to, and no other", async () => {
    await declare(stage.first, [{ section: "providers", ...at("refusing"), name: "kept" }]);
    const { members } = (await send(stage.first, "GET", "/declarations")).body;
    const { value } = members.find(({ name }: { name: string }) => name === "kept");
    expect((await testProvider({ name: "kept", value })).body.finding).toContain("[redacted]");
    const moved = await testProvider({ name: "kept", value: { ...value, origin: `${address}/good` } });
    expect(moved.body.errors[0]).toContain("give the credential");
    expect((await testProvider({ name: "kept" })).body.verdict).toBe("refused");
    expect((await testProvider({ name: "nobody" })).status).toBe(404);
  });

  it("leaves no trace of the credential in the database, the log or the configuration", async () => {
    for (const name of readdirSync(stage.folder).filter((one) => /^store\.db(?!.*calls)/.test(one)))
      expect(readFileSync(join(stage.folder, name)).includes(CREDENTIAL)).toBe(false);
    expect(JSON.stringify(lines)).not.toContain(CREDENTIAL);
    const { members } = (await send(stage.first, "GET", "/declarations")).body;
    expect(members.map(({ name }: { name: string }) => name)).not.toContain("new");
  });
});

describe("a test of a webhook", () => {
  const test = (path: string) =>
    send(stage.first, "POST", "/webhooks/test", {
      name: "ops",
      value: { url: `${address}/${path}`, secret: SECRET, events: ["job.ended"] },
    });

  it("sends a signed event, which the endpoint accepts or does not", async () => {
    expect((await test("hook")).body).toMatchObject({
      isAccepted: true,
      finding: expect.stringMatching(/204/),
    });
    const [{ body, headers }] = events as [(typeof events)[number]];
    const event = new Webhook(SECRET).verify(body, headers);
    expect(event).toMatchObject({ type: "webhook.test", data: { endpoint: "ops" } });
    expect((await test("hook-of-another")).body).toMatchObject({
      isAccepted: false,
      finding: expect.stringMatching(/status 404/),
    });
  });
});

describe("commands that look at declarations", () => {
  it("doctor tries declared providers, and catalog diff and import compare declared models", async () => {
    const entry = { provider: "vendor", name: "gpt-4o-mini", price: { input: 999 } };
    const preset = at("good", { preset: "openai", protocol: undefined }).value;
    await declare(stage.first, [
      { section: "providers", name: "vendor", value: preset },
      model("declared", entry),
    ]);
    const file = join(stage.folder, "manifold.json");
    const run = (line: string) => runCommand([...line.split(" "), "--config", file]);
    const { lines: checks } = await run("doctor --json");
    const found = (check: string) => checks.find((one: { check: string }) => one.check === check);
    expect(found("declarations")).toMatchObject({ verdict: "ok" });
    expect(found("provider vendor")).toMatchObject({ verdict: "ok" });
    expect(JSON.stringify(checks)).not.toContain(CREDENTIAL);
    expect((await run("catalog diff")).output).toMatch(/^declared entries\.0\.price\.input: 999 → /m);
    expect((await run("catalog import")).output).toMatch(/^database: \d+ changes made$/m);
    const again = (await run("catalog diff")).output;
    expect(again).not.toContain("declared entries.0.price");
  });
});

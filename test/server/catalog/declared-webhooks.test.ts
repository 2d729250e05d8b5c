import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Host } from "../../../apps/server/src/host.ts";
import { runCommand } from "../../support/commands.ts";
import { chat, declare, entry, memberOf, send, undo, withServices } from "./stage.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const FILED = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;

/** The types of events that the receiver got, by path. */
const received: { path: string; type: string }[] = [];
const receiver = createServer(async (request: IncomingMessage, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  received.push({ path: request.url ?? "", type: (JSON.parse(text) as { type: string }).type });
  response.writeHead(204).end();
});
let address = "";
beforeAll(async () => {
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(() => void receiver.close());

const stage = withServices({
  webhooks: [{ name: "filed", url: "https://hooks.example/filed", secret: FILED }],
  keyDefaults: { acc: { caps: { total: 7 } } },
  models: { filed: { entries: [entry("filed", 1_000)] } },
});

const webhook = (name: string, more: object = {}) => ({
  section: "webhooks",
  name,
  value: { url: `${address}/${name}`, secret: SECRET, events: ["key.cap_reached"], ...more },
});

let cap = 0;
/** Lowers the cap of a key below what it has spent, which writes an event for each new cap. */
const reachCap = (host: Host) =>
  send(host, "PATCH", "/accounts/acc/api-keys/key/usage-limit", { total: ++cap / 1_000_000 });

describe("webhooks that are declared", () => {
  it("receive events of every process, and come back by an undo", async () => {
    const made = await declare(stage.first, [webhook("ops")]);
    expect(made).toMatchObject({ status: 200, body: { isApplied: true } });
    expect(await chat(stage.first, "filed")).toBe(200);
    const events = async () => {
      await reachCap(stage.second);
      return received.filter(({ path, type }) => path === "/ops" && type === "key.cap_reached").length;
    };
    await expect.poll(events, { timeout: 5_000, interval: 200 }).toBeGreaterThan(0);
    const removed = await declare(stage.second, [{ section: "webhooks", name: "ops" }]);
    expect(removed.body.isApplied).toBe(true);
    const undone = await undo(stage.first, removed.body.revisions);
    expect(undone.body.members).toMatchObject([{ name: "ops", after: { events: ["key.cap_reached"] } }]);
  });

  it("keep their secret at another address, and neither the database nor the interface shows it", async () => {
    const { value } = await memberOf(stage.first, "webhooks", "ops");
    expect(value.secret).toMatch(/^sealed /);
    const moved = { section: "webhooks", name: "ops", value: { ...value, url: `${address}/moved` } };
    expect((await declare(stage.first, [moved])).status).toBe(200);
    for (const name of readdirSync(stage.folder).filter((one) => /^store\.db(?!.*calls)/.test(one)))
      expect(readFileSync(join(stage.folder, name)).includes(SECRET)).toBe(false);
    for (const path of ["/declarations", "/declarations/export", "/audit-log?limit=100"])
      expect(JSON.stringify((await send(stage.first, "GET", path)).body)).not.toContain(SECRET);
  });

  it.each<[string, () => object, RegExp]>([
    [
      "an address of the web without TLS",
      () => ({ url: "http://hooks.example/" }),
      /^webhooks\.bad\.url: must be https/,
    ],
    ["an unknown event", () => ({ events: ["nothing"] }), /^webhooks\.bad\.events\.0/],
    ["another name than the declaration's", () => ({ name: "good" }), /^webhooks\.bad\.name: must be 'bad'/],
    ["a variable of the service", () => ({ secret: `\${MANIFOLD_ADMIN_KEY}` }), /belongs to the service/],
  ])("with %s are refused, by their name", async (_, more, finding) => {
    const refused = await declare(stage.first, [webhook("bad", more())]);
    expect(refused).toMatchObject({ status: 400, body: { code: "declaration_invalid" } });
    expect(refused.body.errors.join("\n")).toMatch(finding);
  });

  it("of the file are marked, and can be changed there only", async () => {
    expect(await memberOf(stage.first, "webhooks", "filed")).toMatchObject({ source: "file" });
    const refused = await declare(stage.first, [webhook("filed")], { confirm: true });
    expect(refused).toMatchObject({ status: 409, body: { code: "declaration_of_file" } });
  });

  it("are in an export, beside those of the file", async () => {
    const { document, variables } = (await send(stage.first, "GET", "/declarations/export")).body;
    expect(document.webhooks).toMatchObject([{ name: "filed" }, { name: "ops", url: `${address}/moved` }]);
    expect(variables).toContain("WEBHOOKS_OPS_SECRET");
  });
});

describe("defaults of keys that are declared", () => {
  const create = async (host: Host, body: object = {}) =>
    (await send(host, "POST", "/accounts/acc/api-keys", { name: "new", ...body })).body;

  it("are those of the file first, then those of all accounts, unless a request says otherwise", async () => {
    const all = { caps: { daily: 2 }, restrictions: { requestsPerMinute: 9 } };
    await declare(stage.first, [{ section: "keyDefaults", name: "*", value: all }]);
    // The file has defaults for this account, which replace those of all others.
    expect(await create(stage.first)).toMatchObject({ limits: { total: 7 } });
    await send(stage.first, "POST", "/accounts", { id: "other", name: "other" });
    const other = async (host: Host, body: object = {}) =>
      (await send(host, "POST", "/accounts/other/api-keys", { name: "new", ...body })).body;
    await expect.poll(async () => (await other(stage.second)).limits).toEqual({ daily: 2 });
    const own = { limits: { daily: null, monthly: 3 }, restrictions: { requestsPerMinute: 4 } };
    expect(await other(stage.first, own)).toMatchObject({
      limits: { monthly: 3 },
      restrictions: { requestsPerMinute: 4 },
    });
    const listed = (await send(stage.first, "GET", "/accounts/other/api-keys")).body;
    expect(listed.defaults).toEqual({ limits: { daily: 2 }, restrictions: { requestsPerMinute: 9 } });
  });

  it("hold for keys of the command line", async () => {
    const file = join(stage.folder, "manifold.json");
    const [made] = (await runCommand(["keys", "create", "other", "cli", "--config", file])).lines;
    expect(made).toMatchObject({ limits: { daily: 2 }, restrictions: { requestsPerMinute: 9 } });
    const none = (await runCommand(["keys", "create", "other", "cli2", "--daily", "none", "--config", file]))
      .lines;
    expect(none).toMatchObject([{ limits: {} }]);
  });

  it("of an unknown cap are refused with a finding", async () => {
    const refused = await declare(stage.first, [
      { section: "keyDefaults", name: "*", value: { caps: { dayly: 2 } } },
    ]);
    expect(refused.body.errors[0]).toMatch(/^keyDefaults\.\*\.caps\.dayly: there is no such field/);
  });
});

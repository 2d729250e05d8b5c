import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulator, type LedgerEntry, type Simulator } from "@manifold-gateway/simulator";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BARE } from "../../support/environment.ts";
import { MAIN } from "../../support/program.ts";

const PROTOCOLS = ["chatstyle", "responses", "msgstyle", "genstyle"] as const;
const AUTH: Record<string, (key: string) => [header: string, value: string]> = {
  chatstyle: (key) => ["authorization", `Bearer ${key}`],
  responses: (key) => ["authorization", `Bearer ${key}`],
  msgstyle: (key) => ["x-api-key", key],
  genstyle: (key) => ["x-goog-api-key", key],
};

const CALLER = "CallerKeyMarker0123456789-0123456789abcdef0123456789abcdef";
const POOR = "PoorCallerKeyMarker0123456789-0123456789abcdef0123456789abcdef";
const UNKNOWN = "UnknownKeyMarker0123456789";
const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJKd3RNYXJrZXIifQ.SignatureOfJwtMarker";
const ADMIN = "AdminKeyMarker-0123456789-0123456789";
const SESSION = "SessionSecretMarker-0123456789-0123456789";
const providerKey = (protocol: string): string => `ProviderKeyMarkerOf-${protocol}`;
/** Credentials of callers, which no provider sees. */
const OF_CALLERS = [
  CALLER,
  POOR,
  UNKNOWN,
  JWT,
  "SignatureOfJwtMarker",
  "CookieMarker",
  "ProxyMarker",
  "QueryMarker",
];
const OF_SERVICE = [...PROTOCOLS.map(providerKey), ADMIN, SESSION];
/** What a link to an image holds: the provider has to get it, nobody else may. */
const OF_LINKS = ["UrlSignatureMarker", "UrlTokenMarker"];
const LINK = "https://images.test/a.png?X-Amz-Signature=UrlSignatureMarker&token=UrlTokenMarker";
/** A link that is refused, and not repeated with what it holds. */
const OF_REFUSED = ["UrlUserMarker", "UrlPasswordMarker"];
const REFUSED = LINK.replace("images.test", "UrlUserMarker:UrlPasswordMarker@images.test");
const ALL = [...OF_CALLERS, ...OF_SERVICE, ...OF_LINKS, ...OF_REFUSED];
const found = (text: string, markers: readonly string[] = ALL): string[] =>
  markers.filter((marker) => text.includes(marker));

let folder: string;
let simulator: Simulator;
let elsewhere: Simulator;
let elsewhereOrigin: string;
let output = "";
let origin: string;
let stop: () => Promise<void>;
/** What was answered: everything of it that a caller can see. */
const answers: { name: string; status: number; text: string; headers: string }[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "manifold-secrets-"));
  simulator = createSimulator();
  elsewhere = createSimulator();
  const upstream = (await simulator.listen()).origin;
  elsewhereOrigin = (await elsewhere.listen()).origin;
  const entry = (provider: string) => ({ provider, name: `sim-${provider}`, price: { input: 1, output: 2 } });
  const config = {
    server: { port: 0, warmUp: 0, log: "debug", adminKey: ADMIN },
    sessions: { secret: SESSION },
    keyEncryptionSecrets: ["ab".repeat(32)],
    store: `sqlite:${join(folder, "store", "manifold.db")}`,
    providers: {
      ...Object.fromEntries(
        PROTOCOLS.map((protocol) => [
          protocol,
          { protocol, origin: upstream, key: providerKey(protocol), timeouts: { firstByte: 400, idle: 400 } },
        ]),
      ),
      // Nothing listens there.
      dead: { protocol: "chatstyle", origin: "http://127.0.0.1:1", key: providerKey("chatstyle") },
    },
    models: Object.fromEntries(
      [...PROTOCOLS, "dead"].map((id) => [id, { input: ["text", "image"], entries: [entry(id)] }]),
    ),
    accounts: { rich: { balance: 1_000, keys: { one: CALLER } }, poor: { keys: { one: POOR } } },
  };
  const file = join(folder, "config.json");
  writeFileSync(file, JSON.stringify(config));
  const child = spawn(process.execPath, ["--conditions=manifold", MAIN, "--config", file], {
    cwd: folder,
    env: BARE,
  });
  const exited = new Promise<void>((done) => child.once("close", () => done()));
  origin = await new Promise<string>((done, fail) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const line = /listens on (http:\S+) /.exec(output)?.[1];
      if (line) done(line);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", (code) => fail(new Error(`ended with ${code}: ${output}`)));
  });
  stop = async () => {
    child.kill("SIGTERM");
    await exited;
  };
});
afterAll(async () => {
  await stop?.();
  await Promise.all([simulator.close(), elsewhere.close()]);
  rmSync(folder, { recursive: true, force: true });
});

type Ask = (model: string, text: string) => { path: string; body: object };

const SURFACES: Record<string, Ask> = {
  chat: (model, text) => ({
    path: "/api/chatstyle/v1/chat/completions",
    body: { model, stream: true, messages: [{ role: "user", content: chatParts(text) }] },
  }),
  responses: (model, text) => ({
    path: "/api/chatstyle/v1/responses",
    body: {
      model,
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text },
            { type: "input_image", image_url: LINK, detail: "auto" },
          ],
        },
      ],
    },
  }),
  messages: (model, text) => ({
    path: "/api/msgstyle/v1/messages",
    body: {
      model,
      stream: true,
      max_tokens: 100,
      messages: [
        {
          role: "user",
          content: [
            { type: "image", source: { type: "url", url: LINK } },
            { type: "text", text },
          ],
        },
      ],
    },
  }),
  generate: (model, text) => ({
    path: `/api/genstyle/v1beta/models/${model}:generateContent`,
    body: {
      contents: [{ role: "user", parts: [{ fileData: { fileUri: LINK, mimeType: "image/png" } }, { text }] }],
    },
  }),
  native: (model, text) => ({
    path: "/api/v1/text/completions",
    body: { model, messages: [{ role: "user", content: `${LINK} ${text}` }] },
  }),
};
const chatParts = (text: string) => [
  { type: "text", text },
  { type: "image_url", image_url: { url: LINK } },
];

/** Everything beside the key that a caller may send without thinking. */
const CLUTTER = {
  cookie: "session=CookieMarker",
  "proxy-authorization": "Basic ProxyMarker",
  "content-type": "application/json",
};

async function send(
  name: string,
  path: string,
  body: string,
  headers: Record<string, string>,
): Promise<number> {
  const response = await fetch(origin + path, { method: "POST", headers: { ...CLUTTER, ...headers }, body });
  const text = await response.text().catch(() => "");
  answers.push({ name, status: response.status, text, headers: JSON.stringify([...response.headers]) });
  return response.status;
}

const query = (path: string, key: string): string => `${path}${path.includes("?") ? "&" : "?"}key=${key}`;

/** The same key in every place, some of which count. */
const PLACES: Record<
  string,
  (path: string, key: string) => { path: string; headers: Record<string, string> }
> = {
  "x-api-key": (path, key) => ({ path, headers: { "x-api-key": key, authorization: `Bearer ${JWT}` } }),
  bearer: (path, key) => ({ path: query(path, "QueryMarker"), headers: { authorization: `Bearer ${key}` } }),
  "x-goog-api-key": (path, key) => ({ path, headers: { "x-goog-api-key": key } }),
  query: (path, key) => ({ path: query(path, key), headers: {} }),
};

const faults = (): string[] => [
  "",
  "[[fault:status=401]]",
  "[[fault:status=429,retry-after=1]]",
  "[[fault:status=500]]",
  "[[fault:reset]]",
  "[[fault:cut=300]]",
  "[[fault:error-after=2]]",
  "[[fault:malformed]]",
  "[[fault:html]]",
  `[[fault:redirect=${elsewhereOrigin}/v1/chat/completions]]`,
  "[[fault:empty]]",
  "[[fault:gzip]]",
  "[[fault:no-usage]]",
  "[[fault:delay=1000]]",
  "[[fault:stall=1000]]",
];

describe("secrets", () => {
  it.each(Object.keys(SURFACES))("secrets do not leak through any fault on %s", async (surface) => {
    const statuses = new Set<number>();
    await Promise.all(
      PROTOCOLS.flatMap((protocol) =>
        faults().map(async (fault) => {
          const { path, body } = (SURFACES[surface] as Ask)(protocol, `words ${fault}`);
          const headers = { "x-api-key": CALLER, authorization: `Bearer ${JWT}` };
          statuses.add(await send(`${surface} ${protocol} ${fault}`, path, JSON.stringify(body), headers));
        }),
      ),
    );
    expect([...statuses]).toEqual(expect.arrayContaining([200, 502]));
  });

  it.each(Object.keys(SURFACES))(
    "secrets do not leak from requests that are refused on %s",
    async (surface) => {
      const ask = SURFACES[surface] as Ask;
      for (const [place, put] of Object.entries(PLACES))
        for (const key of [CALLER, POOR, UNKNOWN, JWT]) {
          const { path, body } = ask("chatstyle", "words");
          const at = put(path, key);
          const status = await send(`${surface} ${place}`, at.path, JSON.stringify(body), at.headers);
          if (key !== CALLER) expect(status).toBeGreaterThanOrEqual(400);
        }
      const own = { "x-api-key": CALLER };
      const { path, body } = ask("no-such-model", "words");
      expect(await send("no model", path, JSON.stringify(body), own)).toBeGreaterThanOrEqual(400);
      expect(await send("not JSON", path, `{"a": "${LINK}", ${CALLER}`, own)).toBe(400);
      expect(await send("no route", query(`${path}/nothing`, CALLER), "{}", own)).toBe(404);
      const wrong = { ...body, model: "chatstyle", messages: LINK, input: { url: LINK }, contents: LINK };
      expect(await send("wrong body", path, JSON.stringify(wrong), own)).toBeGreaterThanOrEqual(400);
      const other = ask("chatstyle", "words");
      const withLogin = JSON.stringify(other.body).replace(LINK, REFUSED);
      // The native surface has no picture by address: there the link is prose.
      const expected = surface === "native" ? 200 : 400;
      expect(await send("login in a link", other.path, withLogin, own)).toBe(expected);
      const dead = ask("dead", "words");
      expect(await send("dead", dead.path, JSON.stringify(dead.body), own)).toBe(502);
    },
  );

  it("no answer contains a secret", () => {
    expect(answers.length).toBeGreaterThan(300);
    const leaks = answers.flatMap(({ name, status, text, headers }) =>
      // An answer may repeat what it was asked; an error may not.
      found(text + headers, status < 400 ? [...OF_CALLERS, ...OF_SERVICE] : ALL).map((marker) => [
        name,
        status,
        marker,
      ]),
    );
    expect(leaks).toEqual([]);
  });

  it("no upstream call contains a secret of ours", () => {
    const { entries } = simulator.ledger;
    expect(entries.length).toBeGreaterThan(200);
    const leaks = entries.flatMap((entry: LedgerEntry) => {
      const [header, value] = (AUTH[entry.protocol] as (typeof AUTH)[string])(providerKey(entry.protocol));
      const { [header]: given, ...others } = entry.headers;
      const seen = JSON.stringify([entry.path, others, entry.request]);
      const wrong = given === value ? [] : [`${header} is not the provider's own key`];
      return [...wrong, ...found(seen, [...OF_CALLERS, ...OF_SERVICE])];
    });
    expect(leaks).toEqual([]);
    // A redirect is no reason to show a key to somebody else.
    expect(elsewhere.ledger.entries).toEqual([]);
  });

  it("neither the process output nor the database contains a secret", async () => {
    await stop();
    expect(output.split("\n").length).toBeGreaterThan(300);
    expect(found(output)).toEqual([]);
    const database = new Database(join(folder, "store", "manifold.db"), { readonly: true });
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
    const dump = tables.map((name) => JSON.stringify(database.prepare(`SELECT * FROM "${name}"`).all()));
    database.close();
    expect(dump.join().length).toBeGreaterThan(10_000);
    expect(found(dump.join())).toEqual([]);
    for (const entry of readdirSync(join(folder, "store"), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      expect([file, found(readFileSync(file, "latin1"))]).toEqual([file, []]);
    }
  });
});

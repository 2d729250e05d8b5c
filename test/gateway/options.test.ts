import {
  alertsFor,
  createCatalog,
  createGateway,
  createMemoryCache,
  type GatewayOptions,
  traceObserver,
} from "@manifold-gateway/gateway";
import { createTransport, defineProvider } from "@manifold-gateway/providers";
import {
  createLinks,
  openBucket,
  openDisk,
  openPostgres,
  openSqlite,
  type Store,
} from "@manifold-gateway/store";
import { afterAll, beforeAll, expect, it } from "vitest";

let store: Store;
beforeAll(async () => {
  store = await openSqlite({ path: ":memory:" });
});
afterAll(() => store.close());

const SECRET = "a-secret-that-is-too-short";

const given = (more: object): GatewayOptions => ({
  ...{ store, catalog: createCatalog([]), providers: [] },
  ...more,
});

it.each<[object, RegExp]>([
  [{ store: undefined }, /store: must be a store, opened by openSqlite or openPostgres\.$/],
  [{ catalog: [] }, /catalog: must be a catalog, made by createCatalog/],
  [{ providers: undefined }, /providers: must be a list of providers/],
  [{ providers: [{ origin: "https://a" }] }, /providers\.0: must be a provider, made by defineProvider/],
  [{ base: "" }, /base: must be an address such as .*, or a function that returns one, not ''/],
  [{ base: "ai.example.com" }, /base: must be .*, not 'ai\.example\.com'/],
  [{ base: "localhost:8787" }, /base: must be .*, not 'localhost:8787'/],
  [{ base: "https://a/?b=c" }, /base: .*without a query and a fragment, .*, not 'https:\/\/a\/\?b=c'/],
  [{ base: 1 }, /base: must be .*, not 1/],
  [{ corsOrigins: "https://a.example" }, /corsOrigins: must be a list, and is text, not 'https:/],
  [{ corsOrigins: ["*"] }, /corsOrigins\.0: must be an origin, such as https:\S+, not '\*'/],
  [{ corsOrigins: ["https://a.example/"] }, /corsOrigins\.0: must be an origin/],
  [{ corsOrigins: ["https://A.example:443"] }, /corsOrigins\.0: must be an origin/],
  [{ trustProxy: ["10.0.0.1"] }, /trustProxy\.0: must be a range of addresses, .*, not '10\.0\.0\.1'/],
  [{ adminKey: "" }, /adminKey: must have 32 characters or more\.$/],
  [{ adminKey: SECRET }, /adminKey: must have 32 characters or more\.$/],
  [{ adminKey: `${SECRET} ${SECRET}` }, /adminKey: must be printable ASCII without spaces/],
  [{ adminKeys: { ada: SECRET } }, /adminKeys\.ada: must have 32 characters or more\.$/],
  [{ keyEncryptionSecrets: [SECRET] }, /keyEncryptionSecrets\.0: must be bytes/],
  [{ keyEncryptionSecrets: [new Uint8Array(5)] }, /keyEncryptionSecrets\.0: must have 32 bytes/],
  [
    { sessions: { key: { secret: SECRET }, issuer: "a", audience: "b" } },
    /sessions\.key\.secret: must have 32/,
  ],
  [{ sessions: { key: { secret: SECRET + SECRET } } }, /sessions\.issuer: is missing.*sessions\.audience/],
  [{ admission: "lax" }, /admission: must be one of threshold, strict, not 'lax'/],
  [{ docs: "false" }, /docs: must be true or false, and is text/],
  [{ limits: { streams: 0 } }, /limits\.streams: must be 1 or more, not 0/],
  [{ limits: { streams: -1 } }, /limits\.streams: must be 1 or more, not -1/],
  [{ limits: { streams: Number.NaN } }, /limits\.streams: must be a number, not NaN/],
  [{ limits: { streams: "5" } }, /limits\.streams: must be a number, and is text, not '5'/],
  [{ limits: { generation: 2 ** 31 } }, /limits\.generation: must be at most 2147483647/],
  [
    { limits: { stream: 5 * 2 ** 31, steams: 5 } },
    /limits\.steams: there is no such field; .*Did you mean 'streams'/,
  ],
  [{ holds: { outputTokens: 1.5 } }, /holds\.outputTokens: must be a whole number, not 1\.5/],
  [{ routing: { attempts: 0 } }, /routing\.attempts: must be 1 or more/],
  [{ routing: { circuit: { openFor: Number.NaN } } }, /routing\.circuit\.openFor: must be a number, not NaN/],
  [{ answers: createMemoryCache(5_000, Date.now) }, /answers\.cache: must be a cache, made by/],
  [
    { answers: { cache: createMemoryCache(5_000, Date.now), share: 2 } },
    /answers\.share: must be at most 1, not 2/,
  ],
  [{ media: {} }, /media\.objects: must be a store of files/],
  [{ webhooks: [{ id: "a", url: "https://u:p@a" }] }, /webhooks\.0\.secrets: is missing/],
  [{ guards: [{ id: "a", url: "nowhere" }] }, /guards\.0\.url: must be an address with http: or https:/],
  [{ console: new Map() }, /console: must be \{ files: consoleFiles\(\) \}/],
  [{ log: () => undefined }, /log: must be an object with the functions info, warn and error/],
  [{ now: 5 }, /now: must be a function, not 5/],
  [{ adminkey: SECRET }, /adminkey: there is no such field; .*Did you mean 'adminKey'/],
])("a gateway refuses %o by its name, and tells no secret", (more, words) => {
  const attempt = (): unknown => createGateway(given(more));
  expect(attempt).toThrow(TypeError);
  expect(attempt).toThrow(words);
  expect(attempt).not.toThrow(SECRET);
});

it("a gateway takes what it is told to do without as what is not said", async () => {
  const nothing = Object.fromEntries(
    ["base", "corsOrigins", "adminKey", "log", "now", "media", "webhooks"].map((name) => [name, undefined]),
  );
  const gateway = createGateway(
    given({ ...nothing, limits: { streams: undefined, bodyBytes: undefined }, base: () => "https://a" }),
  );
  const response = await gateway.fetch(new Request("http://a/api/chatstyle/v1/models"));
  expect(response.status).toBe(401);
  expect(() => gateway.setWebhooks([{ id: "a" } as never])).toThrow(/^setWebhooks: webhooks\.0\.url: /);
  await gateway.close();
});

it.each<[unknown, RegExp]>([
  [undefined, /options: is missing: it must be a list/],
  [[{ id: "", entries: [] }], /0\.id: must not be empty/],
  [[{ id: "m" }], /0\.entries: is missing: it must be a list/],
  [
    [{ id: "m", entries: [{ provider: 5, name: "n" }] }],
    /0\.entries\.0\.provider: must be text, and is a number/,
  ],
  [[{ id: "m", entries: [{ provider: "p", name: "n", weight: -1 }] }], /weight: must be 0 or more, not -1/],
  [
    [{ id: "m", entries: [{ provider: "p", name: "n", priority: Number.NaN }] }],
    /priority: must be a number, not NaN/,
  ],
  [[{ id: "m", aliases: "a", entries: [] }], /0\.aliases: must be a list, and is text, not 'a'/],
])("a catalog refuses %j by its name, and again what replaces it", (models, words) => {
  expect(() => createCatalog(models as [])).toThrow(words);
  expect(() => createCatalog([]).replace(models as [])).toThrow(words);
});

it("a cache of answers refuses a size that is none", () => {
  expect(() => createMemoryCache(Number.NaN, Date.now)).toThrow(/bytes: must be a number, not NaN/);
  expect(() => createMemoryCache(1, undefined as never)).toThrow(/now: must be a function/);
});

it.each<[object, RegExp]>([
  [{}, /path: is missing: it must be text/],
  [{ path: "" }, /path: must not be empty/],
  [{ path: ":memory:", bussy: 1 }, /bussy: there is no such field; .*Did you mean 'busy'/],
  [{ path: ":memory:", records: { dayz: 1 } }, /records\.dayz: there is no such field/],
  [{ path: ":memory:", busy: Number.NaN }, /busy: must be a number, not NaN/],
  [{ path: ":memory:", calls: "" }, /calls: must not be empty/],
  [{ path: ":memory:", records: { days: 0 } }, /records\.days: must be 1 or more, not 0/],
  [
    { path: ":memory:", records: { requests: "all" } },
    /records\.requests: must be one of none, metadata, full/,
  ],
])("a SQLite store refuses %j by its name", async (options, words) => {
  await expect(openSqlite(options as never)).rejects.toThrow(words);
});

it.each<[object, RegExp]>([
  [{ url: `${SECRET}@host/db` }, /url: must begin with postgres:\/\/\.$/],
  [{ url: `postgres://a:${SECRET}@host/db?sslmod=require` }, /url: there is no option 'sslmod' of Postgres/],
  [{ url: "postgres://host/db", connections: 0 }, /connections: must be 1 or more, not 0/],
  [{ url: "postgres://host/db", reader: { url: `http://a:${SECRET}@b` } }, /reader\.url: must begin with/],
])("a Postgres store refuses %j by its name, and tells no secret", async (options, words) => {
  const opened = openPostgres(options as never);
  await expect(opened).rejects.toThrow(words);
  await expect(opened).rejects.not.toThrow(SECRET);
});

const links = createLinks({ base: "", secrets: [{ id: "a", secret: "s".repeat(32) }] });
const provide = (id: unknown, key?: unknown) =>
  defineProvider(id as string, { origin: "https://a.example", speaks: ["chatstyle"], key: key as string });

it.each<[string, () => unknown, RegExp]>([
  [
    "a folder with a name that is none of its options",
    () => openDisk({ folder: "/nowhere", links, limmit: 1 } as never),
    /^openDisk: limmit: there is no such field; known are folder, links, limit, now/,
  ],
  ["a folder without a name", () => openDisk({ folder: "", links }), /^openDisk: folder: must not be empty/],
  ["a folder without links", () => openDisk({ folder: "/nowhere" } as never), /^openDisk: links: is missing/],
  [
    "a folder for no bytes",
    () => openDisk({ folder: "/nowhere", links, limit: 0 }),
    /limit: must be 1 or more/,
  ],
  [
    "a bucket without a region",
    () => openBucket({ bucket: "b" } as never),
    /^openBucket: region: is missing/,
  ],
  [
    "a bucket at no address",
    () => openBucket({ bucket: "b", region: "r", endpoint: "localhost:9000" }),
    /endpoint: must be an address with http: or https:, not 'localhost:9000'/,
  ],
  [
    "a bucket with half a credential",
    () => openBucket({ bucket: "b", region: "r", credentials: { accessKeyId: SECRET } as never }),
    /credentials\.secretAccessKey: is missing/,
  ],
  [
    "links without an address",
    () => createLinks({ base: "ai.example", secrets: [] }),
    /^createLinks: base: must be an address/,
  ],
  [
    "links at a path without a slash",
    () => createLinks({ base: "https://a", path: "files", secrets: [] }),
    /path: must be a path, such as \/api\/objects, not 'files'/,
  ],
  [
    "links with one secret",
    () => createLinks({ base: "", secrets: SECRET as never }),
    /secrets: must be a list/,
  ],
  ["alerts of no event", () => alertsFor([{ id: "a" } as never]), /^alertsFor: webhooks\.0\.url: /],
  ["traces to a list", () => traceObserver({ propagateTo: ["a"] as never }), /propagateTo: must be a Set/],
  ["a timer without end", () => createTransport({ idle: 2 ** 31 }), /idle: must be at most 2147483647/],
  ["a transport without time", () => createTransport({ connect: 0 }), /connect: must be 1 or more, not 0/],
  ["a provider without a name", () => provide(""), /^defineProvider: id: must not be empty/],
  ["a provider with an empty key", () => provide("a", ""), /key: must not be empty/],
  ["a provider with no keys", () => provide("a", []), /key: /],
  ["a key with a line break", () => provide("a", `${SECRET}\n`), /key: must .*no header can carry\.$/],
  ["several keys, one without", () => provide("a", [SECRET, { name: "b" }]), /key/],
])("%s is refused by its name, and no secret is told", async (_, make, words) => {
  const attempt = async () => make();
  await expect(attempt()).rejects.toThrow(TypeError);
  await expect(attempt()).rejects.toThrow(words);
  await expect(attempt()).rejects.not.toThrow(SECRET);
});

it("keys, links and times that are right are taken", () => {
  expect(provide("a", [SECRET, { name: "b", key: "c", weight: 2 }]).credentials).toHaveLength(2);
  expect(provide("a").key).toBeUndefined();
  expect(() => alertsFor([])).not.toThrow();
});

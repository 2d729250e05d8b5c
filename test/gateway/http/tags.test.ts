import { createCatalog } from "@manifold-gateway/gateway";
import { createTransport, type UpstreamRequest } from "@manifold-gateway/providers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN, type Json } from "../../support/caller.ts";
import { startMediaStage } from "../../support/media.ts";
import { models } from "../../support/media-models.ts";
import type { Stage } from "../../support/stage.ts";
import { CHAT, model } from "../../support/text.ts";

let h: Stage;
const sent: UpstreamRequest[] = [];
beforeAll(async () => {
  const transport = createTransport();
  h = await startMediaStage({
    catalog: createCatalog([...models, model("sim-chat", "chatstyle")]),
    transport: {
      ...transport,
      send(request) {
        sent.push(request);
        return transport.send(request);
      },
    },
  });
});
afterAll(() => h.close());

const tagged = (tags: string): RequestInit => ({ headers: { "x-tags": tags } });
const USAGE = "/api/compat/v1/usage";
const messages = [{ role: "user", content: "Hello." }];
const chat = { model: "sim-chat", messages };
const content = [{ type: "text", text: "A door." }];
const newest = async (): Promise<Json> => (await h.json(`${USAGE}?limit=1`)).results[0];

describe("tags", () => {
  const works: [string, string, Json][] = [
    ["chat completions", CHAT, chat],
    ["a stream", CHAT, { ...chat, stream: true }],
    ["responses", "/api/chatstyle/v1/responses", { model: "sim-chat", input: "Hello." }],
    ["messages", "/api/msgstyle/v1/messages", { ...chat, max_tokens: 9 }],
    [
      "generated content",
      "/api/genstyle/v1beta/models/sim-chat:generateContent",
      { contents: [{ role: "user", parts: [{ text: "Hello." }] }] },
    ],
    ["the native interface", "/api/v1/text/completions", chat],
    ["embeddings", "/api/chatstyle/v1/embeddings", { model: "embed-chat", input: "Hello." }],
    ["an image", "/api/v1/image/generations", { model: "image", content }],
    ["a video", "/api/v1/video/generations", { model: "video", content, duration: 5, resolution: "720p" }],
    [
      "speech",
      "/api/v1/audio/text-to-speech",
      { voiceType: "en_female_dacey_uranus_bigtts", text: "Hello." },
    ],
  ];

  it.each(works)("the record of %s has its tags, which no provider is sent", async (_, path, body) => {
    const before = sent.length;
    const response = await h.call(path, body, tagged("team=search, env = prod"));
    await response.text();
    expect(response.status).toBeLessThan(300);
    await h.settled();
    const record = await newest();
    expect(record.tags).toEqual({ team: "search", env: "prod" });
    expect(record.surface).toBe(/^.api.(\w+style)/.exec(path)?.[1] ?? "native");
    expect(await h.json(`${USAGE}/${record.id}`)).toMatchObject({ tags: { team: "search" } });
    expect(sent.length).toBeGreaterThan(before);
    for (const { headers } of sent.slice(before)) expect(JSON.stringify(headers)).not.toMatch(/tag|search/i);
  });

  it("records are chosen by tags, by their account and by operators", async () => {
    await h.call(CHAT, chat, tagged("team=ads,tier=gold"));
    await h.settled();
    const { id } = await newest();
    const found = async (path: string, init?: RequestInit) =>
      (await h.json(path, undefined, 200, init)).results.map(({ id }: Json) => id);
    const operator = { headers: { "x-admin-key": ADMIN } };
    for (const query of ["tag=team:ads", "tag=tier:gold,team:ads"]) {
      expect(await found(`${USAGE}?${query}`)).toEqual([id]);
      expect(await found(`/api/admin/generations?${query}`, operator)).toEqual([id]);
    }
    expect(await found(`${USAGE}?tag=team:ads,tier:silver`)).toEqual([]);
    const sheet = await (await h.call(`${USAGE}?format=csv&tag=team:ads`)).text();
    expect(sheet.split("\r\n")[0]).toMatch(/,tags,user,surface,entry$/);
    expect(sheet).toContain('"team=ads, tier=gold"');
  });

  it("sums are split by the values of a tag, and chosen by one", async () => {
    const series = (query: string, status = 200) => h.json(`${USAGE}/series?${query}`, undefined, status);
    const { by, total, series: split } = await series("by=tag:team&measure=requests&bucket=hour");
    expect(by).toBe("tag:team");
    expect(split.map(({ name }: Json) => name)).toEqual(["search", "ads"]);
    expect(split[1].total.requests).toBe(1);
    expect(total.requests).toBe(split[0].total.requests + 1);
    expect((await series("tag=team:ads&by=model")).series).toMatchObject([{ name: "sim-chat" }]);
    expect((await series("tag=team:ads&by=tag:env", 400)).errors[0]).toMatch(/^tag: must not be given/);
    expect((await series("tag=a:b,c:d", 400)).errors[0]).toMatch(/^tag: must be one tag/);
    expect((await series("by=colour", 400)).errors[0]).toMatch(/^by: /);
  });

  it.each([
    "team",
    "team=",
    "=search",
    "1team=search",
    "team=a b",
    "team=search,team=ads",
    "team=search,",
    "Mannschaft-Sucherei-und-Anzeigen-Zwei=x",
    `team=${"x".repeat(65)}`,
    Array.from({ length: 9 }, (_, n) => `t${n}=1`).join(),
  ])("tags that cannot be are refused before anything is sent: %s", async (tags) => {
    const before = sent.length;
    const { errors, error } = await h.json(CHAT, chat, 400, tagged(tags));
    expect(error?.message ?? errors[0]).toMatch(/^x-tags: .*up to 8 tags such as 'team=search, env=prod'/);
    expect(sent.length).toBe(before);
  });
});

describe("surfaces and entries", () => {
  const operator = { headers: { "x-admin-key": ADMIN } };
  const ask = (path: string, init?: RequestInit): Promise<Json> => h.json(path, undefined, 200, init);

  it.each(["surface", "entry"])(
    "records and sums of each %s agree, for accounts and operators",
    async (by) => {
      await h.call("/api/v1/text/completions", chat);
      await h.settled();
      const { results } = await ask(`${USAGE}?limit=100`);
      const counts = new Map<string, number>();
      for (const one of results) counts.set(one[by] ?? "", (counts.get(one[by] ?? "") ?? 0) + 1);
      expect(counts.size).toBeGreaterThan(2);
      expect(counts.has("")).toBe(false);
      const query = `series?by=${by}&measure=requests&top=50`;
      for (const { series } of [
        await ask(`${USAGE}/${query}`),
        await ask(`/api/admin/usage/${query}`, operator),
      ])
        expect(new Map(series.map(({ name, total }: Json) => [name, total.requests]))).toEqual(
          new Map([...counts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))),
        );
      for (const [name, count] of counts) {
        expect((await ask(`${USAGE}?${by}=${name}`)).total).toBe(count);
        const { results } = await ask(`/api/admin/generations?limit=100&${by}=${name}`, operator);
        expect(results.length).toBe(count);
        const { total } = await ask(`${USAGE}/series?${by}=${name}&bucket=hour`);
        expect(total.requests).toBe(count);
      }
      const sheet = await (await h.call(`${USAGE}?format=csv&limit=100`)).text();
      for (const name of counts.keys()) expect(sheet).toMatch(new RegExp(`,${name}(,|\r\n)`));
    },
  );

  it("accounts are shown neutral ids of entries, and operators their providers as well", async () => {
    const query = "series?by=entry&model=sim-chat";
    const [own] = (await ask(`${USAGE}/${query}`)).series;
    expect(Object.keys(own).sort()).toEqual(["name", "points", "total"]);
    const [all] = (await ask(`/api/admin/usage/${query}`, operator)).series;
    const { provider, name } = (await ask(`/api/admin/generations?entry=${own.name}&limit=1`, operator))
      .results[0];
    expect(all).toMatchObject({ name: own.name, served: { provider, name } });
    expect((await h.json(`/api/admin/usage/${query}`, undefined, 401)).errors).toBeDefined();
    expect(await ask(`/api/admin/usage/${query}&account=another`, operator)).toMatchObject({ series: [] });
  });

  it("sums of all accounts are split by account for operators only, and have the names of what ids are of", async () => {
    const query = "series?by=account";
    const { total, series } = await ask(`/api/admin/usage/${query}`, operator);
    expect(series.length).toBe(1);
    const [{ name: id, displayName, total: own }] = series;
    expect(own).toEqual(total);
    expect(displayName).toBe((await ask(`/api/admin/accounts/${id}`, operator)).name);
    expect((await ask(`/api/admin/usage/${query}&account=${id}`, operator)).total).toEqual(total);
    expect((await h.json(`${USAGE}/${query}`, undefined, 400)).errors[0]).toMatch(/^by: /);
    for (const path of [USAGE, "/api/admin/usage"]) {
      const account = path === USAGE ? "" : `&account=${id}`;
      const { series: keys } = await ask(`${path}/series?by=key${account}`, operator);
      expect(keys.every(({ displayName }: Json) => typeof displayName === "string")).toBe(true);
    }
  });
});

describe("end users", () => {
  it.each([
    ["user", CHAT, { ...chat, user: "u-1" }, "u-1"],
    ["safety_identifier", CHAT, { ...chat, safety_identifier: "u-2" }, "u-2"],
    [
      "user of embeddings",
      "/api/chatstyle/v1/embeddings",
      { model: "embed-chat", input: "a", user: "u-3" },
      "u-3",
    ],
    [
      "metadata.user_id",
      "/api/msgstyle/v1/messages",
      { ...chat, max_tokens: 9, metadata: { user_id: "u-4" } },
      "u-4",
    ],
    ["a long user", CHAT, { ...chat, user: `${"ü".repeat(300)}` }, "ü".repeat(256)],
    ["a user with characters that no text has", CHAT, { ...chat, user: "a\u0000b\ud800" }, "ab\ufffd"],
    ["a user that is no text", CHAT, { ...chat, user: null }, undefined],
  ])("the record has the end user of %s", async (_, path, body, user) => {
    await (await h.call(path, body)).text();
    await h.settled();
    const record = await newest();
    expect(record.user).toBe(user);
    if (user === undefined) return;
    const { results } = await h.json(`${USAGE}?user=${encodeURIComponent(user)}`);
    expect(results.map(({ id }: Json) => id)).toEqual([record.id]);
  });
});

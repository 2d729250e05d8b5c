import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEY } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { textModels } from "../../support/text.ts";

const [first] = textModels;
const ids = ["a", "b/c", "d", "e", "f"];
let stage: Stage;
beforeAll(async () => {
  stage = await startStage({ models: ids.map((id) => ({ ...first!, id })) });
});
afterAll(() => stage.close());

const MESSAGES = "/api/msgstyle/v1/models";
const GENERATE = "/api/genstyle/v1beta/models";
const listed = async (path: string): Promise<string[]> =>
  (await stage.json(path)).data.map(({ id }: { id: string }) => id);

describe("pages of models", () => {
  const sizes = Array.from({ length: ids.length + 2 }, (_, at) => at + 1);

  it.each(sizes)("an SDK of messages reads all by %i, forwards and backwards", async (limit) => {
    const { models } = new Anthropic({ baseURL: `${stage.origin}/api/msgstyle`, apiKey: KEY });
    const forwards: string[] = [];
    for await (const { id } of models.list({ limit })) forwards.push(id);
    const all = await listed(MESSAGES);
    expect(forwards).toEqual(all);
    const backwards: string[] = [];
    const last = all.at(-1)!;
    for (let page = await models.list({ limit, before_id: last }); ; page = await page.getNextPage()) {
      backwards.unshift(...page.data.map(({ id }) => id));
      if (!page.hasNextPage()) break;
    }
    expect([...backwards, last]).toEqual(all);
  });

  it.each(sizes)("an SDK of generate-content reads all by %i", async (pageSize) => {
    const client = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: `${stage.origin}/api/genstyle` } });
    const names: string[] = [];
    for await (const { name } of await client.models.list({ config: { pageSize } })) names.push(name!);
    const { models, nextPageToken } = await stage.json(GENERATE);
    expect(names).toEqual(models.map(({ name }: { name: string }) => name));
    expect(nextPageToken).toBeUndefined();
  });

  it("a page has its bounds, and `data` is that of `models`", async () => {
    const all = await listed(MESSAGES);
    const page = await stage.json(`${MESSAGES}?limit=2&after_id=${encodeURIComponent(all[1]!)}`);
    expect(page).toMatchObject({ has_more: true, first_id: all[2], last_id: all[3] });
    const between = `${MESSAGES}?after_id=${all[0]}&before_id=${all[3]}`;
    expect(await listed(between)).toEqual([all[1], all[2]]);
    const { data, models } = await stage.json(`${GENERATE}?pageSize=1`);
    expect([data.length, models.length]).toEqual([1, 1]);
    expect((await stage.json(`${GENERATE}?pageSize=0`)).models.length).toBe(all.length);
    expect((await stage.json(`${GENERATE}?pageSize=5000&pageToken=`)).models.length).toBe(all.length);
  });

  it.each([
    [`${MESSAGES}?limit=0`, "limit"],
    [`${MESSAGES}?limit=1001`, "limit"],
    [`${MESSAGES}?limit=x`, "limit"],
    [`${MESSAGES}?after_id=gone`, "after_id"],
    [`${MESSAGES}?before_id=gone`, "before_id"],
    [`${GENERATE}?pageSize=-1`, "pageSize"],
    [`${GENERATE}?pageToken=gone`, "pageToken"],
  ])("%s is a 400 that names the parameter", async (path, name) => {
    const { errors } = await stage.json(path, undefined, 400);
    expect(errors[0]).toContain(`${name}: `);
  });
});

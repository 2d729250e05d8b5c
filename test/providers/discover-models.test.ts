import { createServer } from "node:http";
import {
  createLineClient,
  createTransport,
  defineProvider,
  discoverModels,
} from "@manifold-gateway/providers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listen } from "../support/listen.ts";

/** What the listing answers to a query, and the queries that came. */
let answer: (query: URLSearchParams) => unknown;
let asked: string[];
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
  asked.push(pathname);
  response.end(JSON.stringify(answer(searchParams)));
});
const transport = createTransport();
const client = createLineClient(transport);
let origin: string;
beforeAll(async () => {
  origin = (await listen(server)).origin;
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  await transport.close();
  server.closeAllConnections();
  server.close();
});

const discover = (protocol: "msgstyle" | "genstyle" | "chatstyle") =>
  discoverModels(defineProvider("p", { origin, speaks: [protocol] }), client, new AbortController().signal);
const names = async (protocol: Parameters<typeof discover>[0]) =>
  (await discover(protocol)).map(({ name }) => name);

describe("a listing of several pages", () => {
  it("a listing is read to its end where it names its last id", async () => {
    const ids = ["a", "b", "c", "d", "e"];
    answer = (query) => {
      const from = ids.indexOf(query.get("after_id") ?? "") + 1;
      const data = ids.slice(from, from + 2).map((id) => ({ id }));
      return { data, has_more: from + 2 < ids.length, last_id: data.at(-1)?.id };
    };
    expect(await names("msgstyle")).toEqual(ids);
    expect(asked).toEqual(["/v1/models", "/v1/models", "/v1/models"]);
  });

  it("a listing is read to its end where it gives a token", async () => {
    answer = (query) =>
      query.get("pageToken") === "t&2"
        ? { models: [{ name: "models/b" }] }
        : { models: [{ name: "models/a" }], nextPageToken: "t&2" };
    expect(await names("genstyle")).toEqual(["a", "b"]);
  });

  it("a listing without an end is abandoned", async () => {
    answer = () => ({ data: [{ id: "a" }], has_more: true, last_id: "a" });
    expect(await names("chatstyle")).toEqual(["a"]);
    expect(asked).toHaveLength(50);
  });
});

it("an answer that is no listing is a fault, not a provider without models", async () => {
  answer = () => "busy";
  await expect(discover("chatstyle")).rejects.toMatchObject({ kind: "encoding" });
});

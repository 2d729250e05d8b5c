import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { defineProvider } from "@manifold-gateway/providers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createOutputFetch } from "../../../packages/gateway/src/media/outputs.ts";
import { readAll } from "../../store/objects/bytes.ts";
import { listen } from "../../support/listen.ts";

type Listening = Awaited<ReturnType<typeof listen>>;
const FILE = Buffer.from("a picture");
const options = { limit: 1_000_000, http: true };

let provider: Listening;
let elsewhere: Listening;
/** The answer that is written piece by piece. */
let open: ServerResponse | undefined;
let asked: string[] = [];
const listener: RequestListener = (request, response) => {
  asked.push(`${request.headers.host}${request.url}`);
  const to = new URL(request.url ?? "", "http://x").searchParams.get("to");
  if (to !== null) return void response.writeHead(302, { location: to }).end();
  if (request.url !== "/slow") return void response.end(FILE);
  open = response;
  response.write(FILE);
};
beforeEach(async () => {
  asked = [];
  provider = await listen(createServer(listener));
  elsewhere = await listen(createServer(listener));
});
afterEach(async () => {
  vi.useRealTimers();
  await provider.close();
  await elsewhere.close();
});

const outputFetch = (allow?: string[]) => {
  const declared = defineProvider("p", { origin: provider.origin, speaks: [], key: "key" });
  return createOutputFetch({ providers: new Map([["p", declared]]), allow });
};
const fetchAll = async (url: string, allow?: string[]) =>
  readAll((await outputFetch(allow)(url, options)).stream);

describe("outputs of providers", () => {
  it("an output is fetched from a declared provider wherever that is, its redirects to itself included", async () => {
    expect(await fetchAll(`${provider.origin}/a`)).toEqual(FILE);
    expect(await fetchAll(`${provider.origin}/?to=/b`)).toEqual(FILE);
    await expect(fetchAll(`${elsewhere.origin}/a`)).rejects.toMatchObject({ code: "address_refused" });
  });

  it("an output is not fetched from a private address that a declared provider redirects to", async () => {
    for (const to of [`${elsewhere.origin}/secret`, `http://localhost:${elsewhere.port}/secret`])
      await expect(fetchAll(`${provider.origin}/?to=${to}`)).rejects.toMatchObject({
        code: "address_refused",
      });
    expect(asked.filter((one) => one.includes("/secret") && !one.includes("to="))).toEqual([]);
    expect(await fetchAll(`${provider.origin}/?to=${elsewhere.origin}/a`, ["127.0.0.1/32"])).toEqual(FILE);
  });

  it("fetching an output may take minutes, as long as bytes keep coming", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { stream } = await outputFetch()(`${provider.origin}/slow`, options);
    const reader = stream.getReader();
    expect((await reader.read()).value).toHaveLength(FILE.length);
    for (let seconds = 0; seconds < 300; seconds += 5) {
      vi.advanceTimersByTime(5_000);
      open?.write(FILE);
      expect((await reader.read()).value).toHaveLength(FILE.length);
    }
    vi.advanceTimersByTime(1_800_000);
    await expect(reader.read()).rejects.toMatchObject({ code: "timeout" });
  });
});

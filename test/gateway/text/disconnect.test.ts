import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { UpstreamProtocol } from "@manifold-gateway/providers";
import type { Generation } from "@manifold-gateway/store";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { KEY } from "../../support/holder.ts";
import { listen } from "../../support/listen.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { modelOf, PROTOCOLS } from "../../support/text.ts";

let h: Stage;
beforeAll(async () => {
  h = await startStage();
});
beforeEach(() => h.simulator.reset());
afterAll(async () => {
  // Each of them was charged once, alone or with others.
  expect(await h.store.money.audit()).toEqual([]);
  await h.close();
});

const user = (content: string) => [{ role: "user", content }];
const contents = (text: string) => ({ contents: [{ role: "user", parts: [{ text }] }] });

interface Asked {
  path: string;
  body: object;
}

/** How each surface is asked for a stream, and for a whole answer where it gives one. */
const SURFACES: Record<string, (model: string, text: string, stream: boolean) => Asked> = {
  chat: (model, text, stream) => ({
    path: "/api/chatstyle/v1/chat/completions",
    body: { model, stream, messages: user(text) },
  }),
  responses: (model, text, stream) => ({
    path: "/api/chatstyle/v1/responses",
    body: { model, stream, input: text },
  }),
  messages: (model, text, stream) => ({
    path: "/api/msgstyle/v1/messages",
    body: { model, stream, max_tokens: 1_000, messages: user(text) },
  }),
  generate: (model, text, stream) => ({
    path: `/api/genstyle/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: contents(text),
  }),
  array: (model, text) => ({
    path: `/api/genstyle/v1beta/models/${model}:streamGenerateContent`,
    body: contents(text),
  }),
  native: (model, text) => ({ path: "/api/v1/text/completions", body: { model, messages: user(text) } }),
};
const cells = Object.keys(SURFACES).flatMap((surface) =>
  PROTOCOLS.map((protocol) => ({ surface, protocol })),
);

let count = 0;
/** A word that no other request has: what belongs to a request is found by it. */
const newMark = (): string => `mark${String(++count).padStart(5, "0")}x`;
const truthOf = (mark: string) =>
  h.simulator.ledger.entries.filter((entry) => JSON.stringify(entry.request).includes(mark));

async function until<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const end = Date.now() + 20_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

interface Leaver {
  /** What had arrived when the connection was broken, or all of it. */
  text: string;
  /** The answer came to its end before the point was reached. */
  whole: boolean;
}

/** Sends a request and breaks the connection as soon as `leave` says so of what has arrived. */
function ask(
  { path, body }: Asked,
  leave: (text: string) => boolean,
  options: { origin?: string; gone?: AbortSignal } = {},
): Promise<Leaver> {
  return new Promise((resolve) => {
    const headers = { "x-api-key": KEY, "content-type": "application/json" };
    const req = request((options.origin ?? h.origin) + path, { method: "POST", headers, agent: false });
    let text = "";
    const done = (whole: boolean): void => {
      resolve({ text, whole });
      req.destroy();
    };
    req.on("error", () => done(false));
    req.on("response", (response: IncomingMessage) => {
      response.on("error", () => done(false));
      response.on("end", () => done(true));
      if (leave("")) return done(false);
      response.setEncoding("latin1").on("data", (chunk: string) => {
        text += chunk;
        if (leave(text)) done(false);
      });
    });
    options.gone?.addEventListener("abort", () => done(false));
    req.end(JSON.stringify(body));
  });
}

/** The newest, more than any test makes: they are read again and again. */
const page = { offset: 0, limit: 16 };
const generations = async (): Promise<Generation[]> => {
  const ended = await h.store.generations.list({ accountId: "acc" }, page);
  const pending = await h.store.generations.list({ accountId: "acc", status: "pending" }, page);
  return [...ended.results, ...pending.results];
};

/** The one terminal record of each mark, with everything that must be true of its money. */
async function settledOnce(marks: readonly string[]): Promise<Generation[]> {
  const records = await until("the settlements", async () => {
    const all = await generations();
    const found = marks.map((mark) => all.filter(({ request }) => JSON.stringify(request).includes(mark)));
    return found.every((list) => list.length > 0 && list.every(({ status }) => status !== "pending"))
      ? found
      : undefined;
  });
  expect(records.map((list) => list.length)).toEqual(marks.map(() => 1));
  const facts = records.flat().map(({ cost, status }, index) => ({
    status: status === "aborted" || status === "succeeded" ? "ended well" : status,
    cost,
    calls: truthOf(marks[index] as string).length,
  }));
  const truths = marks.map((mark) => {
    const usage = truthOf(mark)[0]?.usage;
    const cost = (usage?.input ?? Number.NaN) + 2 * (usage?.output ?? Number.NaN);
    return { status: "ended well", cost, calls: 1 };
  });
  expect(facts).toEqual(truths);
  expect((await h.balance()).held).toBe(0);
  return records.flat();
}

const promptOf = (mark: string, fault: string): string =>
  `${mark} ${"all the words ".repeat(12)}[[fault:${fault}]]`;
const eventsIn = (text: string): number => text.split(/\n\n|,\r\n/).length - 1;

describe.each(cells)("disconnecting: $surface on $protocol", ({ surface, protocol }) => {
  const asked = (mark: string, fault: string, stream = true): Asked =>
    (SURFACES[surface] as (typeof SURFACES)[string])(modelOf(protocol), promptOf(mark, fault), stream);

  it("a client that leaves inside the stream is charged once for what upstream generated", async () => {
    const first = newMark();
    const { text } = await ask(asked(first, "slow=1"), () => false);
    const bytes = text.length;
    const events = eventsIn(text);
    expect(events).toBeGreaterThan(8);
    const points = [
      () => true,
      ...[1, 64, 400, bytes >> 1, bytes - 300, bytes - 1].map((k) => (seen: string) => seen.length >= k),
      ...[1, 3, events >> 1, events - 2, events - 1].map((k) => (seen: string) => eventsIn(seen) >= k),
    ];
    const marks = points.map(newMark);
    await Promise.all(points.map((leave, i) => ask(asked(marks[i] as string, "slow=1"), leave)));
    const records = await settledOnce([first, ...marks]);
    expect(records[0]?.status).toBe("succeeded");
    // Most of the stream was still to come: nobody was there for its end.
    expect(records[1]?.status).toBe("aborted");
    expect(records[2]?.status).toBe("aborted");
  });

  it("a client that leaves before the first byte is charged once for what upstream generated", async () => {
    const mark = newMark();
    const gone = new AbortController();
    const left = ask(asked(mark, "delay=150,slow=1"), () => false, { gone: gone.signal });
    await until("the upstream call", () => truthOf(mark)[0]);
    gone.abort();
    expect(await left).toEqual({ text: "", whole: false });
    expect((await settledOnce([mark]))[0]?.status).toBe("aborted");
  });

  it.skipIf(surface === "native" || surface === "array")(
    "a client that leaves before a whole answer is charged once for what upstream generated",
    async () => {
      const mark = newMark();
      const gone = new AbortController();
      const left = ask(asked(mark, "stall=500", false), () => false, { gone: gone.signal });
      await until("the upstream call", () => truthOf(mark)[0]);
      gone.abort();
      expect(await left).toEqual({ text: "", whole: false });
      expect((await settledOnce([mark]))[0]?.status).toBe("aborted");
    },
  );
});

describe("a client that leaves while sending its request", () => {
  it.each(Object.keys(SURFACES))(
    "a client that leaves while sending its request on %s causes no generation",
    async (surface) => {
      const before = await h.balance();
      const mark = newMark();
      const { path, body } = (SURFACES[surface] as (typeof SURFACES)[string])("sim-chatstyle", mark, true);
      const text = JSON.stringify(body);
      const headers = { "x-api-key": KEY, "content-type": "application/json", "content-length": text.length };
      const req = request(h.origin + path, { method: "POST", headers, agent: false });
      req.on("error", () => {});
      await new Promise<void>((resolve) => req.write(text.slice(0, -1), () => resolve()));
      req.destroy();
      // A later request is answered whole: the broken one has had its turn.
      const later = newMark();
      await ask((SURFACES.chat as (typeof SURFACES)[string])(modelOf("chatstyle"), later, true), () => false);
      const [record] = await settledOnce([later]);
      expect(truthOf(mark)).toEqual([]);
      expect((await generations()).some(({ request }) => JSON.stringify(request).includes(mark))).toBe(false);
      expect(await h.balance()).toEqual({ balance: before.balance - (record?.cost ?? Number.NaN), held: 0 });
    },
  );
});

describe("a client that stops reading", () => {
  /** Bytes, far more than sockets buffer. */
  const ANSWER = 16 * 1024 * 1024;

  it.each([
    ["relayed", "chatstyle"],
    ["translated", "genstyle"],
  ] as [string, UpstreamProtocol][])(
    "a client that stops reading holds a %s stream back without filling memory, and is charged once it left",
    async (_, protocol) => {
      let res: ServerResponse | undefined;
      const server = createServer((incoming, outgoing) => {
        res = outgoing;
        h.gateway.node(incoming, outgoing);
      });
      const { origin } = await listen(server);
      const mark = newMark();
      h.simulator.script({ text: "all the words ".repeat(ANSWER / 14) }, { protocol });
      const chat = SURFACES.chat as (typeof SURFACES)[string];
      const { path, body } = chat(modelOf(protocol), mark, true);
      const headers = { "x-api-key": KEY, "content-type": "application/json" };
      const req = request(origin + path, { method: "POST", headers, agent: false });
      try {
        req.on("error", () => {});
        req.on("response", (response: IncomingMessage) => {
          response.on("error", () => {});
          response.pause();
        });
        req.end(JSON.stringify(body));
        await until("the reader to be waited for", () => res?.writableNeedDrain || undefined);
        // Nobody reads, so what is buffered stops growing while upstream still has most of the answer.
        let most = 0;
        let same = 0;
        await until("the stream to stand still", () => {
          const size = res?.writableLength ?? 0;
          same = size === most ? same + 1 : 0;
          most = Math.max(most, size);
          return same > 20 || undefined;
        });
        expect(most).toBeLessThan(ANSWER / 8);
        expect(truthOf(mark)[0]?.delivered).toBe("cut");
        req.destroy();
        const [record] = await settledOnce([mark]);
        expect(record?.status).toBe("aborted");
        expect(truthOf(mark)[0]?.delivered).toBe("complete");
      } finally {
        req.destroy();
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  );
});

import { createClient, type Reply } from "../money/client.ts";

/** The accounts of the load: two that are busy enough for leases, and many that are not. */
const RARE = 40;
const names = ["busy", "second", ...Array.from({ length: RARE }, (_, at) => `rare-${at}`)];
export const BALANCE = 1_000_000_000;
export const PRICE = { input: 1, output: 2 };
const keyOf = (name: string): string => `key-of-${name}-`.padEnd(40, "0");

/** The accounts as a configuration has them. */
export const accounts = Object.fromEntries(
  names.map((name) => [name, { balance: BALANCE / 1e6, keys: { only: keyOf(name) } }]),
);

/** Of twenty requests, 15 are of one account, four of another, and one of all others in turn. */
const nameOf = (index: number): string => {
  const place = index % 20;
  if (place < 15) return "busy";
  return place < 19 ? "second" : `rare-${Math.floor(index / 20) % RARE}`;
};

/** What came of one request. */
export interface Answer extends Reply {
  account: string;
  at: number;
  endedAt: number;
}

export interface Load {
  /** By the mark of the request, which its record and the provider's ledger have too. */
  answers: ReadonlyMap<string, Answer>;
  /** Requests that had no answer yet. */
  open(): number;
  /** Sends no more, and waits for what is under way. */
  stop(): Promise<void>;
}

const TICK_MS = 10;
/** More than this many at one time are not sent: a caller would not wait for them. */
const MOST = 300;

let series = 0;

/** Sends requests to a service at a steady rate, however long each takes. */
export function startLoad(origin: string, perSecond: number): Load {
  const run = series++;
  const client = createClient(MOST);
  const answers = new Map<string, Answer>();
  const running = new Set<Promise<void>>();
  const began = performance.now();
  let index = 0;

  const send = async (at: number): Promise<void> => {
    const account = nameOf(at);
    const mark = `mark-${run}-${at}-`;
    const begunAt = Date.now();
    const stream = at % 3 === 0;
    const reply = await client.post(`${origin}/api/chatstyle/v1/chat/completions`, keyOf(account), {
      model: "chat",
      stream,
      max_tokens: 200,
      user: mark,
      messages: [{ role: "user", content: `${mark} [[fault:delay=20]] ${"word ".repeat(at % 20)}` }],
    });
    answers.set(mark, { ...reply, account, at: begunAt, endedAt: Date.now() });
  };
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) / 1_000) * perSecond);
    for (; index < due; index++) {
      if (running.size >= MOST) continue;
      const sent = send(index).finally(() => running.delete(sent));
      running.add(sent);
    }
  }, TICK_MS);

  return {
    answers,
    open: () => running.size,
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      client.close();
    },
  };
}

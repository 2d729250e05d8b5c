import { type Client, createClient, inParallel, type Reply } from "../client.ts";
import { beginBatch, cancelBatch, type DayBatch } from "./batches.ts";
import { KEYS } from "./config.ts";
import { drawOf } from "./draw.ts";
import { type Asked, drawKind } from "./requests.ts";
import type { Service } from "./service.ts";

const IN_FLIGHT = 24;
/** One request in so many begins a batch. */
const BATCH_EACH = 100;

/** What was requested, by the marks of requests, and what their callers saw. */
export interface Day {
  asked: Map<string, Asked>;
  replies: Map<string, Reply>;
  batches: DayBatch[];
  /** How many of each kind. */
  kinds: Record<string, number>;
}

interface Course {
  requests: number;
  kills: number;
  seed: number;
}

/** Sends a day's requests, and kills gateways meanwhile. */
export async function spendDay(service: Service, { requests, kills, seed }: Course): Promise<Day> {
  const day: Day = { asked: new Map(), replies: new Map(), batches: [], kinds: {} };
  const client = createClient(IN_FLIGHT);
  const beside: Promise<void>[] = [];
  let killed = 0;
  let ended = 0;
  try {
    await inParallel(IN_FLIGHT, async (index) => {
      if (index >= requests) return false;
      const mark = `mark-${index}-`;
      const draw = drawOf(seed * 1_000_003 + index);
      if (index % BATCH_EACH === 0) {
        const batch = await beginBatch(service.origin, mark, draw);
        day.batches.push(batch);
        if (draw.is(0.3)) beside.push(cancelLater(service, batch, draw.below(2_000)));
      } else {
        const [kind, , make] = drawKind(draw);
        day.kinds[kind] = (day.kinds[kind] ?? 0) + 1;
        await ask({ service, client, day }, mark, await make(mark, draw));
      }
      ended += 1;
      if (killed < kills && ended > ((killed + 1) * requests) / (kills + 1)) {
        killed += 1;
        beside.push(service.kill());
      }
      return true;
    });
    await Promise.all(beside);
    return day;
  } finally {
    client.close();
  }
}

async function cancelLater({ origin }: Service, batch: DayBatch, ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  await cancelBatch(origin, batch);
}

interface Place {
  service: Service;
  client: Client;
  day: Day;
}

async function ask({ service, client, day }: Place, mark: string, asked: Asked): Promise<void> {
  day.asked.set(mark, asked);
  const { path, body, headers = {}, payer = "payer", leaves, cancels } = asked;
  const origin = service.origin();
  const reply = await client.post(origin + path, KEYS[payer], body, {
    headers,
    ...(leaves === "early" && { seen: (leave) => leave() }),
    patience: typeof leaves === "number" ? leaves : undefined,
  });
  day.replies.set(mark, reply);
  if (!cancels || !reply.generation) return;
  // The process may have been killed, and the work may have ended.
  await fetch(origin + cancels(reply.generation), {
    method: "DELETE",
    headers: { "x-api-key": KEYS[payer] },
  }).then(
    (answer) => answer.text(),
    () => "",
  );
}

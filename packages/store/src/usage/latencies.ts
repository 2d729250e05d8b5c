import { randomBytes } from "node:crypto";
import { createDeferredWrite } from "../engine/deferred-write.ts";
import { HOUR } from "../engine/durations.ts";
import type { Engine } from "../engine/engine.ts";
import { errorFields } from "../engine/error-fields.ts";
import type { JsonObject } from "../engine/json-columns.ts";
import type { StoreLog } from "../engine/log.ts";
import { FailureParts } from "./failure-parts.ts";
import { LatencyParts } from "./latency-parts.ts";
import { mergeLatencies } from "./latency-rows.ts";
import { type News, prepareNews } from "./latency-writes.ts";
import { mergeFailures } from "./provider-rows.ts";
import type { Entry } from "./sums.ts";

/** A written end, with its route, which the sums do not count. */
export interface NotedEnd {
  id: string;
  entry: Entry;
  route: JsonObject | undefined;
}

/**
 * Latencies and provider calls of ended generations. They are gathered and written about once a second, separately from
 * the ends, so that no charge waits for them; a crash loses those of the last moments.
 */
export interface Latencies {
  note(end: NotedEnd): void;
  /** Writes all that is gathered. */
  flush(): Promise<void>;
  /** The same before a read, which does not wait while the database cannot be written to. */
  catchUp(): Promise<void>;
  /** Merges what several processes wrote of hours that are over. */
  expire(now: number): Promise<void>;
  /** Writes all that is gathered, for the last time. */
  close(): Promise<void>;
}

/**
 * The times in the route of a record: from the request to the first token, and from the answered call if other calls
 * came before it.
 */
interface StoredSpeed {
  firstTokenMs?: number;
  sinceCallMs?: number;
}

/** The time for which ends are gathered, in ms. */
const GATHER_MS = 1_000;
/** The most ends that wait to be counted: so many are counted in less than a millisecond. */
const MOST_NOTED = 64;
/** The most parts of each kind that one process keeps. */
const MOST = 4_096;
/** The parts of one commit: more would block the event loop for longer than a few milliseconds. */
const STEP = 128;
/** The time after which an hour's parts are merged, in ms: jobs that began in it may end meanwhile. */
const OVER_MS = 6 * HOUR;

/** A slice of what is to be written. */
const sliceOf = (news: News, from: number, to?: number): News => ({
  all: news.all.slice(from, to),
  tagged: news.tagged.slice(from, to),
  calls: news.calls.slice(from, to),
  failures: news.failures.slice(from, to),
  served: news.served.slice(from, to),
});

export function createLatencies(engine: Engine, log: StoreLog | undefined): Latencies {
  const write = prepareNews(engine);
  /**
   * The beginning of the names of this store's parts. They end in a counter, because a random name for each would cost
   * more than all else.
   */
  const maker = randomBytes(6).toString("hex");
  let made = 0;
  const nextName = (): string => maker + (made++).toString(36);
  const [all, tagged] = [new LatencyParts(MOST), new LatencyParts(MOST)];
  const calls = new FailureParts(MOST, nextName);
  const kinds = [all, tagged, calls];
  /** The latest hour of a generation so far. */
  let newest = 0;
  let lost = 0;
  /** Ends that are not counted yet: their answers do not wait for that. */
  let noted: NotedEnd[] = [];

  const count = (): void => {
    const ends = noted;
    noted = [];
    for (const { id, entry, route } of ends) {
      newest = Math.max(newest, entry.at - (entry.at % HOUR));
      const { firstTokenMs, sinceCallMs = firstTokenMs } = (route?.speed ?? {}) as StoredSpeed;
      const isMeasured = entry.duration !== null || sinceCallMs !== undefined;
      if (isMeasured && !all.add(entry, sinceCallMs, nextName)) lost += 1;
      if (isMeasured && entry.tags !== null && !tagged.addTags(entry, sinceCallMs, nextName)) lost += 1;
      if (route && calls.isNews(entry, route) && !calls.add(id, entry, route)) lost += 1;
    }
  };
  const deferred = createDeferredWrite(GATHER_MS, async () => {
    let isWritten = true;
    for (count(); isWritten && all.changed + tagged.changed + calls.changed > 0; count()) {
      const news = { all: all.take(), tagged: tagged.take(), calls: calls.take(), ...calls.takeRest() };
      const length = Math.max(...Object.values(news).map((parts) => parts.length));
      for (let at = 0; isWritten && at < length; at += STEP) {
        isWritten = await writeStep(sliceOf(news, at, at + STEP));
        // Each further step would only wait for the database once more.
        if (!isWritten) putBack(sliceOf(news, at));
      }
    }
    // Hours that are over get few further latencies: another row for these costs less than keeping the part in memory.
    for (const parts of kinds) parts.release(({ hour }) => hour < newest - HOUR);
    if (lost > 0) log?.warn({ count: lost }, "latencies lost");
    lost = 0;
    return isWritten;
  });
  /** False if the database cannot be written to now. */
  const writeStep = async (news: News): Promise<boolean> => {
    try {
      const missing = await engine.write(() => write(news), { separate: true });
      for (const part of [...news.all, ...news.tagged, ...news.calls]) part.isWritten = true;
      for (const parts of kinds) parts.drop(missing);
      return true;
    } catch (error) {
      log?.warn(errorFields(error), "latencies not written");
      return false;
    }
  };
  const putBack = (news: News): void => {
    all.putBack(news.all);
    tagged.putBack(news.tagged);
    calls.putBack(news.calls);
    calls.putBackRest(news);
  };

  return {
    note(end) {
      noted.push(end);
      if (noted.length >= MOST_NOTED) count();
      deferred.soon();
    },
    flush: deferred.flush,
    catchUp: deferred.catchUp,
    async expire(now) {
      await deferred.flush();
      const before = now - OVER_MS;
      await mergeLatencies(engine, "hourly_latencies", before);
      await mergeLatencies(engine, "hourly_tag_latencies", before);
      await mergeFailures(engine, before);
    },
    close: deferred.close,
  };
}

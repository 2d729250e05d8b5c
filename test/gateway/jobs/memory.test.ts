import { setImmediate } from "node:timers/promises";
import {
  createGuardedFetch,
  createLineClient,
  createTransport,
  type GuardedFetch,
  type Transport,
  type UpstreamBody,
} from "@manifold-gateway/providers";
import type { JobKind, Objects, Store } from "@manifold-gateway/store";
import { describe, expect, test } from "vitest";
import type { Download } from "../../../packages/providers/src/download/guarded-fetch.ts";
import { bodyNames, orderOf } from "./orders.ts";
import { databases, useStage } from "./stage.ts";

/** A multiple of 10. */
const JOBS = Number(process.env.JOBS ?? 100);
const MIB = 1024 * 1024;
/** A video, in pieces as they come from a connection. */
const FILM = 3 * MIB;
const PIECE = 64 * 1024;
const atOnce: Record<JobKind, number> = { image: 3, speech: 2, video: 4, asset: 1 };

/** Counts bytes from where they come up to where they are stored; those of an answer as long as its job goes on. */
function createGauge() {
  const answers = new Map<string, { kind: JobKind; size: number }>();
  const pieces = new WeakSet<Uint8Array>();
  const peak = { bytes: 0, held: { image: 0, video: 0, speech: 0, asset: 0 } };
  const seen = { total: 0, largestAnswer: 0, largestPiece: 0 };
  let streamed = 0;
  const look = () => {
    let bytes = streamed;
    const held = { image: 0, video: 0, speech: 0, asset: 0 };
    for (const { kind, size } of answers.values()) {
      bytes += size;
      held[kind] += 1;
      seen.largestAnswer = Math.max(seen.largestAnswer, size);
    }
    peak.bytes = Math.max(peak.bytes, bytes);
    for (const kind of Object.keys(held) as JobKind[])
      peak.held[kind] = Math.max(peak.held[kind], held[kind]);
  };
  return {
    peak,
    seen,
    outstanding: () => ({ streamed, answers: answers.size }),
    produced(piece: Uint8Array) {
      pieces.add(piece);
      streamed += piece.length;
      seen.total += piece.length;
      seen.largestPiece = Math.max(seen.largestPiece, piece.length);
      look();
    },
    stored(piece: Uint8Array) {
      if (pieces.delete(piece)) streamed -= piece.length;
    },
    answer(id: string, kind: JobKind, bytes: number) {
      const { size = 0 } = answers.get(id) ?? {};
      answers.set(id, { kind, size: size + bytes });
      seen.total += bytes;
      look();
    },
    release: (id: string) => void answers.delete(id),
  };
}
type Gauge = ReturnType<typeof createGauge>;

/** The pieces of a source, filled up to the length of a film. */
function toFilm(
  next: () => Promise<Uint8Array | undefined>,
  gauge: Gauge,
): () => Promise<Uint8Array | undefined> {
  const { buffer } = new Uint8Array(PIECE);
  let left = FILM;
  return async () => {
    const own = left > 0 ? await next() : undefined;
    const bytes = own ?? (left > 0 ? new Uint8Array(buffer, 0, Math.min(PIECE, left)) : undefined);
    left -= bytes?.length ?? 0;
    if (bytes) gauge.produced(bytes);
    return bytes;
  };
}

function countTransport(transport: Transport, gauge: Gauge, kinds: ReadonlyMap<string, JobKind>): Transport {
  return {
    ...transport,
    async send(request) {
      const response = await transport.send(request);
      const text = request.body === undefined ? "" : Buffer.from(request.body as Uint8Array).toString();
      const id = /mark([0-9a-f]{32})end/.exec(text)?.[1];
      const { body } = response;
      const next = () => body.next();
      const film = String(response.headers["content-type"]).startsWith("video/") && toFilm(next, gauge);
      const counted = async () => {
        const bytes = await next();
        const kind = id === undefined ? undefined : kinds.get(id);
        if (id !== undefined && kind && bytes) gauge.answer(id, kind, bytes.length);
        return bytes;
      };
      const watched = { next: film || counted, cancel: () => body.cancel() };
      return { ...response, body: watched as unknown as UpstreamBody };
    },
  };
}

const countFetch =
  (fetch: GuardedFetch, gauge: Gauge): GuardedFetch =>
  async (url, options) => {
    const { stream } = await fetch(url, options);
    const reader = stream.getReader();
    const next = toFilm(async () => (await reader.read()).value, gauge);
    return {
      stream: new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const bytes = await next();
            if (bytes) controller.enqueue(bytes);
            else controller.close();
          },
          cancel: () => reader.cancel(),
        },
        { highWaterMark: 0 },
      ) as Download["stream"],
    };
  };

/** Objects of which nothing but their sizes is kept. */
function countObjects(objects: Objects, gauge: Gauge): { objects: Objects; sizes: number[] } {
  const sizes: number[] = [];
  const put: Objects["put"] = async (key, source, options) => {
    if (key.startsWith("asks/")) return objects.put(key, source, options);
    let size = 0;
    for await (const bytes of source instanceof Uint8Array ? [source] : source) {
      // Storing takes its time, in which what runs ahead of it would pile up.
      await setImmediate();
      size += bytes.length;
      gauge.stored(bytes);
    }
    sizes.push(size);
    return { size, sha256: "" };
  };
  return { objects: { ...objects, put }, sizes };
}

function countStore(store: Store, gauge: Gauge): Store {
  return {
    ...store,
    jobs: {
      ...store.jobs,
      note(ref, note) {
        if (note.phase !== "answered") gauge.release(ref.id);
        return store.jobs.note(ref, note);
      },
      finish(ref, end) {
        gauge.release(ref.id);
        return store.jobs.finish(ref, end);
      },
    },
  };
}

describe.each(databases)("the memory of jobs on %s", (_, make) => {
  const stage = useStage(make);

  test(`${JOBS} jobs of all kinds that no client asks about keep no more in memory than the seats allow`, async () => {
    const { store, clock } = stage();
    const caller = await stage().caller(100_000_000_000);
    const gauge = createGauge();
    const kinds = new Map<string, JobKind>();
    const transport = createTransport();
    const { objects, sizes } = countObjects(stage().objects, gauge);
    const jobs = stage().worker({
      objects,
      store: countStore(store, gauge),
      client: createLineClient(countTransport(transport, gauge, kinds)),
      fetch: countFetch(createGuardedFetch({ allow: ["127.0.0.1/32"] }), gauge),
      limits: { maxLiveJobs: JOBS, concurrency: 16, atOnce, ask: 1 },
    });
    jobs.start();
    const orders = Array.from({ length: JOBS }, (_, index) => {
      const name = bodyNames[index % bodyNames.length]!;
      const order = orderOf(name, caller);
      const steer = index % 10 === 9 ? "[[outcome:fail=moderation]]" : "";
      kinds.set(order.id, order.kind);
      return { ...orderOf(name, caller, `Turtle mark${order.id}end. ${steer}`), id: order.id };
    });
    await Promise.all(orders.map((order) => jobs.submit(order)));
    const live = async () =>
      (await store.jobs.list({ ...caller, live: true }, { offset: 0, limit: 1 })).total;
    for (let turns = 0; turns < 400 && (await live()) > 0; turns++) {
      await jobs.wake();
      clock.next();
    }
    expect(await live()).toBe(0);
    expect((await store.accounts.get(caller.accountId))?.held).toBe(0);
    expect(await store.money.audit()).toEqual([]);

    const { peak, seen } = gauge;
    const films = sizes.filter((size) => size === FILM).length;
    expect(sizes.length).toBe(JOBS - JOBS / 10);
    expect(films).toBeGreaterThan(0.4 * JOBS);
    expect(seen.total).toBeGreaterThan(films * FILM);
    for (const kind of ["image", "speech", "video"] as const) {
      expect(peak.held[kind]).toBeGreaterThan(0);
      expect(peak.held[kind]).toBeLessThanOrEqual(atOnce[kind]);
    }
    const seats = atOnce.image + atOnce.speech + atOnce.video;
    // Of a stream one piece is being stored while the next is on its way; of an answer there is all of it.
    expect(peak.bytes).toBeLessThanOrEqual(seats * Math.max(2 * seen.largestPiece, seen.largestAnswer));
    expect(peak.bytes).toBeLessThan((10 / JOBS) * seen.total);
    expect(gauge.outstanding()).toEqual({ streamed: 0, answers: 0 });
    await jobs.close();
    await transport.close();
  }, 120_000);
});

import type { Engine, Work } from "../engine/engine.ts";
import { errorFields } from "../engine/error-fields.ts";
import type { JsonObject } from "../engine/json-columns.ts";
import type { StoreLog } from "../engine/log.ts";
import { unrefTimeout } from "../engine/timer.ts";
import { StoreUnavailable } from "../engine/unavailable.ts";
import type { Reservation } from "../money/money.ts";
import { createEarlierTexts } from "./earlier-texts.ts";
import { FULL, type Pack, SPAN_MS, textIn, toPackRow } from "./pack.ts";
import { type ContentRef, prepareFind, preparePut } from "./pack-rows.ts";
import { errorName, keptOfError, type ProviderError } from "./provider-errors.ts";
import { keptOf, type RecordOptions } from "./record-options.ts";
import { keptOfReply, replyName } from "./replies.ts";

/**
 * The contents of requests, replies and providers' errors. They are gathered and written separately from generations,
 * so that no charge waits for them or fails with them; a crash loses those of the last moments.
 */
export interface Contents {
  /** Keeps the request of an admitted generation, as far as the options say. */
  keep(reservation: Reservation): void;
  /** Keeps providers' errors about a generation, each once, as far as the options say. */
  keepErrors(generation: ContentRef, errors: readonly ProviderError[]): void;
  /** Keeps the reply of a generation, once, as far as the options say; it is the JSON text of its canonical form. */
  keepReply(generation: ContentRef, reply: string): void;
  /** The work of reading the requests of generations, including those that are not written yet. */
  of(refs: readonly ContentRef[]): Work<Map<string, JsonObject>>;
  /** The same for errors and replies, whose names are made by `errorName` and `replyName`. */
  answersOf(refs: readonly ContentRef[]): Work<Map<string, JsonObject>>;
  /** Writes all that is gathered; resolves when it is written, or cannot be. */
  flush(): Promise<void>;
  /** The same for the last time. */
  close(): Promise<void>;
}

/** The time for which requests are gathered, in ms. */
const GATHER_MS = 200;
/** The wait after a failed write, in ms. */
const AGAIN_MS = 1_000;
/** The most characters that wait to be written: about a second of a busy process. */
const MOST = 8 * 1024 * 1024;
/** The characters, and the packs, of one commit. */
const STEP = { length: 64 * 1024, packs: 32 };

export function createContents(
  engine: Engine,
  { records, log }: { records: RecordOptions; log: StoreLog | undefined },
): Contents {
  const put = preparePut(engine, records);
  const find = prepareFind(engine);
  const earlier = createEarlierTexts(engine, records);
  /** The packs that still take texts: one of each account for requests, and one of each second for its answers. */
  const open = new Map<string, Pack>();
  /** The packs to write, oldest first. Each stays until it is written. */
  const ready: Pack[] = [];
  let length = 0;
  /** The number of requests whose contents were not kept, until it is logged. */
  let lost = 0;
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  /**
   * Adds an answer to the pack of its request's second. Requests end in another order than they begin: with a single
   * open pack, each answer of another second would begin a new pack.
   */
  const addAnswer = ({ account, at }: ContentRef, id: string, text: string | undefined): void => {
    if (text !== undefined) add(`${account}\n${Math.floor(at / SPAN_MS)}`, { id, account, at }, text);
  };
  const closePack = (pack: Pack): void => {
    open.delete(pack.name);
    ready.push(pack);
  };
  /** Adds a text to the open pack of this name, or to a new one. */
  const add = (name: string, { id, account, at }: ContentRef, text: string): void => {
    if (length + text.length > MOST) {
      lost += 1;
      return;
    }
    const span = Math.floor(at / SPAN_MS);
    let pack = open.get(name);
    if (pack?.span !== span) {
      if (pack) closePack(pack);
      pack = { name, account, span, first: at, last: at, ids: [], texts: [], length: 0 };
      open.set(name, pack);
    }
    pack.first = Math.min(pack.first, at);
    pack.last = Math.max(pack.last, at);
    pack.ids.push(id);
    pack.texts.push(text);
    pack.length += text.length;
    length += text.length;
    if (pack.length >= FULL) {
      closePack(pack);
      if (!isFailing) void write();
    } else timer ??= unrefTimeout(flush, GATHER_MS);
  };
  /** The contents of these generations in packs that are not written yet. */
  const waiting = (refs: readonly ContentRef[]): Map<string, JsonObject> => {
    const found = new Map<string, JsonObject>();
    for (const ref of refs) {
      const text = textIn(open.values(), ref) ?? textIn(ready, ref);
      if (text !== undefined) found.set(ref.id, JSON.parse(text) as JsonObject);
    }
    return found;
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    for (const pack of open.values()) closePack(pack);
    return write();
  };
  /** Writes the packs that are ready, one step after another. */
  const write = async (): Promise<void> => {
    if (writing) return writing;
    const done = Promise.withResolvers<void>();
    writing = done.promise;
    while (ready.length > 0 && (await writeStep(stepOf(ready))));
    writing = undefined;
    done.resolve();
    if (ready.length === 0) reportLost();
  };
  /** False if the database cannot be written to now. */
  const writeStep = async (packs: readonly Pack[]): Promise<boolean> => {
    try {
      const rows = packs.map(toPackRow);
      await engine.write(() => put(rows), { separate: true });
    } catch (error) {
      if (!isFailing) log?.warn(errorFields(error), "contents of requests not written");
      isFailing = true;
      if (error instanceof StoreUnavailable) {
        timer ??= unrefTimeout(flush, AGAIN_MS);
        return false;
      }
      for (const { ids } of packs) lost += ids.length;
    }
    isFailing = false;
    ready.splice(0, packs.length);
    for (const pack of packs) length -= pack.length;
    return true;
  };

  const reportLost = (): void => {
    if (lost > 0) log?.warn({ count: lost }, "contents of requests lost");
    lost = 0;
  };

  return {
    keep({ generation: { id, accountId: account, request }, at }) {
      const text = keptOf(request, records);
      if (text !== null) add(account, { id, account, at }, text);
    },
    keepErrors(generation, errors) {
      for (const error of errors)
        addAnswer(generation, errorName(generation.id, error.attempt), keptOfError(error, records));
    },
    keepReply: (generation, reply) =>
      addAnswer(generation, replyName(generation.id), keptOfReply(reply, records)),
    *of(refs) {
      const found = waiting(refs);
      for (const look of [find, earlier.find]) {
        const left = refs.filter(({ id }) => !found.has(id));
        for (const [id, request] of yield* look(left)) found.set(id, request);
      }
      return found;
    },
    *answersOf(refs) {
      const found = waiting(refs);
      for (const [id, answer] of yield* find(refs.filter(({ id }) => !found.has(id)))) found.set(id, answer);
      return found;
    },
    flush,
    async close() {
      await flush();
      clearTimeout(timer);
      for (const { ids } of ready) lost += ids.length;
      reportLost();
    },
  };
}

/** The first packs, as many as one commit takes. */
function stepOf(packs: readonly Pack[]): Pack[] {
  let length = 0;
  let count = 0;
  while (count < packs.length && count < STEP.packs && length < STEP.length) length += packs[count++]!.length;
  return packs.slice(0, count);
}

import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import type { JsonObject } from "../engine/json-columns.ts";
import { param, prepare, run } from "../engine/statement.ts";
import type { Leases } from "../leases/leases.ts";
import type { Contents } from "../requests/contents.ts";
import type { ContentRef } from "../requests/pack-rows.ts";
import { errorRefs, type ProviderError } from "../requests/provider-errors.ts";
import { replyName } from "../requests/replies.ts";
import type { Generation } from "./generation.ts";
import { GENERATION_COLUMNS, type GenerationRow, MEMBERS } from "./generation-columns.ts";
import { type GenerationFilter, isNarrowed, matches } from "./generation-filter.ts";
import { type Rank, rank } from "./ranking.ts";
import { countQuery } from "./summed.ts";
import { addUp, type Totals } from "./totals.ts";
import { walk } from "./walk.ts";

/** The records of requests, and their outcomes. */
export interface Generations {
  /** The account's generation of this id; another account's is not found. */
  get(ref: { id: string; accountId: string }): Promise<Generation | undefined>;
  /** The generation of this id, of any account. */
  find(id: string): Promise<Generation | undefined>;
  /** Lists generations, newest first, optionally with their replies. `total` is the number that match the filter. */
  list(
    filter: GenerationFilter,
    page: { offset: number; limit: number; isWithReply?: boolean },
  ): Promise<{ results: Generation[]; total: number }>;
  /**
   * Lists the generations after a position, newest first; their requests and replies are optional. The search ends
   * after `compared` generations, whether they match or not.
   */
  after(
    filter: GenerationFilter,
    page: {
      after?: Pick<Generation, "createdAt" | "id">;
      limit: number;
      isWithRequest: boolean;
      isWithReply?: boolean;
      compared?: number;
    },
  ): Promise<Generation[]>;
  /**
   * Lists the generations with the greatest values, without their requests. `since` is present if there are too many to
   * compare: only generations from that time on were compared.
   */
  ranked(
    filter: GenerationFilter,
    page: { by: Rank; offset: number; limit: number },
  ): Promise<{ results: Generation[]; since?: number }>;
  /** The number of generations that match the filter. */
  count(filter: GenerationFilter): Promise<number>;
  /** The sums over the generations that match the filter. */
  totals(filter: GenerationFilter): Promise<Totals>;
}

export function createGenerations(
  engine: Engine,
  contents: Pick<Contents, "of" | "answersOf">,
  leases: Pick<Leases, "recorded">,
): Generations {
  const { db, dialect } = engine;
  const select = prepare<{ id: string; account: string }, GenerationRow>(
    db,
    db
      .selectFrom("generations")
      .selectAll()
      .where("id", "=", param("id"))
      .where("account_id", "=", param("account")),
  );
  const refOf = ({ id, account_id, created_at }: GenerationRow): ContentRef => ({
    ...{ id, account: account_id, at: created_at },
  });
  /** The records of rows, with their requests. */
  const withRequests = function* (rows: readonly GenerationRow[]): Work<Generation[]> {
    const requests = yield* contents.of(rows.map(refOf));
    return rows.map((row) => toGeneration(row, requests.get(row.id)));
  };
  /** The records with their replies. */
  const withReplies = function* (records: readonly Generation[]): Work<Generation[]> {
    const found = yield* contents.answersOf(records.map(replyRef));
    return records.map((record) => {
      const reply = found.get(replyName(record.id));
      return reply ? { ...record, reply } : record;
    });
  };
  /** One record, with its request, its reply, and what providers answered to attempts that failed. */
  const inDepth = function* (rows: readonly GenerationRow[]): Work<Generation | undefined> {
    const [row] = rows;
    const [generation] = yield* withRequests(rows);
    if (!row || !generation) return undefined;
    const refs = errorRefs(refOf(row), row.route);
    const found = yield* contents.answersOf([...refs, replyRef(generation)]);
    const errors = refs.flatMap(({ id }, attempt): ProviderError[] => {
      const error = found.get(id);
      return error ? [{ attempt, ...error }] : [];
    });
    const reply = found.get(replyName(row.id));
    return { ...generation, ...(errors.length > 0 && { errors }), ...(reply && { reply }) };
  };
  return {
    async get({ id, accountId }) {
      await leases.recorded(id);
      return engine.read(function* () {
        return yield* inDepth(yield* select({ id, account: accountId }));
      });
    },
    async find(id) {
      await leases.recorded(id);
      return engine.read(function* () {
        const rows = yield* run(db.selectFrom("generations").selectAll().where("id", "=", id));
        return yield* inDepth(rows);
      });
    },
    list: (filter, { offset, limit, isWithReply = false }) =>
      engine.delayed(function* () {
        const selection = db.selectFrom("generations").where((row) => matches(row, filter, dialect));
        const counting = countQuery(engine, filter) ?? selection.select(sql<number>`count(*)`.as("total"));
        const [count] = yield* run<{ total: number }>(counting);
        const page = selection.selectAll().orderBy("created_at", "desc").orderBy("id", "desc");
        // To find that there is none, each of an account's generations would be read.
        const rows = count!.total > offset ? yield* run(page.offset(offset).limit(limit)) : [];
        const records = yield* withRequests(rows);
        return { results: isWithReply ? yield* withReplies(records) : records, total: count!.total };
      }),
    async after(filter, { after, limit, isWithRequest, isWithReply = false, compared: most }) {
      const selectAfter = (filter: GenerationFilter) => {
        const all = db.selectFrom("generations").where((row) => matches(row, filter, dialect));
        return after
          ? all
              .where("created_at", "<=", after.createdAt)
              .where((row) => row.or([row("created_at", "<", after.createdAt), row("id", "<", after.id)]))
          : all;
      };
      const read = (filter: GenerationFilter, limit: number) =>
        engine.delayed(function* () {
          const page = selectAfter(filter).selectAll().orderBy("created_at", "desc").orderBy("id", "desc");
          const rows = yield* run(page.limit(limit));
          const records = isWithRequest ? yield* withRequests(rows) : rows.map((row) => toGeneration(row));
          return isWithReply ? yield* withReplies(records) : records;
        });
      // Pending generations are few and have their own index.
      const isIndexed =
        filter.status === "pending" || (typeof filter.accountId === "string" && !isNarrowed(filter));
      if (isIndexed) return read(filter, limit);
      const found: Generation[] = [];
      const to = Math.min(
        filter.to ?? Number.MAX_SAFE_INTEGER,
        after ? after.createdAt + 1 : Number.MAX_SAFE_INTEGER,
      );
      for await (const { part } of walk(engine, { ...filter, to }, most === undefined ? {} : { most })) {
        found.push(...(await read(part, limit - found.length)));
        if (found.length === limit) break;
      }
      return found;
    },
    async ranked(filter, { by, offset, limit }) {
      const { ids, ...since } = await rank(engine, filter, { by, most: offset + limit });
      const chosen = ids.slice(offset);
      const rows = await engine.delayed(() =>
        run(db.selectFrom("generations").selectAll().where(dialect.isOneOf("id", chosen))),
      );
      const byId = new Map(rows.map((row) => [row.id, toGeneration(row)]));
      return { results: chosen.flatMap((id) => byId.get(id) ?? []), ...since };
    },
    async count(filter) {
      let total = 0;
      for await (const { part } of walk(engine, filter)) {
        const counted = db
          .selectFrom("generations")
          .where((row) => matches(row, part, dialect))
          .select(sql<number>`count(*)`.as("total"));
        const [row] = await engine.delayed(() => run(counted));
        total += row!.total;
      }
      return total;
    },
    totals: (filter) => addUp(engine, filter),
  };
}

/** The reference to a record's reply among the contents. */
const replyRef = ({ id, accountId, createdAt }: Generation): ContentRef => ({
  ...{ id: replyName(id), account: accountId, at: createdAt },
});

/** The columns of the record's members: a member without one fails to compile here. */
const COLUMN_OF: Record<
  Exclude<keyof Generation, "request" | "reply" | "errors">,
  keyof GenerationRow
> = MEMBERS;
const READ = Object.entries(COLUMN_OF).map(
  ([member, column]) => [member, column, GENERATION_COLUMNS[column].type === "JSON?"] as const,
);

function toGeneration(row: GenerationRow, request?: JsonObject): Generation {
  const generation: Record<string, unknown> = {};
  for (const [member, column, isJson] of READ) {
    const stored = row[column];
    if (stored !== null) generation[member] = isJson ? JSON.parse(stored as string) : stored;
  }
  if (request !== undefined) generation.request = request;
  return generation as unknown as Generation;
}

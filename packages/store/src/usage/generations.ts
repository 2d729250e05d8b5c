import {
  type Compilable,
  type ExpressionBuilder,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  sql,
} from "kysely";
import type { Dialect } from "../engine/dialect.ts";
import type { Engine } from "../engine/engine.ts";
import { fromColumn, type JsonObject } from "../engine/json-columns.ts";
import { first, param, prepare, run } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import { pieces } from "./pieces.ts";

const MINUTE = 60_000;

export const MODALITIES = ["text", "image", "video", "audio"] as const;
export type Modality = (typeof MODALITIES)[number];

/** The outcomes of a generation. */
export const OUTCOMES = ["succeeded", "failed", "aborted", "cancelled"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Names and values that a caller gives a request, for its own records and sums. */
export type Tags = Readonly<Record<string, string>>;

/** One billable record of a request. Amounts are micro-USD, times are ms. */
export interface Generation {
  id: string;
  accountId: string;
  keyId?: string;
  modality: Modality;
  model: string;
  /** `pending` from the reservation to the settlement. */
  status: Outcome | "pending";
  request?: JsonObject;
  /** The provider and the entry that served it. */
  route?: JsonObject;
  /** The price by which it is charged, as of the request. */
  price?: JsonObject;
  usage?: JsonObject;
  /** The last usage stored while it ran; recovery charges it. */
  checkpoint?: JsonObject;
  /** The charge, before refunds. Absent while pending. */
  cost?: number;
  durationMs?: number;
  createdAt: number;
  dispatchedAt?: number;
  tags?: Tags;
  /** The id of the end user for whom the caller sent the request. */
  user?: string;
  /** The name of the surface that received it. */
  surface?: string;
}

export interface GenerationFilter {
  /** Absent: all accounts. */
  accountId?: string;
  keyId?: string;
  modality?: Modality;
  model?: string;
  /** Absent: all that have ended. */
  status?: Generation["status"];
  /** Generations created at or after `from` and before `to`, in ms. */
  from?: number;
  to?: number;
  /** Generations that have all of these tags. */
  tags?: Tags;
  user?: string;
  surface?: string;
  /** The id of the model entry that served it. */
  entry?: string;
}

/** The records of requests, and their outcomes. */
export interface Generations {
  /** The account's generation of this id; another account's is not found. */
  get(ref: { id: string; accountId: string }): Promise<Generation | undefined>;
  /** The generation of this id, of any account. */
  find(id: string): Promise<Generation | undefined>;
  /** Lists generations with ids below `before`, newest first: ids begin with the time. No total is computed. */
  recent(filter: GenerationFilter, page: { before?: string; limit: number }): Promise<Generation[]>;
  /** Lists generations, newest first. `total` is the number that match the filter. */
  list(
    filter: GenerationFilter,
    page: { offset: number; limit: number },
  ): Promise<{ results: Generation[]; total: number }>;
  /** Lists the generations after a position, newest first; their requests are optional. */
  after(
    filter: GenerationFilter,
    page: { after?: Pick<Generation, "createdAt" | "id">; limit: number; isWithRequest: boolean },
  ): Promise<Generation[]>;
  /** The number of an account's generations that match the filter. */
  count(filter: GenerationFilter & { accountId: string }): Promise<number>;
}

export function createGenerations(engine: Engine): Generations {
  const { db, dialect } = engine;
  const select = prepare<{ id: string; account: string }, GenerationRow>(
    db,
    withRequest(db.selectFrom("generations"))
      .where("generations.id", "=", param("id"))
      .where("account_id", "=", param("account")),
  );
  /** The times of the first and the last of the chosen generations. */
  const boundsOf = (selection: SelectQueryBuilder<Tables, "generations", object>) =>
    engine.report(function* () {
      const [oldest] = yield* run(selection.select("created_at").orderBy("created_at").limit(1));
      const [newest] = yield* run(selection.select("created_at").orderBy("created_at", "desc").limit(1));
      return { from: oldest?.created_at ?? 0, to: newest ? newest.created_at + 1 : 0 };
    });
  return {
    get: ({ id, accountId }) =>
      engine.read(function* () {
        const row = yield* first(select({ id, account: accountId }));
        return row && toGeneration(row);
      }),
    find: (id) =>
      engine.read(function* () {
        const selection = db.selectFrom("generations").where("generations.id", "=", id);
        const [row] = yield* run(withRequest(selection));
        return row && toGeneration(row);
      }),
    recent: (filter, { before, limit }) =>
      engine.report(function* () {
        let selection = db.selectFrom("generations").where((row) => matches(row, filter, dialect));
        if (before !== undefined) selection = selection.where("generations.id", "<", before);
        const rows = yield* run(withRequest(selection).orderBy("generations.id", "desc").limit(limit));
        return rows.map(toGeneration);
      }),
    list: (filter, { offset, limit }) =>
      engine.report(function* () {
        const selection = db.selectFrom("generations").where((row) => matches(row, filter, dialect));
        const page = withRequest(selection).orderBy("created_at", "desc").orderBy("generations.id", "desc");
        const rows = yield* run(page.offset(offset).limit(limit));
        const [count] = yield* run(selection.select(sql<number>`count(*)`.as("total")));
        return { results: rows.map(toGeneration), total: count!.total };
      }),
    async after(filter, { after, limit, isWithRequest }) {
      const selectAfter = (filter: GenerationFilter) => {
        const all = db.selectFrom("generations").where((row) => matches(row, filter, dialect));
        return after
          ? all
              .where("created_at", "<=", after.createdAt)
              .where((row) =>
                row.or([row("created_at", "<", after.createdAt), row("generations.id", "<", after.id)]),
              )
          : all;
      };
      const read = (filter: GenerationFilter, limit: number) =>
        engine.report(function* () {
          const page = isWithRequest
            ? withRequest(selectAfter(filter))
            : selectAfter(filter).selectAll("generations").select(sql<null>`NULL`.as("request"));
          const ordered = page.orderBy("created_at", "desc").orderBy("generations.id", "desc");
          return (yield* run<GenerationRow>(ordered.limit(limit) as Compilable<GenerationRow>)).map(
            toGeneration,
          );
        });
      const { accountId, from: _, to: _to, ...narrowing } = filter;
      const isNarrowed = Object.values(narrowing).some((value) => value !== undefined);
      // Pending generations are few and have their own index.
      if (accountId === undefined || !isNarrowed || filter.status === "pending") return read(filter, limit);
      const bounds = await boundsOf(selectAfter(momentsOf(filter)));
      const found: Generation[] = [];
      // The index has an account's requests in this order, but each must be read: few of a million may match.
      for await (const { from, to } of pieces(engine, [accountId], bounds, MINUTE)) {
        found.push(...(await read({ ...filter, from, to }, limit - found.length)));
        if (found.length === limit) break;
      }
      return found;
    },
    async count(filter) {
      const selection = (filter: GenerationFilter) =>
        db.selectFrom("generations").where((row) => matches(row, filter, dialect));
      const { accountId } = filter;
      const bounds = await boundsOf(selection(momentsOf(filter)));
      let total = 0;
      for await (const { from, to } of pieces(engine, [accountId], bounds, MINUTE)) {
        const counted = selection({ ...filter, from, to }).select(sql<number>`count(*)`.as("total"));
        const [row] = await engine.report(() => run(counted));
        total += row!.total;
      }
      return total;
    },
  };
}

/** The filter's account and range: with these alone, an index finds the first and the last generation. */
const momentsOf = ({ accountId, from, to }: GenerationFilter): GenerationFilter => ({
  ...(accountId !== undefined && { accountId }),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});

/** The id of the model entry that served a generation, or NULL. */
export const servedBy = ({ json }: Dialect): RawBuilder<string | null> =>
  sql.raw(json.member("generations.route", "entry"));

function matches(row: ExpressionBuilder<Tables, "generations">, filter: GenerationFilter, dialect: Dialect) {
  const { accountId, keyId, modality, model, status, from, to, tags = {}, user, surface, entry } = filter;
  return row.and([
    ...(accountId === undefined ? [] : [row("account_id", "=", accountId)]),
    ...(status === undefined ? [] : [row("status", "=", status)]),
    // The same condition as the partial index has, so that the database uses it.
    ...(status === "pending" ? [] : [row("status", "<>", sql.lit("pending"))]),
    ...(keyId === undefined ? [] : [row("key_id", "=", keyId)]),
    ...(modality === undefined ? [] : [row("modality", "=", modality)]),
    ...(model === undefined ? [] : [row("model", "=", model)]),
    ...(from === undefined ? [] : [row("created_at", ">=", from)]),
    ...(to === undefined ? [] : [row("created_at", "<", to)]),
    ...Object.entries(tags).map(([name, value]) => row(dialect.json.memberByName("tags", name), "=", value)),
    ...(user === undefined ? [] : [row("end_user", "=", user)]),
    ...(surface === undefined ? [] : [row("surface", "=", surface)]),
    ...(entry === undefined ? [] : [row(servedBy(dialect), "=", entry)]),
  ]);
}

/** Joins the requests to the rows. */
const withRequest = <O>(query: SelectQueryBuilder<Tables, "generations", O>) =>
  query
    .leftJoin("requests", "requests.id", "generations.id")
    .selectAll("generations")
    .select("requests.content as request");

export type GenerationRow = Selectable<Tables["generations"]> & { request: string | null };

export function toGeneration(row: GenerationRow): Generation {
  const optional = {
    keyId: row.key_id ?? undefined,
    request: fromColumn(row.request),
    route: fromColumn(row.route),
    price: fromColumn(row.price),
    usage: fromColumn(row.usage),
    checkpoint: fromColumn(row.checkpoint),
    cost: row.cost ?? undefined,
    durationMs: row.duration_ms ?? undefined,
    dispatchedAt: row.dispatched_at ?? undefined,
    tags: fromColumn(row.tags),
    user: row.end_user ?? undefined,
    surface: row.surface ?? undefined,
  };
  return {
    id: row.id,
    accountId: row.account_id,
    modality: row.modality as Modality,
    model: row.model,
    status: row.status as Generation["status"],
    createdAt: row.created_at,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  };
}

import { type ExpressionBuilder, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Dialect } from "../engine/dialect.ts";
import type { Engine, Work } from "../engine/engine.ts";
import type { JsonObject } from "../engine/json-columns.ts";
import { param, prepare, run } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import type { Contents } from "../requests/contents.ts";
import { errorRefs, type ProviderError } from "../requests/provider-errors.ts";
import type { Generation, Modality, Tags } from "./generation.ts";
import { GENERATION_COLUMNS, type GenerationRow, MEMBERS } from "./generation-columns.ts";
import { pieces } from "./pieces.ts";

const MINUTE = 60_000;

/** Conditions on generations, which must meet all of them; an absent member allows any. */
export interface GenerationFilter {
  /** Absent: all accounts. */
  accountId?: string;
  /** The id of the key, also of a revoked one. */
  keyId?: string;
  /** What was generated. */
  modality?: Modality;
  /** The caller's name for the model, exactly. */
  model?: string;
  /** Absent: all that have ended. */
  status?: Generation["status"];
  /** The first moment at which they were created, in ms. */
  from?: number;
  /** The moment before which they were created, in ms. */
  to?: number;
  /** Generations that have all of these tags. */
  tags?: Tags;
  /** The id of the end user, as the caller sent it. */
  user?: string;
  /** The name of the surface: `chatstyle`. */
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

export function createGenerations(engine: Engine, contents: Pick<Contents, "of" | "errorsOf">): Generations {
  const { db, dialect } = engine;
  const select = prepare<{ id: string; account: string }, GenerationRow>(
    db,
    db
      .selectFrom("generations")
      .selectAll()
      .where("id", "=", param("id"))
      .where("account_id", "=", param("account")),
  );
  /** The records of rows, with their requests. */
  const withRequests = function* (rows: readonly GenerationRow[]): Work<Generation[]> {
    const requests = yield* contents.of(
      rows.map(({ id, account_id, created_at }) => ({ id, account: account_id, at: created_at })),
    );
    return rows.map((row) => toGeneration(row, requests.get(row.id)));
  };
  /** One record, with its request and what providers answered to it. */
  const inDepth = function* (rows: readonly GenerationRow[]): Work<Generation | undefined> {
    const [row] = rows;
    const [generation] = yield* withRequests(rows);
    if (!row || !generation) return undefined;
    const refs = errorRefs({ id: row.id, account: row.account_id, at: row.created_at }, row.route);
    const found = yield* contents.errorsOf(refs);
    const errors = refs.flatMap(({ id }, attempt): ProviderError[] => {
      const error = found.get(id);
      return error ? [{ attempt, ...error }] : [];
    });
    return errors.length > 0 ? { ...generation, errors } : generation;
  };
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
        return yield* inDepth(yield* select({ id, account: accountId }));
      }),
    find: (id) =>
      engine.read(function* () {
        const rows = yield* run(db.selectFrom("generations").selectAll().where("id", "=", id));
        return yield* inDepth(rows);
      }),
    recent: (filter, { before, limit }) =>
      engine.report(function* () {
        let selection = db.selectFrom("generations").where((row) => matches(row, filter, dialect));
        if (before !== undefined) selection = selection.where("id", "<", before);
        return yield* withRequests(yield* run(selection.selectAll().orderBy("id", "desc").limit(limit)));
      }),
    list: (filter, { offset, limit }) =>
      engine.report(function* () {
        const selection = db.selectFrom("generations").where((row) => matches(row, filter, dialect));
        const page = selection.selectAll().orderBy("created_at", "desc").orderBy("id", "desc");
        const rows = yield* run(page.offset(offset).limit(limit));
        const [count] = yield* run(selection.select(sql<number>`count(*)`.as("total")));
        return { results: yield* withRequests(rows), total: count!.total };
      }),
    async after(filter, { after, limit, isWithRequest }) {
      const selectAfter = (filter: GenerationFilter) => {
        const all = db.selectFrom("generations").where((row) => matches(row, filter, dialect));
        return after
          ? all
              .where("created_at", "<=", after.createdAt)
              .where((row) => row.or([row("created_at", "<", after.createdAt), row("id", "<", after.id)]))
          : all;
      };
      const read = (filter: GenerationFilter, limit: number) =>
        engine.report(function* () {
          const page = selectAfter(filter).selectAll().orderBy("created_at", "desc").orderBy("id", "desc");
          const rows = yield* run(page.limit(limit));
          return isWithRequest ? yield* withRequests(rows) : rows.map((row) => toGeneration(row));
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

/** The members of a filter that a generation has with the same value. */
const EQUAL = ["accountId", "status", "keyId", "modality", "model", "user", "surface"] as const;

function matches(row: ExpressionBuilder<Tables, "generations">, filter: GenerationFilter, dialect: Dialect) {
  const { status, from, to, tags = {}, entry } = filter;
  return row.and([
    ...EQUAL.flatMap((member) => {
      const value = filter[member];
      return value === undefined ? [] : [row(MEMBERS[member], "=", value)];
    }),
    // The same condition as the partial index has, so that the database uses it.
    ...(status === "pending" ? [] : [row("status", "<>", sql.lit("pending"))]),
    ...(from === undefined ? [] : [row("created_at", ">=", from)]),
    ...(to === undefined ? [] : [row("created_at", "<", to)]),
    ...Object.entries(tags).map(([name, value]) => row(dialect.json.memberByName("tags", name), "=", value)),
    ...(entry === undefined ? [] : [row(servedBy(dialect), "=", entry)]),
  ]);
}

/** The columns of the record's members: a member without one fails to compile here. */
const COLUMN_OF: Record<Exclude<keyof Generation, "request" | "errors">, keyof GenerationRow> = MEMBERS;
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

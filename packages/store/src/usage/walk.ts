import { sql } from "kysely";
import { HOUR, MINUTE } from "../engine/durations.ts";
import type { Engine } from "../engine/engine.ts";
import { run } from "../engine/statement.ts";
import { type GenerationFilter, isNarrowed, matches, momentsOf } from "./generation-filter.ts";
import { pieces } from "./pieces.ts";
import { accountsIn, narrow } from "./summed.ts";

/** One value for all accounts together, since each piece names all of them. */
const TOGETHER = [""];

/**
 * The number of parts that are searched before the hourly sums are read to skip empty hours. The generations of most
 * filters are found by then.
 */
const FEW = 8;

/** A part of a walk. */
interface Part {
  /** The filter for its range, of one account or of all. */
  part: GenerationFilter & { from: number; to: number };
  /** Nothing older is left. */
  isOldest: boolean;
}

interface WalkOptions {
  /** Stops once this number of generations has been walked over, whether they matched or not. */
  most?: number;
}

/**
 * Walks over the generations that a filter may match, newest first, a part of its range at a time. The index has an
 * account's generations in this order, but each must be read, and few of a million may match: after a few parts, the
 * hourly sums limit the rest of the range. Without an account, each part is read from the index of every account that
 * has sums in its hours.
 */
export async function* walk(
  engine: Engine,
  filter: GenerationFilter,
  { most }: WalkOptions = {},
): AsyncGenerator<Part> {
  const { db, dialect } = engine;
  const accountId = filter.accountId ?? (await accountsOf(engine));
  const all: GenerationFilter & { accountId: typeof accountId } = { ...filter, accountId };
  const range = await boundsOf(engine, momentsOf(all));
  let walked = 0;
  for await (const { from, to, isOldest } of partsOf(engine, filter, range)) {
    const accountId = await accountsIn(engine, all, { from, to });
    const part = { ...all, accountId, from, to };
    yield { part, isOldest };
    if (most === undefined || isOldest) continue;
    const inPart = momentsOf(part);
    const [row] = await engine.delayed(() =>
      run(
        db
          .selectFrom("generations")
          .where((row) => matches(row, inPart, dialect))
          .select(sql<number>`count(*)`.as("total")),
      ),
    );
    walked += row!.total;
    if (walked >= most) return;
  }
}

/** Cuts a range into parts, newest first. */
async function* partsOf(engine: Engine, filter: GenerationFilter, range: { from: number; to: number }) {
  let left = FEW;
  for await (const { from, to } of pieces(engine, TOGETHER, range, MINUTE)) {
    if (left-- > 0 || !isNarrowed(filter)) {
      yield { from, to, isOldest: from === range.from };
      continue;
    }
    const rest = await narrow(engine, filter, { from: range.from, to });
    for await (const part of pieces(engine, TOGETHER, rest, MINUTE))
      yield { ...part, isOldest: part.from === rest.from };
    return;
  }
}

const accountsOf = async ({ db, delayed }: Engine): Promise<string[]> =>
  (await delayed(() => run(db.selectFrom("accounts").select("id")))).map(({ id }) => id);

/**
 * The first hour and the last generation of a filter. The hourly sums have all months in one index: they show in which
 * month the index of generations has the last one.
 */
function boundsOf(
  { db, dialect, delayed }: Engine,
  { accountId, from = 0, to = Number.MAX_SAFE_INTEGER }: GenerationFilter,
): Promise<{ from: number; to: number }> {
  const ids = typeof accountId === "string" ? [accountId] : (accountId ?? []);
  const end = (order: "asc" | "desc") =>
    db
      .selectFrom("hourly_sums")
      .where("hour", ">", from - HOUR)
      .where("hour", "<", to)
      .where(sql<boolean>`hourly_sums.account_id = accounts.id`)
      .select("hour")
      .orderBy("hour", order)
      .limit(1);
  const accounts = db.selectFrom("accounts").where(dialect.isOneOf("id", ids));
  return delayed(function* () {
    const [hours] = yield* run(
      accounts
        .select(sql<number | null>`MIN(${end("asc")})`.as("first"))
        .select(sql<number | null>`MAX(${end("desc")})`.as("last")),
    );
    if (hours?.first == null || hours.last == null) return { from: 0, to: 0 };
    const range = { from: Math.max(from, hours.first), to: Math.min(to, hours.last + HOUR) };
    const last = db
      .selectFrom("generations")
      .where((row) => matches(row, { from: Math.max(from, hours.last!), to: range.to }, dialect))
      .where(sql<boolean>`generations.account_id = accounts.id`)
      .select("created_at")
      .orderBy("created_at", "desc")
      .limit(1);
    const [newest] = yield* run(accounts.select(sql<number | null>`MAX(${last})`.as("at")));
    return newest?.at == null ? range : { ...range, to: newest.at + 1 };
  });
}

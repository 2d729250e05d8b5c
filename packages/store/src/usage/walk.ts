import { sql } from "kysely";
import type { Engine } from "../engine/engine.ts";
import { run } from "../engine/statement.ts";
import { type GenerationFilter, matches, momentsOf } from "./generation-filter.ts";
import { pieces } from "./pieces.ts";

const MINUTE = 60_000;

/** One value for all accounts together, since each piece names all of them. */
const TOGETHER = [""];

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
 * account's generations in this order, but each must be read: few of a million may match. Without an account, each
 * part is looked for in the index of every account.
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
  for await (const { from, to } of pieces(engine, TOGETHER, range, MINUTE)) {
    const part = { ...all, from, to };
    const isOldest = from === range.from;
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

const accountsOf = async ({ db, delayed }: Engine): Promise<string[]> =>
  (await delayed(() => run(db.selectFrom("accounts").select("id")))).map(({ id }) => id);

/** The times of the first and the last generation of a filter; without an end of its own, each account has one. */
function boundsOf(
  { db, dialect, delayed }: Engine,
  { accountId, ...range }: GenerationFilter,
): Promise<{ from: number; to: number }> {
  const ids = typeof accountId === "string" ? [accountId] : (accountId ?? []);
  const end = (order: "asc" | "desc") =>
    db
      .selectFrom("generations")
      .where((row) => matches(row, range, dialect))
      .where(sql<boolean>`generations.account_id = accounts.id`)
      .select("created_at")
      .orderBy("created_at", order)
      .limit(1);
  return delayed(function* () {
    const [row] = yield* run(
      db
        .selectFrom("accounts")
        .where(dialect.isOneOf("id", ids))
        .select(sql<number | null>`MIN(${end("asc")})`.as("from"))
        .select(sql<number | null>`MAX(${end("desc")})`.as("last")),
    );
    return { from: row?.from ?? 0, to: row?.last == null ? 0 : row.last + 1 };
  });
}

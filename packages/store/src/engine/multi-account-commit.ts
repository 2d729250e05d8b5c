import type pg from "pg";
import { toBatches } from "./batches.ts";
import type { Answered } from "./commit-group.ts";
import { Undo, type Work } from "./engine.ts";
import type { AccountPiece, AcrossResult } from "./lanes.ts";
import { ask, cork, type Driving, drive } from "./postgres-drive.ts";

/**
 * Settings of work that finds its rows by their keys. The server cannot know how many rows come in a statement's
 * arrays, nor that each is in one partition: by default it would plan the statement anew each time, and read whole
 * tables instead of using the index.
 */
export const BY_KEY = [
  ...["seqscan", "hashjoin", "mergejoin"].map((way) => `SET LOCAL enable_${way} = off`),
  "SET LOCAL plan_cache_mode = force_generic_plan",
].join("; ");

/** Locks the rows of accounts, and skips those that other transactions have locked. */
const LOCK_FREE = {
  name: "lock_free",
  sql: "SELECT id FROM accounts WHERE id = ANY($1::text[]) FOR NO KEY UPDATE SKIP LOCKED",
};

/** How a transaction begins and is committed. */
interface Frame extends Pick<Driving, "isUnnamed"> {
  begin: string;
  commit(client: pg.PoolClient): Promise<void>;
}

/** Runs the work of several accounts in one transaction, batch by batch: of the accounts not locked, all or none. */
export async function commitAcross(
  client: pg.PoolClient,
  group: readonly AccountPiece[],
  { begin, commit, isUnnamed }: Frame,
): Promise<AcrossResult> {
  const accounts = new Set(group.map(({ account }) => account));
  // The statements are sent together: should BEGIN fail, the lock is released at once and does no harm.
  cork(client);
  const [, { rows }] = await Promise.all([
    client.query(begin),
    ask(client, { ...LOCK_FREE, parameters: [[...accounts]] }, { isUnnamed }),
  ]);
  for (const { id } of rows) accounts.delete(id as string);
  const free = group.filter(({ account }) => !accounts.has(account));
  const unread: Promise<unknown>[] = [];
  const result = await drive(client, runBatches(free), { unread, isUnnamed });
  const isRefused = "refused" in result;
  const end = isRefused ? client.query("ROLLBACK") : commit(client);
  await Promise.all([...unread, end]);
  return isRefused ? result : { answers: result, locked: accounts };
}

function* runBatches(
  group: readonly AccountPiece[],
): Work<Answered<AccountPiece>[] | { refused: AccountPiece[] }> {
  const answers: Answered<AccountPiece>[] = [];
  for (const batch of toBatches(group)) {
    const values = yield* batch[0]!.batch!.all(batch.map((piece) => piece.batch!.item));
    if (values instanceof Undo) {
      const items = new Set(values.value);
      return { refused: batch.filter((piece) => items.has(piece.batch!.item)) };
    }
    for (const [at, piece] of batch.entries()) answers.push({ piece, value: values[at] });
  }
  return answers;
}

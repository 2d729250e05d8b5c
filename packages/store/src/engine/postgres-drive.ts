import type { Writable } from "node:stream";
import type pg from "pg";
import type { Query, Row, Work } from "./engine.ts";

export interface Driving {
  waitMs?: number | undefined;
  /** Statements have no names, because the pooler in front of the server would lose them. */
  isUnnamed?: boolean;
  count?: (command: string, rows: number | null) => void;
  /** Collects statements with unread rows, awaited with the COMMIT. Absent: each is awaited at once. */
  unread?: Promise<unknown>[];
}

/** Runs work to its end. A failed statement throws inside the work, which may catch the error and continue. */
export async function drive<T>(client: pg.PoolClient, work: Work<T>, driving: Driving = {}): Promise<T> {
  const { count, unread } = driving;
  const answer = async (query: Query): Promise<Row[]> => {
    const { command, rowCount, rows } = await ask(client, query, driving);
    count?.(command, rowCount);
    return rows;
  };
  let step = work.next();
  while (!step.done) {
    const request = step.value;
    if (unread && "sql" in request && request.isUnread) {
      // Counted when it is sent: work that is undone meanwhile has changed something.
      count?.("", null);
      const sent = ask(client, request, driving);
      sent.catch(() => {});
      unread.push(sent);
      step = work.next([]);
      continue;
    }
    let rows: Row[] | Row[][];
    try {
      // Answers come in the order of the statements, so the first failure is the cause.
      rows = await ("sql" in request ? answer(request) : Promise.all(request.map(answer)));
    } catch (error) {
      step = work.throw(await causeOf(error, unread));
      continue;
    }
    step = work.next(rows as Row[]);
  }
  return step.value;
}

/** The error of an earlier statement with unread rows, if one failed: it makes all statements after it fail. */
const causeOf = (error: unknown, unread: readonly Promise<unknown>[] = []): Promise<unknown> =>
  Promise.all(unread).then(
    () => error,
    (cause: unknown) => cause,
  );

/**
 * A parameter in which NUL is replaced, because Postgres accepts none in a text. An id with the replacement matches no
 * row, as it should.
 */
function storable(value: unknown): unknown {
  if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value;
  return Array.isArray(value) ? value.map(storable) : value;
}

/** Sends a statement, together with all others that are sent in this turn of the event loop. */
export function ask(
  client: pg.PoolClient,
  { sql, parameters, name }: Query,
  { waitMs, isUnnamed = false }: Driving,
) {
  cork(client);
  return client.query<Row>({
    name: isUnnamed ? undefined : name,
    text: sql,
    values: parameters.map(storable),
    query_timeout: waitMs,
  } as pg.QueryConfig);
}

/** Corks the connection until the end of this turn of the event loop, so that all its writes are one system call. */
export function cork(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

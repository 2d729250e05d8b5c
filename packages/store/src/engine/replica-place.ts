import { WrongServer } from "./postgres-fault.ts";

/** Which database a server has, and since when. */
export interface Server {
  /** The identifier of the server's data, which replicas share with their primary, and the database's number in it. */
  database: string;
  /** The number of the schema in which our tables are found; `null` where there are none. */
  schema: string | null;
  /** When the server started, in s since the epoch; `null` on a replica. */
  startedAt: string | null;
}

/** How far the log of a server is. */
export interface Place extends Server {
  /** In bytes; on a replica, of what it has replayed. */
  position: number;
}

/** Reads the `Place` of a server. */
export const PLACE = `SELECT (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
    ELSE pg_current_wal_lsn() END - '0/0'::pg_lsn)::bigint AS position,
  system_identifier || '/' || (SELECT oid FROM pg_database WHERE datname = current_database()) AS database,
  (SELECT relnamespace::text FROM pg_class WHERE oid = to_regclass('accounts')) AS schema,
  CASE WHEN NOT pg_is_in_recovery() THEN extract(epoch FROM pg_postmaster_start_time())::text END AS "startedAt"
  FROM pg_control_system()`;

/**
 * Checks that a server has the primary's database, and that its tables are found in the same schema: its log alone does
 * not show that, since others grow as well. The primary itself passes, to which a balancer may lead while there is no
 * replica. Throws `WrongServer`.
 */
export function checkReplica(reader: Server, primary: Server): void {
  if (reader.database !== primary.database)
    throw new WrongServer("it has another database than store.url, and is no replica of it");
  // A first start has no tables yet.
  if (primary.schema !== null && reader.schema !== primary.schema)
    throw new WrongServer("its search_path leads to another schema than that of store.url");
  if (reader.startedAt !== null && reader.startedAt !== primary.startedAt)
    throw new WrongServer("it is a primary of its own, which no longer follows that of store.url");
}

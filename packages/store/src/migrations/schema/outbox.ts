import type { Definition } from "../migration.ts";

/** Events for webhooks, their pending deliveries, and the endpoints that fail. */
export const outbox: Definition = ({ integer, strict }) => [
  `CREATE TABLE outbox (
    id TEXT PRIMARY KEY,
    type TEXT NOT NULL,
    account_id TEXT,
    data TEXT NOT NULL,
    created_at ${integer} NOT NULL,
    is_open ${integer} NOT NULL
  ) ${strict}`,
  "CREATE INDEX outbox_open ON outbox (created_at, id) WHERE is_open = 1",
  "CREATE INDEX outbox_by_age ON outbox (created_at)",

  `CREATE TABLE deliveries (
    id TEXT PRIMARY KEY,
    event_id TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    tries ${integer} NOT NULL,
    next_at ${integer} NOT NULL,
    created_at ${integer} NOT NULL
  ) ${strict}`,
  "CREATE INDEX deliveries_due ON deliveries (endpoint, next_at, id)",

  `CREATE TABLE failing_endpoints (
    id TEXT PRIMARY KEY,
    failing_since ${integer} NOT NULL,
    off_since ${integer}
  ) ${strict}`,
];

import { readFileSync } from "node:fs";
import { lookupHash, prefixOf, sealKey, windowsOf } from "@manifold-gateway/store";
import Client from "better-sqlite3";
import type { Database } from "../databases/database.ts";
import { NOW } from "../fixtures.ts";

/**
 * The definitions of databases that 22 migrations made, which this program's first migration took the place of, as
 * `describeSchema` read them then.
 */
export const definitionsOf = (dialect: Database["dialect"]): string[] =>
  readFileSync(`${import.meta.dirname}/22-${dialect}.sql`, "utf8")
    .split(/;\n/)
    .filter(Boolean);

/** Makes a database as 22 migrations left it, with data in its tables. */
export async function makeEarlier(database: Database): Promise<void> {
  const { dialect, location } = database;
  const text = [...definitionsOf(dialect), MIGRATIONS, ...DATA].join(";\n");
  if (dialect === "postgres") return void (await database.execute(text));
  const client = new Client(location);
  client.exec(`BEGIN; ${text}; COMMIT`);
  client.close();
}

export const KEY = "mfk_of-an-earlier-version-0123456789";
export const SEAL = new Uint8Array(32).fill(7);
const { daily, weekly, monthly } = windowsOf(NOW);
const { ciphertext, nonce, version } = sealKey(KEY, "k1", SEAL, 1);

const insert = (table: string, columns: string, ...rows: string[]): string =>
  `INSERT INTO ${table} (${columns}) VALUES ${rows.map((row) => `(${row})`).join(", ")}`;

const NAMES = [
  ...["accounts", "catalog", "logins", "repeats", "jobs", "retention", "corrections", "issued-ids"],
  ...["attempts", "kept-texts", "audit-log", "restrictions", "key-stubs", "ended-sessions", "job-course"],
  ...["leases", "usage hours", "hourly usage", "tags", "makers-of-ids", "outbox", "sums by entry"],
];
const MIGRATIONS = insert(
  "migrations",
  "number, name, applied_at",
  ...NAMES.map((name, at) => `${at + 1}, '${name}', ${NOW + at}`),
);

/** Of Ada, at two micro-USD a token of output. */
const generation = (id: string, key: string, rest: string, owner: string, lease = "NULL, 0, NULL"): string =>
  `'${id}', 'ada', ${key}, 'text', 'swift-1', ${rest}, '${daily}', '${weekly}', '${monthly}', ${owner}, ${lease}`;
const OWNER = "'old/1/process/store'";
const PRICE = `'{"output":2000000}'`;
const charge = (id: string, amount: number): string =>
  `'charge:${id}', 'ada', 'revenue', ${amount}, 'charge', '${id}', ${NOW}`;

const PACES = Array.from({ length: 9 }, (_, pace) => `pace_${pace}`);
const SUMS = `requests, cost, input, output, duration_ms, cache_read, reasoning, images, characters, millis, ${PACES.join(", ")}`;
const NOTHING = Array(6 + PACES.length).fill(0);

/** Rows of every table that is written, apart from sums that are made of others. */
const DATA = [
  insert(
    "accounts",
    "id, name, active, balance, held, created_at, login, password_hash, password_at, kept_bytes, recall",
    `'ada', 'Ada', 1, ${1_000_000 - 3 + 2 - 58}, 36, ${NOW}, 'ada', '$argon2id$x', 5, 25, 2`,
    `'grace', 'Grace', 0, 500, 0, ${NOW}, NULL, NULL, NULL, 0, 0`,
  ),
  insert(
    "api_keys",
    "id, account_id, lookup_hash, prefix, name, active, revision, total_limit, sealed, sealed_nonce, sealed_version, created_at, revoked_at, restrictions",
    `'k1', 'ada', '${lookupHash(KEY)}', '${prefixOf(KEY)}', 'ci', 1, 3, 1000, '${ciphertext}', '${nonce}', ${version}, ${NOW}, NULL, '{"requestsPerMinute":5}'`,
    `'k2', 'ada', 'gone', 'mfk_gone', 'old', 0, 2, NULL, NULL, NULL, NULL, ${NOW}, ${NOW + 1}, NULL`,
  ),
  insert("key_use", "key_id, state", `'k1', '{"spans":[],"running":{}}'`),
  insert(
    "key_spend",
    "key_id, kind, win, spent, held",
    ...Object.entries({ daily, weekly, monthly, total: "all" }).map(
      ([kind, win]) => `'k1', '${kind}', '${win}', 58, 36`,
    ),
  ),
  insert(
    "generations",
    "id, account_id, key_id, modality, model, status, price, usage, checkpoint, cost, created_at, held, daily, weekly, monthly, owner, lease, leased, batch",
    generation(
      "g-done",
      "'k1'",
      `'succeeded', ${PRICE}, '{"input":1,"output":3}', NULL, 6, ${NOW}, 10`,
      OWNER,
    ),
    generation("g-failed", "'k1'", `'failed', ${PRICE}, NULL, NULL, 0, ${NOW}, 10`, OWNER),
    generation(
      "g-recovered",
      "'k1'",
      `'failed', ${PRICE}, '{"output":4,"recovered":true}', '{"output":4}', 8, ${NOW}, 10`,
      OWNER,
    ),
    generation("g-session", "NULL", `'aborted', NULL, NULL, NULL, 3, ${NOW}, 5`, OWNER),
    generation("g-open", "'k1'", `'pending', ${PRICE}, NULL, '{"output":5}', NULL, ${NOW}, 20`, OWNER),
    generation("j-done", "'k1'", `'succeeded', NULL, NULL, NULL, 30, ${NOW}, 30`, "NULL"),
    generation("j-live", "'k1'", `'pending', NULL, NULL, NULL, NULL, ${NOW}, 7`, "NULL"),
    generation(
      "g-late",
      "'k1'",
      `'succeeded', ${PRICE}, '{"output":3}', '{"output":4}', 6, ${NOW}, 10`,
      OWNER,
    ),
    ...["g-leased-1", "g-leased-2"].map((id) =>
      generation(
        id,
        "'k1'",
        `'succeeded', ${PRICE}, '{"output":2}', NULL, 4, ${NOW}, 0`,
        OWNER,
        "'l1', 5, 'batch:l1.1'",
      ),
    ),
  ),
  `UPDATE generations SET tags = '{"team":"search"}', end_user = 'u-1', route = '{"entry":"e-1"}',
    surface = 'chatstyle' WHERE id = 'g-done'`,
  insert("requests", "id, content", `'g-done', '{"messages":["Hello"]}'`),
  insert(
    "transfers",
    "id, debit_account, credit_account, amount, kind, generation_id, created_at",
    `'invoice-1', 'house', 'ada', 1000000, 'topup', NULL, ${NOW}`,
    `'gift', 'house', 'grace', 500, 'writeoff', NULL, ${NOW}`,
    ...[charge("g-done", 6), charge("g-recovered", 8), charge("g-session", 3)],
    ...[charge("j-done", 30), charge("g-late", 8)],
    `'refund:g-done', 'revenue', 'ada', 2, 'refund', 'g-done', ${NOW}`,
    `'correction:g-late', 'revenue', 'ada', 2, 'correction', 'g-late', ${NOW}`,
    `'batch:l1.1', 'ada', 'revenue', 8, 'charge', NULL, ${NOW}`,
  ),
  insert(
    "leases",
    "id, owner, account_id, key_id, daily, weekly, monthly, amount, step, ending, key_revision, recall, created_at",
    `'l1', ${OWNER}, 'ada', 'k1', '${daily}', '${weekly}', '${monthly}', 9, 3, 0, 3, 0, ${NOW}`,
  ),
  insert("instances", "owner, started_at, heartbeat_at", `${OWNER}, 1, 1`),
  insert("revisions", "subject, value", "'keys', 9", "'catalog', 0"),
  insert("models", "id, revision, content, created_at, updated_at", `'m1', 4, '{"id":"m1"}', 1, 2`),
  insert(
    "repeats",
    "account_id, route, name, body_hash, generation_id, state, answer, created_at",
    `'ada', '/r', 'k1 n', 'h', 'g-done', 'done', '{"status":200,"headers":{},"body":"{}"}', ${NOW}`,
  ),
  insert(
    "jobs",
    "id, kind, account_id, key_id, model, phase, state, result, orphan, owner, lease_until, attempt, tries, polls, next_at, deadline, created_at, updated_at, ended_at, course",
    `'j-done', 'image', 'ada', 'k1', 'm', 'answered', 'succeeded', '{"a":1}', 0, NULL, 0, 1, 0, 0, 1, 9, ${NOW}, 2, 3, NULL`,
    `'j-live', 'video', 'ada', 'k1', 'm', 'accepted', 'running', NULL, 0, NULL, 0, 1, 0, 2, 1, ${NOW}, ${NOW}, 2, NULL, '{"fallbacks":[]}'`,
  ),
  insert(
    "assets",
    "id, account_id, kind, type, state, object_key, media_type, size, job_id, created_at, updated_at, needed_until",
    `'a1', 'ada', 'output', 'Image', 'active', 'ada/a1.png', 'image/png', 9, 'j-done', ${NOW}, ${NOW}, 77`,
  ),
  insert("asset_groups", "account_id, provider, group_id", "'ada', 'p', 'group'"),
  insert("issued_ids", "hash, account_id, created_at, maker", `'hash-of-an-id', 'ada', ${NOW}, '["p","1"]'`),
  insert("attempts", "subject, count, next_at, updated_at, kept_until", `'login x', 3, 1, 2, ${NOW}`),
  insert(
    "audit_log",
    "id, created_at, actor, action, account_id, subject, before, after",
    `'1.0', ${NOW}, 'operator:operator', 'key_changed', 'ada', 'k1', '{"name":"a"}', '{"name":"ci"}'`,
  ),
  insert("ended_sessions", "hash, until", `'hash-of-a-session', ${NOW}`),
  insert("outbox", "id, type, data, created_at, is_open", `'evt_1', 'entry.circuit_opened', '{}', ${NOW}, 1`),
  insert("hourly_tag_values", "account_id, hour, name, value", `'ada', ${NOW}, 'team', 'search'`),
  insert(
    "hourly_sums",
    `account_id, hour, key_id, model, modality, status, surface, entry, ${SUMS}`,
    ...[
      "'k1', 'swift-1', 'text', 'succeeded', 'chatstyle', 'e-1', 1, 6, 1, 3",
      "'k1', 'swift-1', 'text', 'succeeded', '', '', 4, 44, 0, 7",
      "'k1', 'swift-1', 'text', 'failed', '', '', 2, 8, 0, 4",
      "'', 'swift-1', 'text', 'aborted', '', '', 1, 3, 0, 0",
    ].map((row) => `'ada', ${NOW}, ${row}, ${NOTHING.join(", ")}`),
  ),
  insert(
    "hourly_tag_sums",
    `account_id, hour, name, value, key_id, model, modality, status, surface, entry, ${SUMS}`,
    `'ada', ${NOW}, 'team', 'search', 'k1', 'swift-1', 'text', 'succeeded', 'chatstyle', 'e-1', 1, 6, 1, 3, ${NOTHING.join(", ")}`,
  ),
];

import { lookupHash, prefixOf, sealKey, windowsOf } from "@manifold-gateway/store";
import { NOW } from "./fixtures.ts";

/** What a database of an earlier version holds, migration by migration: statements that both dialects read. */
export const KEY = "mfk_of-an-earlier-version-0123456789";
export const SEAL = new Uint8Array(32).fill(7);
const { daily, weekly, monthly } = windowsOf(NOW);
const { ciphertext, nonce, version } = sealKey(KEY, "k1", SEAL, 1);

const insert = (table: string, columns: string, ...rows: string[]): string =>
  `INSERT INTO ${table} (${columns}) VALUES ${rows.map((row) => `(${row})`).join(", ")}`;

const GENERATION =
  "id, account_id, key_id, modality, model, status, price, usage, checkpoint, cost, created_at, held, daily, weekly, monthly, owner";
/** Of Ada, at two micro-USD a token of output. */
const generation = (id: string, key: string, rest: string, owner = "'old/1/process/store'"): string =>
  `'${id}', 'ada', ${key}, 'text', 'swift-1', ${rest}, '${daily}', '${weekly}', '${monthly}', ${owner}`;
const PRICE = `'{"output":2000000}'`;

const TRANSFER = "id, debit_account, credit_account, amount, kind, generation_id, created_at";
const charge = (id: string, amount: number): string =>
  `'charge:${id}', 'ada', 'revenue', ${amount}, 'charge', '${id}', ${NOW}`;

const JOB =
  "id, kind, account_id, key_id, model, phase, state, result, orphan, owner, lease_until, attempt, tries, polls, next_at, deadline, created_at, updated_at, ended_at";

const PACES = Array.from({ length: 9 }, (_, pace) => `pace_${pace}`);

/** The data of the version that ends with each migration, beside that of those before it. */
export const DATA: readonly (readonly string[])[] = [
  [
    insert(
      "accounts",
      "id, name, active, balance, held, created_at",
      `'ada', 'Ada', 1, ${1_000_000 - 6 + 2 - 8 - 3}, 20, ${NOW}`,
      `'grace', 'Grace', 0, 500, 0, ${NOW}`,
    ),
    insert(
      "api_keys",
      "id, account_id, lookup_hash, prefix, name, active, revision, total_limit, sealed, sealed_nonce, sealed_version, created_at, revoked_at",
      `'k1', 'ada', '${lookupHash(KEY)}', '${prefixOf(KEY)}', 'ci', 1, 3, 1000, '${ciphertext}', '${nonce}', ${version}, ${NOW}, NULL`,
      `'k2', 'ada', 'gone', 'mfk_gone', 'old', 0, 2, NULL, NULL, NULL, NULL, ${NOW}, ${NOW + 1}`,
    ),
    insert(
      "generations",
      GENERATION,
      generation("g-done", "'k1'", `'succeeded', ${PRICE}, '{"input":1,"output":3}', NULL, 6, ${NOW}, 10`),
      generation("g-failed", "'k1'", `'failed', ${PRICE}, NULL, NULL, 0, ${NOW}, 10`),
      generation(
        "g-recovered",
        "'k1'",
        `'failed', ${PRICE}, '{"output":4,"recovered":true}', '{"output":4}', 8, ${NOW}, 10`,
      ),
      generation("g-session", "NULL", `'aborted', NULL, NULL, NULL, 3, ${NOW}, 5`),
      generation("g-open", "'k1'", `'pending', ${PRICE}, NULL, '{"output":5}', NULL, ${NOW}, 20`),
    ),
    insert("requests", "id, content", `'g-done', '{"messages":["Hello"]}'`),
    insert(
      "key_spend",
      "key_id, kind, win, spent, held",
      ...Object.entries({ daily, weekly, monthly, total: "all" }).map(
        ([kind, win]) => `'k1', '${kind}', '${win}', 14, 20`,
      ),
    ),
    insert(
      "transfers",
      TRANSFER,
      `'invoice-1', 'house', 'ada', 1000000, 'topup', NULL, ${NOW}`,
      `'gift', 'house', 'grace', 500, 'writeoff', NULL, ${NOW}`,
      ...[charge("g-done", 6), charge("g-recovered", 8), charge("g-session", 3)],
      `'refund:g-done', 'revenue', 'ada', 2, 'refund', 'g-done', ${NOW}`,
    ),
    insert("instances", "owner, started_at, heartbeat_at", "'old/1/process/store', 1, 1"),
    "UPDATE revisions SET value = 9 WHERE subject = 'keys'",
  ],
  [insert("models", "id, revision, content, created_at, updated_at", `'m1', 4, '{"id":"m1"}', 1, 2`)],
  ["UPDATE accounts SET login = 'ada', password_hash = '$argon2id$x', password_at = 5 WHERE id = 'ada'"],
  [
    insert(
      "repeats",
      "account_id, route, name, body_hash, generation_id, state, answer, created_at",
      `'ada', '/r', 'n', 'h', 'g-done', 'done', '{"status":200,"headers":{},"body":"{}"}', ${NOW}`,
    ),
  ],
  [
    insert(
      "generations",
      GENERATION,
      generation("j-done", "'k1'", `'succeeded', NULL, NULL, NULL, 30, ${NOW}, 30`, "NULL"),
      generation("j-live", "'k1'", `'pending', NULL, NULL, NULL, NULL, ${NOW}, 7`, "NULL"),
    ),
    insert("transfers", TRANSFER, charge("j-done", 30)),
    "UPDATE accounts SET balance = balance - 30, held = held + 7 WHERE id = 'ada'",
    "UPDATE key_spend SET spent = spent + 30, held = held + 7",
    insert(
      "jobs",
      JOB,
      `'j-done', 'image', 'ada', 'k1', 'm', 'answered', 'succeeded', '{"a":1}', 0, NULL, 0, 1, 0, 0, 1, 9, ${NOW}, 2, 3`,
      `'j-live', 'video', 'ada', 'k1', 'm', 'accepted', 'running', NULL, 0, NULL, 0, 1, 0, 2, 1, ${NOW}, ${NOW}, 2, NULL`,
    ),
    insert(
      "assets",
      "id, account_id, kind, type, state, object_key, media_type, size, job_id, created_at, updated_at",
      `'a1', 'ada', 'output', 'Image', 'active', 'ada/a1.png', 'image/png', 9, 'j-done', ${NOW}, ${NOW}`,
    ),
    insert("asset_groups", "account_id, provider, group_id", "'ada', 'p', 'group'"),
  ],
  ["UPDATE assets SET needed_until = 77 WHERE id = 'a1'"],
  [
    insert(
      "generations",
      GENERATION,
      generation("g-late", "'k1'", `'succeeded', ${PRICE}, '{"output":3}', '{"output":4}', 6, ${NOW}, 10`),
    ),
    insert(
      "transfers",
      TRANSFER,
      charge("g-late", 8),
      `'correction:g-late', 'revenue', 'ada', 2, 'correction', 'g-late', ${NOW}`,
    ),
    "UPDATE accounts SET balance = balance - 6 WHERE id = 'ada'",
    "UPDATE key_spend SET spent = spent + 6",
  ],
  [insert("issued_ids", "hash, account_id, created_at", `'hash-of-an-id', 'ada', ${NOW}`)],
  [insert("attempts", "subject, count, next_at, updated_at, kept_until", `'login x', 3, 1, 2, ${NOW}`)],
  ["UPDATE accounts SET kept_bytes = 25 WHERE id = 'ada'"],
  [
    insert(
      "audit_log",
      "id, created_at, actor, action, account_id, subject, before, after",
      `'1.0', ${NOW}, 'operator:operator', 'key_changed', 'ada', 'k1', '{"name":"a"}', '{"name":"ci"}'`,
    ),
  ],
  [
    `UPDATE api_keys SET restrictions = '{"requestsPerMinute":5}' WHERE id = 'k1'`,
    insert("key_use", "key_id, state", `'k1', '{"spans":[],"running":{}}'`),
  ],
  ["UPDATE api_keys SET name = 'ci' WHERE id = 'k1'"],
  [insert("ended_sessions", "hash, until", `'hash-of-a-session', ${NOW}`)],
  [`UPDATE jobs SET course = '{"fallbacks":[]}' WHERE id = 'j-live'`],
  [
    insert(
      "leases",
      "id, owner, account_id, key_id, daily, weekly, monthly, amount, step, ending, key_revision, recall, created_at",
      `'l1', 'old/1/process/store', 'ada', 'k1', '${daily}', '${weekly}', '${monthly}', 9, 3, 0, 3, 0, ${NOW}`,
    ),
    insert(
      "generations",
      `${GENERATION}, lease, leased, batch`,
      ...["g-leased-1", "g-leased-2"].map(
        (id) =>
          `${generation(id, "'k1'", `'succeeded', ${PRICE}, '{"output":2}', NULL, 4, ${NOW}, 0`)}, 'l1', 5, 'batch:l1.1'`,
      ),
    ),
    insert("transfers", TRANSFER, `'batch:l1.1', 'ada', 'revenue', 8, 'charge', NULL, ${NOW}`),
    "UPDATE accounts SET balance = balance - 8, held = held + 9, recall = 2 WHERE id = 'ada'",
    "UPDATE key_spend SET spent = spent + 8, held = held + 9",
  ],
  [
    insert(
      "usage_hours",
      "account_id, hour, key_id, model, modality, status, pace, requests, cost, duration_ms, input, output, cache_read, reasoning, images, characters, millis",
      ...["'k1', 'succeeded', 5, 50, 1, 10", "'k1', 'failed', 2, 8, 0, 4", "'', 'aborted', 1, 3, 0, 0"].map(
        (one) => {
          const [key, status, requests, cost, input, output] = one.split(", ");
          return `'ada', ${NOW}, ${key}, 'swift-1', 'text', ${status}, -1, ${requests}, ${cost}, 0, ${input}, ${output}, 0, 0, 0, 0, 0`;
        },
      ),
    ),
  ],
  [
    insert(
      "hourly_usage",
      `account_id, hour, key_id, model, modality, status, requests, cost, duration_ms, input, output, cache_read, reasoning, images, characters, millis, ${PACES.join(", ")}`,
      ...["'k1', 'succeeded', 5, 50, 1, 10", "'k1', 'failed', 2, 8, 0, 4", "'', 'aborted', 1, 3, 0, 0"].map(
        (one) => {
          const [key, status, requests, cost, input, output] = one.split(", ");
          const rest = Array(5 + PACES.length).fill(0);
          return `'ada', ${NOW}, ${key}, 'swift-1', 'text', ${status}, ${requests}, ${cost}, 0, ${input}, ${output}, ${rest.join(", ")}`;
        },
      ),
    ),
  ],
  [
    `UPDATE generations SET tags = '{"team":"search"}', end_user = 'u-1' WHERE id = 'g-done'`,
    insert("hourly_tag_values", "account_id, hour, name, value", `'ada', ${NOW}, 'team', 'search'`),
    insert(
      "hourly_tags",
      `account_id, hour, name, value, key_id, model, modality, status, requests, cost, duration_ms, input, output, cache_read, reasoning, images, characters, millis, ${PACES.join(", ")}`,
      `'ada', ${NOW}, 'team', 'search', 'k1', 'swift-1', 'text', 'succeeded', 1, 6, 0, 1, 3, ${Array(
        5 + PACES.length,
      )
        .fill(0)
        .join(", ")}`,
    ),
  ],
  [`UPDATE issued_ids SET maker = '["p","1"]' WHERE hash = 'hash-of-an-id'`],
  [
    insert(
      "outbox",
      "id, type, data, created_at, is_open",
      `'evt_1', 'entry.circuit_opened', '{}', ${NOW}, 1`,
    ),
    `UPDATE generations SET route = '{"entry":"e-1"}' WHERE id = 'g-done'`,
  ],
  [
    "UPDATE generations SET surface = 'chatstyle' WHERE id = 'g-done'",
    insert(
      "hourly_sums",
      `account_id, hour, key_id, model, modality, status, surface, entry, requests, cost, duration_ms, input, output, cache_read, reasoning, images, characters, millis, ${PACES.join(", ")}`,
      ...[
        "'k1', 'succeeded', 'chatstyle', 'e-1', 1, 6, 1, 3",
        "'k1', 'succeeded', '', '', 4, 44, 0, 7",
        "'k1', 'failed', '', '', 2, 8, 0, 4",
        "'', 'aborted', '', '', 1, 3, 0, 0",
      ].map((one) => {
        const [key, status, surface, entry, requests, cost, input, output] = one.split(", ");
        const rest = Array(5 + PACES.length).fill(0);
        return `'ada', ${NOW}, ${key}, 'swift-1', 'text', ${status}, ${surface}, ${entry}, ${requests}, ${cost}, 0, ${input}, ${output}, ${rest.join(", ")}`;
      }),
    ),
    insert(
      "hourly_tag_sums",
      `account_id, hour, name, value, key_id, model, modality, status, surface, entry, requests, cost, duration_ms, input, output, cache_read, reasoning, images, characters, millis, ${PACES.join(", ")}`,
      `'ada', ${NOW}, 'team', 'search', 'k1', 'swift-1', 'text', 'succeeded', 'chatstyle', 'e-1', 1, 6, 0, 1, 3, ${Array(
        5 + PACES.length,
      )
        .fill(0)
        .join(", ")}`,
    ),
  ],
];

/** Of the statements of each released migration: databases that have it never see another in its place. */
export const RELEASED = {
  sqlite: [
    ...["30a704b7e829cacb", "99fbbf74e5b52d99", "fbf62259f5a2cc57", "c51f9dc82023935e"],
    ...["cf14db8eebe4c700", "e7a54cec84e5d8eb"],
  ],
  postgres: [
    ...["79e3fa9b3a1dbc95", "3e989281ce54f96c", "67476b04645c1661", "92191826806762f5"],
    ...["e482a03d83817258", "697981c4124eba85"],
  ],
};

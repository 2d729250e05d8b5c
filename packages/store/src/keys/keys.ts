import { sql } from "kysely";
import { type By, createRecorder, type Recorder } from "../audit-log.ts";
import { type Engine, Undo, type Work } from "../engine/engine.ts";
import { first, param, prepare, run } from "../engine/statement.ts";
import type { Alerts } from "../outbox/alerts.ts";
import { CAPS, type Caps, type CapsChange } from "../pricing/caps.ts";
import { createPlayground, type Playground, playgroundOf } from "./playground.ts";
import type { Restrictions, RestrictionsChange } from "./restrictions.ts";
import { type KeyColumns, type KeyRow, toColumns, toConfigured, toKey, toRow, toSealed } from "./rows.ts";
import type { Sealed } from "./secret.ts";

/** A key as its owner sees it. */
export interface Key {
  /** The id, by which it is named without its secret. */
  id: string;
  /** The account that is charged. */
  accountId: string;
  /** A name for people. */
  name: string;
  /** The key's first characters, by which people recognize it. */
  prefix: string;
  /** Whether it is accepted. */
  isActive: boolean;
  /** The caps, in micro-USD. */
  caps: Caps;
  /** What it may be used for; absent: everything. */
  restrictions?: Restrictions;
  /** Raised by every change of this key. */
  revision: number;
  /** When it was created. */
  createdAt: number;
  /** The time at which the key was revoked, which is final. */
  revokedAt?: number;
}

/** A key to add; `mintKey` makes its secret. */
export interface NewKey {
  /** The id, unique in the store. */
  id: string;
  /** The account that is charged. */
  accountId: string;
  /** A name for people. */
  name: string;
  /** The first characters of the secret, by which people recognize it. */
  prefix: string;
  /** The key's `lookupHash`. */
  hash: string;
  /** The encrypted secret, if its owner may reveal it later. */
  sealed?: Sealed;
  /** What it may spend, in micro-USD; absent: no cap. */
  caps?: Caps;
  /** The restrictions; for a stored key, a change of them. */
  restrictions?: RestrictionsChange;
  /** When it is added, in ms. */
  at: number;
  /** The actor for the audit log. Default: the service. */
  by?: By;
}

/** A change of a key; an absent member stays as it is. */
export interface KeyChange {
  name?: string;
  isActive?: boolean;
  caps?: CapsChange;
  restrictions?: RestrictionsChange;
}

/** A reference to a key of an account: another account's key is not found. */
export interface KeyRef {
  accountId: string;
  id: string;
}

export type Created = { ok: true; key: Key } | { ok: false; limit: number };

/** The key to be stored exists already under another id. */
export class KeyTaken extends Error {
  /** The stored key; it may be revoked. */
  readonly key: Key;
  constructor(key: Key) {
    super(`the key is stored as "${key.id}" of account "${key.accountId}"`);
    this.key = key;
  }
}

/** The callers' keys, with their caps and restrictions. */
export interface Keys extends Playground {
  /** Adds a key, unless the account has `limit` unrevoked ones. Throws `KeyTaken` like `ensure`. */
  create(key: NewKey, limit?: number): Promise<Created>;
  /**
   * Stores a configured key under its id, and creates it if it is missing. Given caps and restrictions replace stored
   * ones. Throws `KeyTaken` if the same key has another id, even a revoked one, to which its usage belongs.
   */
  ensure(key: NewKey): Promise<Key>;
  /** The unrevoked key with this hash. `isActive` is also false if the account is inactive. */
  find(hash: string): Promise<Key | undefined>;
  /** The account's key of this id, also a revoked one. */
  get(ref: KeyRef): Promise<Key | undefined>;
  /** The account's keys, revoked ones included, oldest first. */
  list(accountId: string): Promise<Key[]>;
  /** The encrypted key for `openKey`; absent for a revoked key, and for one stored without it. */
  sealed(ref: KeyRef): Promise<Sealed | undefined>;
  /** One encrypted key for each encryption secret, and the number of keys encrypted with it. */
  sealedSamples(): Promise<{ id: string; sealed: Sealed; count: number }[]>;
  /** Changes members of a key in one commit with one audit entry. False if it is revoked, or the account lacks it. */
  change(ref: KeyRef, change: KeyChange, by?: By): Promise<boolean>;
  /** Revokes a key for good and deletes its encrypted copy. False like `change`. */
  revoke(ref: KeyRef, at: number, by?: By): Promise<boolean>;
  /**
   * A number raised by every change of a key, and of an account's sign-in: data read at one revision is current until
   * the revision changes.
   */
  revision(): Promise<number>;
}

/** `changed` is called with the id of each changed key. */
export function createKeys(engine: Engine, alerts: Alerts, changed: (id: string) => void): Keys {
  const { db } = engine;
  const byHash = prepare<{ hash: string }, KeyRow & { account_active: number }>(
    db,
    db
      .selectFrom("api_keys as k")
      .innerJoin("accounts as a", "a.id", "k.account_id")
      .selectAll("k")
      .select("a.active as account_active")
      .where("k.lookup_hash", "=", param("hash"))
      .where("k.revoked_at", "is", null),
  );
  const revision = prepare<object, { value: number }>(
    db,
    db.selectFrom("revisions").select("value").where("subject", "=", "keys"),
  );
  /** The keys of an account, without its playground. */
  const keysOf = (accountId: string) =>
    db.selectFrom("api_keys").where("account_id", "=", accountId).where("id", "<>", playgroundOf(accountId));
  const select = ({ id, accountId }: KeyRef) => keysOf(accountId).selectAll().where("id", "=", id);
  const get = function* (ref: KeyRef): Work<Key | undefined> {
    const row = yield* first(run(select(ref)));
    return row && toKey(row);
  };
  const touch = () => raiseKeys(db);
  /** Waits for other processes that store keys, and throws if one stored this key. Raises the common revision. */
  const claim = function* ({ id, hash }: NewKey): Work<void> {
    yield* touch();
    const stored = db.selectFrom("api_keys").selectAll().where("lookup_hash", "=", hash);
    const same = yield* first(run(stored));
    if (same && same.id !== id) throw new KeyTaken(toKey(same));
  };
  const add = function* (key: NewKey, record: Recorder): Work<Key> {
    yield* claim(key);
    // Processes that start together create the same keys: all use the row of the first.
    const row = db.insertInto("api_keys").values(toRow(key));
    const added = yield* run(row.onConflict((on) => on.column("id").doNothing()).returning("id"));
    const made = yield* get(key);
    if (!made) throw new RangeError(`key "${key.id}" belongs to another account`);
    if (added.length > 0) yield* record({ ...subjectOf(made, "key_created"), after: shown(made) });
    return made;
  };
  const changeRow = async (
    ref: KeyRef,
    action: string,
    by: By | undefined,
    columns: (row: KeyRow) => KeyColumns,
  ) => {
    const recorder = createRecorder(engine, by);
    const isDone = await engine.write(function* () {
      const before = yield* first(run(select(ref).modifyEnd(engine.dialect.locks.exclusive)));
      if (!before) return false;
      const changed = yield* run(
        db
          .updateTable("api_keys")
          .set((row) => ({ ...columns(before), revision: row("revision", "+", 1) }))
          .where("id", "=", ref.id)
          .where("account_id", "=", ref.accountId)
          .where("revoked_at", "is", null)
          .returning("id"),
      );
      if (changed.length === 0) return false;
      yield* touch();
      const after = (yield* get(ref))!;
      yield* recorder()({ ...subjectOf(after, action), before: shown(toKey(before)), after: shown(after) });
      if (CAPS.some((cap) => toKey(before).caps[cap] !== after.caps[cap])) {
        const { accountId: account_id, id: key_id, caps } = after;
        yield* alerts.capped({ account: account_id, key: key_id }, caps, by?.at ?? Date.now());
      }
      return true;
    });
    changed(ref.id);
    return isDone;
  };

  return {
    ...createPlayground(engine),
    create(key, limit) {
      const recorder = createRecorder(engine, key.by ?? { actor: "service", at: key.at });
      return engine.write<Created>(function* () {
        // This write changes nothing but locks the row, so that simultaneous creations count each other.
        yield* run(db.updateTable("accounts").set({ id: key.accountId }).where("id", "=", key.accountId));
        const stored = yield* get(key);
        if (stored) return { ok: true, key: stored };
        const [count] = yield* run(
          keysOf(key.accountId).select(sql<number>`count(*)`.as("keys")).where("revoked_at", "is", null),
        );
        if (limit !== undefined && count!.keys >= limit) return new Undo({ ok: false, limit });
        return { ok: true, key: yield* add(key, recorder()) };
      });
    },
    async ensure(key) {
      const recorder = createRecorder(engine, key.by ?? { actor: "service", at: key.at });
      const ensured = await engine.write(function* () {
        const stored = yield* first(run(db.selectFrom("api_keys").selectAll().where("id", "=", key.id)));
        if (stored === undefined) return yield* add(key, recorder());
        if (stored.account_id !== key.accountId)
          throw new RangeError(`key "${key.id}" belongs to account "${stored.account_id}"`);
        const wanted = toConfigured(key, stored);
        if (Object.entries(wanted).every(([column, value]) => stored[column as keyof KeyRow] === value))
          return toKey(stored);
        const update = db.updateTable("api_keys").where("id", "=", key.id);
        const { lookup_hash, ...rest } = wanted;
        // Every change writes the key's row before the common one, which prevents deadlocks.
        yield* run(update.set((row) => ({ ...rest, revision: row("revision", "+", 1) })));
        yield* claim(key);
        yield* run(update.set({ lookup_hash }));
        const after = (yield* get(key))!;
        const isReplaced = lookup_hash !== stored.lookup_hash && { secret: "replaced" };
        yield* recorder()({
          ...subjectOf(after, "key_changed"),
          before: shown(toKey(stored)),
          after: { ...shown(after), ...isReplaced },
        });
        return after;
      });
      changed(key.id);
      return ensured;
    },
    find: (hash) =>
      engine.read(function* () {
        const row = yield* first(byHash({ hash }));
        return row && toKey({ ...row, active: row.active & row.account_active });
      }),
    get: (ref) => engine.read(() => get(ref)),
    list: (accountId) =>
      engine.read(function* () {
        const all = keysOf(accountId).selectAll();
        return (yield* run(all.orderBy("created_at").orderBy("id"))).map(toKey);
      }),
    sealed: (ref) =>
      engine.read(function* () {
        const row = yield* first(run(select(ref)));
        return row && toSealed(row);
      }),
    sealedSamples: () =>
      engine.read(function* () {
        const sealed = db.selectFrom("api_keys").where("sealed", "is not", null).groupBy("sealed_version");
        const samples = sealed.select([sql<string>`min(id)`.as("id"), sql<number>`count(*)`.as("count")]);
        const rows = yield* run(
          db
            .selectFrom("api_keys as k")
            .innerJoin(samples.as("s"), "s.id", "k.id")
            .select(["k.id", "k.sealed", "k.sealed_nonce", "k.sealed_version", "s.count"]),
        );
        return rows.map((row) => ({ id: row.id, sealed: toSealed(row)!, count: row.count }));
      }),
    change: (ref, change, by) => changeRow(ref, "key_changed", by, (row) => toColumns(change, row)),
    revoke: (ref, at, by = { actor: "service", at }) =>
      changeRow(ref, "key_revoked", by, () => ({
        active: 0,
        revoked_at: at,
        sealed: null,
        sealed_nonce: null,
        sealed_version: null,
      })),
    revision: () =>
      engine.read(function* () {
        const row = yield* first(revision({}));
        return row!.value;
      }),
  };
}

/** The references and the members of a key in the audit log. */
const subjectOf = ({ id, accountId }: Key, action: string) => ({ action, accountId, subject: id });
const shown = ({ name, prefix, isActive, caps, restrictions, revokedAt }: Key): object => ({
  name,
  prefix,
  isActive,
  ...caps,
  ...restrictions,
  ...(revokedAt !== undefined && { revokedAt }),
});

/** The work of raising the revision of all keys and sign-ins. */
export const raiseKeys = (db: Engine["db"]): Work<unknown[]> =>
  run(
    db
      .updateTable("revisions")
      .set((row) => ({ value: row("value", "+", 1) }))
      .where("subject", "=", "keys"),
  );

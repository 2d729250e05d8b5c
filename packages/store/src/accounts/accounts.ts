import { createHash } from "node:crypto";
import { sql } from "kysely";
import { type By, createRecorder } from "../audit-log.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { first, param, prepare, run } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import { raiseKeys } from "../keys/keys.ts";
import { toAmountFrom } from "../pricing/amount.ts";

/** Amounts are micro-USD, times are ms. */
export interface Account {
  /** The id, of the operator's choice. */
  id: string;
  /** A name for people. */
  name: string;
  /** Whether its keys and sessions are accepted. */
  isActive: boolean;
  /** Credit, before holds are subtracted. */
  balance: number;
  /** Credit held by reservations, and by leases for future ones. */
  held: number;
  /** When it was created. */
  createdAt: number;
  /** The name with which its people sign in, once it has a password. */
  login?: string;
  /** The time at which the password was set: earlier sessions are no longer valid. */
  passwordAt?: number;
  /** A value that changes with each new password: a session that contains it ends with that password. */
  passwordFingerprint?: string;
}

/** The stored facts that a sign-in is checked against. */
export interface Login {
  account: Account;
  passwordHash: string;
}

/** Credit given to an account or taken from it, in micro-USD. */
export interface Credit {
  /** The account whose balance changes. */
  accountId: string;
  /** The change: positive for credit. */
  amount: number;
  kind: "topup" | "writeoff";
  /** Names the movement: credit given twice under one reference is given once. */
  reference: string;
  /** When it moves, in ms. */
  at: number;
  /** The actor for the audit log. Default: the service. */
  by?: By;
}

/** The reference names earlier credit to another account, or of another kind or amount. */
export class ReferenceTaken extends RangeError {
  override readonly name = "ReferenceTaken";
}

/** The payers: accounts, their credit, and their sign-in. The audit log shows changes as done `by` an actor. */
export interface Accounts {
  /** Returns the account of this id, created without credit if it is missing; an existing one gets the name. */
  ensure(account: { id: string; name: string; at: number; by?: By }): Promise<Account>;
  /** The account of this id; `undefined` if there is none. */
  get(id: string): Promise<Account | undefined>;
  /** The names of the accounts of these ids, by id; those that do not exist have none. */
  names(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** A page of all accounts, active or not, oldest first, with their total number. */
  list(page: { offset: number; limit: number }): Promise<{ results: Account[]; total: number }>;
  /**
   * Changes the given members of an account, in one commit with one entry in the audit log. False if there is no such
   * account.
   */
  change(id: string, change: { name?: string; isActive?: boolean }, by?: By): Promise<boolean>;
  /**
   * Sets an account's login and password. `taken` if another account has the login, or if this should be the account's
   * `first` password but it already has one.
   */
  setPassword(password: {
    id: string;
    login: string;
    hash: string;
    at: number;
    first?: true;
    by?: By;
  }): Promise<"set" | "taken" | "missing">;
  /** The account of a login, active or not. */
  findLogin(login: string): Promise<Login | undefined>;
  /**
   * Moves credit from the house to the account; false if the same was done under the reference before. Throws
   * `RangeError` for an invalid amount, a missing account and a reference that `isReservedReference`, and
   * `ReferenceTaken` if the reference names a different movement.
   */
  credit(credit: Credit): Promise<boolean>;
}

/** The two sides of the ledger that are not accounts: the source of credit, and the target of charges. */
const HOUSE = "house";
export const REVENUE = "revenue";

/** True for references that the service uses for its own movements: credit under one would block a settlement. */
export const isReservedReference = (reference: string): boolean =>
  /^(batch|charge|correction|refund):/.test(reference);

/** `changed` is called with the id of an account that was activated or deactivated. */
export function createAccounts(engine: Engine, changed: (id: string) => void): Accounts {
  const { db } = engine;
  const select = prepare<{ id: string }, Tables["accounts"]>(
    db,
    db.selectFrom("accounts").selectAll().where("id", "=", param("id")),
  );
  const get = function* (id: string): Work<Account | undefined> {
    const row = yield* first(select({ id }));
    return row && toAccount(row);
  };
  /** The account, locked until this work has ended. */
  const locked = function* (id: string): Work<Account | undefined> {
    const row = yield* first(
      run(
        db.selectFrom("accounts").selectAll().where("id", "=", id).modifyEnd(engine.dialect.locks.exclusive),
      ),
    );
    return row && toAccount(row);
  };

  return {
    ensure({ id, name, at, by = { actor: "service", at } }) {
      const recorder = createRecorder(engine, by);
      return engine.write(function* () {
        if (id === HOUSE || id === REVENUE) throw new RangeError(`account id "${id}" is reserved`);
        const fresh = {
          active: 1,
          balance: 0,
          held: 0,
          login: null,
          password_hash: null,
          password_at: null,
          kept_bytes: 0,
          recall: 0,
        };
        const before = yield* get(id);
        const row = { ...fresh, id, name, created_at: at };
        yield* run(
          db
            .insertInto("accounts")
            .values(row)
            .onConflict((on) => on.column("id").doUpdateSet({ name })),
        );
        const action = before ? "account_changed" : "account_created";
        const old = before && { before: { name: before.name } };
        yield* recorder()({ action, accountId: id, ...old, after: { name } });
        return (yield* get(id))!;
      });
    },
    get: (id) => engine.read(() => get(id)),
    names: (ids) =>
      engine.read(function* () {
        if (ids.length === 0) return new Map();
        const rows = yield* run(db.selectFrom("accounts").select(["id", "name"]).where("id", "in", ids));
        return new Map(rows.map(({ id, name }) => [id, name]));
      }),
    list: ({ offset, limit }) =>
      engine.report(function* () {
        const rows = yield* run(
          db
            .selectFrom("accounts")
            .selectAll()
            .orderBy("created_at")
            .orderBy("id")
            .offset(offset)
            .limit(limit),
        );
        const [count] = yield* run(db.selectFrom("accounts").select(sql<number>`count(*)`.as("total")));
        return { results: rows.map(toAccount), total: count!.total };
      }),
    async change(id, change, by) {
      const recorder = createRecorder(engine, by);
      const { name, isActive } = change;
      const isDone = await engine.write(function* () {
        const before = yield* locked(id);
        if (!before) return false;
        const active = (isActive ?? before.isActive) ? 1 : 0;
        yield* run(
          db
            .updateTable("accounts")
            .set({ name: name ?? before.name, active })
            .where("id", "=", id),
        );
        if (isActive !== undefined) yield* raiseKeys(db);
        const shown = (of: Account) => ({ name: of.name, isActive: of.isActive });
        const after = (yield* get(id))!;
        yield* recorder()({
          action: "account_changed",
          accountId: id,
          before: shown(before),
          after: shown(after),
        });
        return true;
      });
      if (isActive !== undefined) changed(id);
      return isDone;
    },
    setPassword({ id, login, hash, at, first: isFirst, by = { actor: "service", at } }) {
      const recorder = createRecorder(engine, by);
      return engine.write(function* () {
        const before = yield* locked(id);
        const [other] = yield* run(db.selectFrom("accounts").select("id").where("login", "=", login));
        if (other !== undefined && other.id !== id) return "taken";
        const columns = { login, password_hash: hash, password_at: at };
        const changed = db.updateTable("accounts").set(columns).where("id", "=", id).returning("id");
        const done = yield* run(isFirst ? changed.where("login", "is", null) : changed);
        if (done.length === 0) return isFirst && (yield* get(id)) ? "taken" : "missing";
        yield* raiseKeys(db);
        const old = { login: before?.login, passwordAt: before?.passwordAt };
        const after = { login, passwordAt: at };
        yield* recorder()({ action: "password_set", accountId: id, before: old, after });
        return "set";
      });
    },
    findLogin: (login) =>
      engine.read(function* () {
        const [row] = yield* run(db.selectFrom("accounts").selectAll().where("login", "=", login));
        return row?.password_hash ? { account: toAccount(row), passwordHash: row.password_hash } : undefined;
      }),
    credit({ accountId, amount, kind, reference, at, by = { actor: "service", at } }) {
      const recorder = createRecorder(engine, by);
      return engine.write(function* () {
        toAmountFrom(1, amount, "amount");
        if (isReservedReference(reference)) throw new RangeError(`reference "${reference}" is reserved`);
        const moved = yield* run(
          db
            .insertInto("transfers")
            .values({
              id: reference,
              debit_account: HOUSE,
              credit_account: accountId,
              amount,
              kind,
              generation_id: null,
              created_at: at,
            })
            .onConflict((on) => on.column("id").doNothing())
            .returning("id"),
        );
        if (moved.length === 0) {
          const [same] = yield* run(
            db
              .selectFrom("transfers")
              .select("id")
              .where("id", "=", reference)
              .where("credit_account", "=", accountId)
              .where("amount", "=", amount)
              .where("kind", "=", kind),
          );
          if (same) return false;
          throw new ReferenceTaken(`reference "${reference}" names another movement of credit`);
        }
        const credited = yield* run(
          db
            .updateTable("accounts")
            .set((row) => ({ balance: row("balance", "+", amount) }))
            .where("id", "=", accountId)
            .returning("balance"),
        );
        const [account] = credited;
        if (!account) throw new RangeError(`there is no account "${accountId}"`);
        const { balance } = account;
        const before = { balance: balance - amount };
        const after = { balance, amount, kind };
        yield* recorder()({ action: "account_credited", accountId, subject: reference, before, after });
        return true;
      });
    },
  };
}

const toAccount = (row: Tables["accounts"]): Account => ({
  id: row.id,
  name: row.name,
  isActive: row.active === 1,
  balance: row.balance,
  held: row.held,
  createdAt: row.created_at,
  ...(row.login !== null && { login: row.login }),
  ...(row.password_at !== null && { passwordAt: row.password_at }),
  ...(row.password_hash !== null && { passwordFingerprint: fingerprintOf(row.password_hash) }),
});

/** A fingerprint of a password's hash. The salt makes it differ even for the same password. */
const fingerprintOf = (hash: string): string =>
  createHash("sha256").update(hash).digest("base64url").slice(0, 22);

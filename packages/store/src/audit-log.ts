import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { deleteRows } from "./engine/delete-rows.ts";
import type { Engine, Work } from "./engine/engine.ts";
import { idAt } from "./engine/id-time.ts";
import { type JsonObject, toCanonical } from "./engine/json-columns.ts";
import { run } from "./engine/statement.ts";
import type { Tables } from "./engine/tables.ts";

/** The actor of a change, and the request that made it. */
export interface By {
  /** `operator:NAME`, `account:ID` of a session, `command:USER`, `configuration` or `service`. */
  actor: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** The id of the request; absent if none made the change. */
  request?: string;
  /** The IP address of the client; absent without a request. */
  address?: string;
}

/** An action and its object. */
export interface Act {
  /** The kind of change: `account_credited`, `key_created`, … */
  action: string;
  /** The account that was changed; absent for what belongs to none, such as the catalog. */
  accountId?: string;
  /** The id of the key, model, movement or section; the login of a refused sign-in. */
  subject?: string;
  /** The members that changed, with their old and new values. Never a secret. */
  before?: object;
  /** The new values: see `before`. */
  after?: object;
}

/** A logged change: what was done, by which actor, at which time. */
export interface AuditEntry extends Act, By {
  /** The id; ids of later changes sort after those of earlier ones. */
  id: string;
}

/** Conditions on entries, which must meet all of them; an absent member allows any. */
export interface AuditFilter {
  /** The account that was changed. */
  accountId?: string;
  /** The actor, as in `By.actor`: `operator:NAME`. */
  actor?: string;
  /** The kinds of change, as in `Act.action`: `key_created`. */
  actions?: readonly string[];
  /** The id of what was changed, as in `Act.subject`. */
  subject?: string;
  /** The first moment of the range, in ms. */
  from?: number;
  /** The end of the range, itself not included, in ms. */
  to?: number;
}

/** The log of changes and their actors. An entry is written in the same commit as its change. */
export interface AuditLog {
  /** Adds an act that changes nothing in the store. */
  add(by: By, act: Act): Promise<void>;
  /** Lists entries, newest first, with their total number. */
  list(
    filter: AuditFilter,
    page: { offset: number; limit: number },
  ): Promise<{ results: AuditEntry[]; total: number }>;
  /** Deletes refusals from before `at`. */
  expire(at: number): Promise<void>;
}

/** Adds acts to the log, within the work that does them. All acts of one commit have the same `by`. */
export type Recorder = (act: Act) => Work<void>;

/**
 * Creates the recorder of one write. Call it outside the work, so that work done twice is recorded once. An act that
 * changed nothing is not recorded.
 */
export function createRecorder({ db }: Pick<Engine, "db">, by: By | undefined): () => Recorder {
  const { actor, at, request = null, address = null } = by ?? { actor: "service", at: Date.now() };
  const id = idAt(at) + randomBytes(10).toString("hex");
  return () => {
    let count = 0;
    return function* ({ action, accountId = null, subject = null, before, after }) {
      if (before && after && toCanonical(before) === toCanonical(after)) return;
      const changes = before && after ? difference(before, after) : { before, after };
      yield* run(
        db
          .insertInto("audit_log")
          .values({
            id: `${id}.${count++}`,
            created_at: at,
            actor,
            action,
            account_id: accountId,
            subject,
            before: changes.before ? JSON.stringify(changes.before) : null,
            after: changes.after ? JSON.stringify(changes.after) : null,
            request,
            address,
          })
          .onConflict((on) => on.column("id").doNothing()),
      );
    };
  };
}

/** The members that differ between two records. */
function difference(before: object, after: object): { before: object; after: object } {
  const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const text = (value: unknown): string => (value === undefined ? "" : toCanonical({ value }));
  const names = Object.keys({ ...old, ...now }).filter((name) => text(old[name]) !== text(now[name]));
  const pick = (record: Record<string, unknown>): object =>
    Object.fromEntries(names.flatMap((name) => (name in record ? [[name, record[name]]] : [])));
  return { before: pick(old), after: pick(now) };
}

export function createAuditLog(engine: Engine): AuditLog {
  const { db } = engine;
  return {
    add(by, act) {
      const recorder = createRecorder(engine, by);
      return engine.write(() => recorder()(act));
    },
    list: (filter, { offset, limit }) =>
      engine.report(function* () {
        let chosen = db.selectFrom("audit_log");
        const { accountId, actor, actions, subject, from, to } = filter;
        if (accountId !== undefined) chosen = chosen.where("account_id", "=", accountId);
        if (actor !== undefined) chosen = chosen.where("actor", "=", actor);
        if (actions !== undefined) chosen = chosen.where("action", "in", actions);
        if (subject !== undefined) chosen = chosen.where("subject", "=", subject);
        if (from !== undefined) chosen = chosen.where("created_at", ">=", from);
        if (to !== undefined) chosen = chosen.where("created_at", "<", to);
        const page = chosen.selectAll().orderBy("created_at", "desc").orderBy("id", "desc");
        const rows = yield* run(page.offset(offset).limit(limit));
        const [count] = yield* run(chosen.select(sql<number>`count(*)`.as("total")));
        return { results: rows.map(toEntry), total: count!.total };
      }),
    expire: (at) =>
      deleteRows(engine, {
        table: "audit_log",
        key: ["id"],
        where: sql`created_at < ${at} AND action LIKE '%_refused'`,
      }),
  };
}

const toEntry = (row: Tables["audit_log"]): AuditEntry => ({
  id: row.id,
  at: row.created_at,
  actor: row.actor,
  action: row.action,
  ...(row.account_id !== null && { accountId: row.account_id }),
  ...(row.subject !== null && { subject: row.subject }),
  ...(row.before !== null && { before: JSON.parse(row.before) as JsonObject }),
  ...(row.after !== null && { after: JSON.parse(row.after) as JsonObject }),
  ...(row.request !== null && { request: row.request }),
  ...(row.address !== null && { address: row.address }),
});

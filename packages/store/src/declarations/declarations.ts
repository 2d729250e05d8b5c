import { sql } from "kysely";
import { type By, createRecorder } from "../audit-log.ts";
import { lockCatalog, type ModelContent, raiseCatalog, writeModels } from "../catalog.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { type JsonObject, toCanonical } from "../engine/json-columns.ts";
import { run } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";

/** A member of a section of the configuration that is stored beside the file, or its removal. */
export interface Declaration {
  /** The section of the configuration, such as `providers`. */
  section: string;
  /** The name in the section. */
  name: string;
  /** The member, in the form of the file and without its credentials. Absent: it was removed. */
  value?: JsonObject;
  /** The encrypted credentials, which only the host can read. */
  sealed?: string;
  /** The number of the change, unique among those of all names. */
  revision: number;
  /** The time of the change, in ms. */
  at: number;
}

/** Changes of declarations that are made together. */
export interface DeclarationChange {
  /** The last revision that was read. If there is a later one, nothing is changed. */
  after: number;
  /** The new members; one without a `value` is removed. */
  declarations: readonly Pick<Declaration, "section" | "name" | "value" | "sealed">[];
  /** The models of the catalog that differ because of it. */
  models: readonly ModelContent[];
  /** Who makes the change, and when. */
  by: By;
}

/** The parts of the configuration that are stored beside its file. */
export interface Declarations {
  /** The declarations in force, by section and name. */
  list(): Promise<Declaration[]>;
  /** All changes of the name that a change was of, oldest first. Empty if there is no such change. */
  historyOf(revision: number): Promise<Declaration[]>;
  /** The last revision: 0 if nothing was ever declared. */
  revision(): Promise<number>;
  /**
   * Stores changes together with the models that they make, for all processes. False if a later change than `after`
   * was made meanwhile.
   */
  change(change: DeclarationChange): Promise<boolean>;
}

/** Creates the declarations of a store. */
export function createDeclarations(engine: Engine): Declarations {
  const { db } = engine;
  const inForce = db
    .selectFrom("declarations")
    .select(({ fn }) => fn.max("revision").as("revision"))
    .groupBy(["section", "name"]);
  const last = function* (): Work<number> {
    const rows = yield* run(
      db.selectFrom("declarations").select(sql<number>`coalesce(max(revision), 0)`.as("last")),
    );
    return rows[0]!.last;
  };
  return {
    list: () =>
      engine.read(function* () {
        const rows = db.selectFrom("declarations").selectAll().where("revision", "in", inForce);
        const found = yield* run(rows.where("value", "is not", null).orderBy("section").orderBy("name"));
        return found.map(toDeclaration);
      }),
    historyOf: (revision) =>
      engine.read(function* () {
        const all = db.selectFrom("declarations").selectAll();
        const [change] = yield* run(all.where("revision", "=", revision));
        if (!change) return [];
        const rows = all.where("section", "=", change.section).where("name", "=", change.name);
        return (yield* run(rows.orderBy("revision"))).map(toDeclaration);
      }),
    revision: () => engine.read(last),
    change({ after, declarations, models, by }) {
      const recorder = createRecorder(engine, by);
      return engine.write(function* () {
        const record = recorder();
        yield* lockCatalog(db);
        let revision = yield* last();
        if (revision !== after) return false;
        for (const { section, name, value, sealed } of declarations) {
          const [before] = yield* run(
            db
              .selectFrom("declarations")
              .selectAll()
              .where("section", "=", section)
              .where("name", "=", name)
              .orderBy("revision", "desc")
              .limit(1),
          );
          revision += 1;
          yield* run(
            db.insertInto("declarations").values({
              ...{ revision, section, name },
              value: value ? toCanonical(value) : null,
              sealed: sealed ?? null,
              created_at: by.at,
            }),
          );
          const was = before && toDeclaration(before);
          yield* record({
            action: !value
              ? "declaration_removed"
              : was?.value
                ? "declaration_changed"
                : "declaration_created",
            subject: `${section}.${name}`,
            ...(was?.value && { before: { ...was.value, revision: was.revision } }),
            after: { ...value, revision },
          });
        }
        yield* writeModels(db, record, models, by.at, false);
        yield* raiseCatalog(db);
        return true;
      });
    },
  };
}

const toDeclaration = (row: Tables["declarations"]): Declaration => ({
  section: row.section,
  name: row.name,
  ...(row.value !== null && { value: JSON.parse(row.value) as JsonObject }),
  ...(row.sealed !== null && { sealed: row.sealed }),
  revision: row.revision,
  at: row.created_at,
});

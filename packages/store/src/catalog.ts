import { type By, createRecorder, type Recorder } from "./audit-log.ts";
import type { Engine, Work } from "./engine/engine.ts";
import { toCanonical } from "./engine/json-columns.ts";
import { run } from "./engine/statement.ts";

/**
 * A configured model: the host's JSON. The store reads these two members and keeps all others unchanged.
 */
export interface ModelContent {
  id: string;
  isActive: boolean;
}

/** A stored model: its content, and when it changed. */
export type StoredModel<Content extends ModelContent = ModelContent> = Content & {
  /** 1 at first, raised by every change of the content. */
  revision: number;
  /** Times in ms. */
  createdAt: number;
  updatedAt: number;
};

/** The configured models, and when each changed. */
export interface Catalog {
  /** Stores these models and makes all others inactive. Resolves to the ids of changed models. */
  replace(models: readonly ModelContent[], at: number, by?: By): Promise<string[]>;
  /** Stores these models and leaves the others as they are. */
  upsert(models: readonly ModelContent[], at: number, by?: By): Promise<string[]>;
  /** All models, inactive ones included, by id. `Content` is what `replace` and `upsert` were given. */
  list<Content extends ModelContent>(): Promise<StoredModel<Content>[]>;
  /** A number raised whenever any model changes. */
  revision(): Promise<number>;
}

export function createCatalog(engine: Engine): Catalog {
  const { db } = engine;

  const list = function* <Content extends ModelContent>(): Work<StoredModel<Content>[]> {
    const rows = yield* run(db.selectFrom("models").selectAll().orderBy("id"));
    return rows.map((row) => ({
      ...(JSON.parse(row.content) as Content),
      revision: row.revision,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }));
  };

  const store = (
    models: readonly ModelContent[],
    at: number,
    isWhole: boolean,
    by: By = { actor: "service", at },
  ) => {
    const recorder = createRecorder(engine, by);
    return engine.write(function* () {
      yield* lockCatalog(db);
      const changed = yield* writeModels(db, recorder(), models, at, isWhole);
      if (changed.length > 0) yield* raiseCatalog(db);
      return changed;
    });
  };

  return {
    replace: (models, at, by) => store(models, at, true, by),
    upsert: (models, at, by) => store(models, at, false, by),
    list: <Content extends ModelContent>() => engine.read(list<Content>),
    revision: () =>
      engine.read(function* () {
        const rows = yield* run(db.selectFrom("revisions").select("value").where("subject", "=", "catalog"));
        return rows[0]!.value;
      }),
  };
}

type Database = Engine["db"];

/** Locks the catalog by a write that changes nothing: processes that start together store their models in turn. */
export const lockCatalog = (db: Database): Work<unknown> =>
  run(db.updateTable("revisions").set({ subject: "catalog" }).where("subject", "=", "catalog"));

/** Raises the number by which processes notice a change. */
export const raiseCatalog = (db: Database): Work<unknown> =>
  run(
    db
      .updateTable("revisions")
      .set((row) => ({ value: row("value", "+", 1) }))
      .where("subject", "=", "catalog"),
  );

/** Writes the models that differ from the stored ones, within the work of a change. Returns their ids. */
export function* writeModels(
  db: Database,
  record: Recorder,
  models: readonly ModelContent[],
  at: number,
  isWhole: boolean,
): Work<string[]> {
  const stored = new Map(
    (yield* run(db.selectFrom("models").selectAll())).map((row) => [row.id, row] as const),
  );
  const wanted = new Map(models.map((model) => [model.id, model] as const));
  if (isWhole)
    for (const { id, content } of stored.values())
      if (!wanted.has(id)) wanted.set(id, { ...(JSON.parse(content) as ModelContent), isActive: false });

  const changed: string[] = [];
  for (const [id, model] of wanted) {
    const content = toCanonical(model);
    const before = stored.get(id);
    if (before?.content === content) continue;
    changed.push(id);
    const columns = { revision: (before?.revision ?? 0) + 1, content, updated_at: at };
    yield* before
      ? run(db.updateTable("models").set(columns).where("id", "=", id))
      : run(db.insertInto("models").values({ ...columns, id, created_at: at }));
    yield* record({
      action: before ? "model_changed" : "model_created",
      subject: id,
      ...(before && { before: JSON.parse(before.content) as object }),
      after: model,
    });
  }
  return changed;
}

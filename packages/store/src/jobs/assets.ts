import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import { first, param, prepare, run } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import { prepareExpire } from "./expire.ts";

/** `output`: an archived result. `identity`: an upload in which the provider checks the people. */
export type AssetKind = "output" | "identity";
/** `processing` until its file is stored, and registered if it has to be; then `active` or `failed`. */
export type AssetState = "processing" | "active" | "failed";

/** A stored file with an id that requests can name. Times are ms. */
export interface Asset {
  /** The id by which requests and routes name it. */
  id: string;
  /** The account that it belongs to. */
  accountId: string;
  /** Where it is from. */
  kind: AssetKind;
  /** The kind of file, which decides where requests may name it. */
  type: "Image" | "Video" | "Audio";
  /** The caller's name of an upload; outputs have none. */
  name?: string;
  /** Whether it can be used. */
  state: AssetState;
  /** The object key of its bytes; absent until they are stored, and once they are deleted. */
  key?: string;
  /** The media type of its bytes, such as `image/png`; absent until they are stored. */
  mediaType?: string;
  /** The size in bytes, if it is known. */
  size?: number;
  /** The duration in ms, if it has one and it is known. */
  millis?: number;
  /** The provider that has registered it; absent if none has. */
  provider?: string;
  /** Its id at that provider. */
  registered?: string;
  /** The reason for its failure, for programs. */
  errorCode?: string;
  /** The reason for its failure, for people. */
  errorMessage?: string;
  /** The time at which its file expired. */
  expiredAt?: number;
  /** The job that made it. */
  jobId: string;
  /** When its record was created. */
  createdAt: number;
  /** When its state or its file last changed. */
  updatedAt: number;
}

/** The stored assets. Jobs create and change them in their own commits. */
export interface StoredAssets {
  /** The account's asset of this id; another account's is not found. */
  get(ref: { id: string; accountId: string }): Promise<Asset | undefined>;
  /** Lists assets that have not expired, newest first. */
  list(
    filter: { accountId: string; kind?: AssetKind },
    page: { offset: number; limit: number },
  ): Promise<{ results: Asset[]; total: number }>;
  /** The provider's id of the group for the account's assets. */
  group(ref: { accountId: string; provider: string }): Promise<string | undefined>;
  /** Stores a group's id unless there is one already; resolves to the stored one. */
  keepGroup(ref: { accountId: string; provider: string }, group: string): Promise<string>;
  /**
   * Marks at most `most` assets made before `before` (ms) as expired, but none that work needs at `at` (ms). Resolves
   * to expired assets whose files may still exist: to be called again until there are none.
   */
  expire(terms: { before: number; at: number; most: number }): Promise<{ id: string; key: string }[]>;
  /**
   * Marks these assets of an account as expired, but none that work needs at `at` (ms). Resolves to those of them that
   * are expired and whose files may still exist.
   */
  expireAll(
    ids: readonly string[],
    terms: { accountId: string; at: number },
  ): Promise<{ id: string; key: string }[]>;
  /** Records that the files of expired assets are deleted. */
  forget(ids: readonly string[]): Promise<void>;
  /** Those of these assets whose files have expired. */
  expired(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The object keys of these assets. */
  keys(ids: readonly string[]): Promise<string[]>;
}

type AssetRow = Tables["assets"];

/** The work of writing an asset: it is created, or all members except those fixed at creation are replaced. */
export function preparePutAsset({ db }: Engine): (asset: Asset) => Work<unknown> {
  const put = prepare<object>(
    db,
    sql`INSERT INTO assets (id, account_id, kind, type, name, state, object_key, media_type, size, millis, provider,
        registered, error_code, error_message, job_id, created_at, updated_at)
      VALUES (${sql.join(
        [
          ...["id", "accountId", "kind", "type", "name", "state", "key", "mediaType", "size", "millis"],
          ...["provider", "registered", "errorCode", "errorMessage", "jobId", "createdAt", "updatedAt"],
        ].map((name) => sql`${param(name)}`),
      )})
      ON CONFLICT (id) DO UPDATE SET state = excluded.state, object_key = excluded.object_key,
        media_type = excluded.media_type, size = excluded.size, millis = excluded.millis,
        provider = excluded.provider, registered = excluded.registered, error_code = excluded.error_code,
        error_message = excluded.error_message, updated_at = excluded.updated_at
      WHERE assets.account_id = excluded.account_id AND assets.job_id = excluded.job_id`,
  );
  const none = { name: null, key: null, mediaType: null, size: null, millis: null, provider: null };
  return (asset) => put({ ...none, registered: null, errorCode: null, errorMessage: null, ...asset });
}

export function createStoredAssets(engine: Engine): StoredAssets {
  const { db } = engine;
  const select = prepare<{ id: string; accountId: string }, AssetRow>(
    db,
    sql`SELECT * FROM assets WHERE id = ${param("id")} AND account_id = ${param("accountId")}`,
  );
  const groupOf = prepare<{ accountId: string; provider: string }, { group_id: string }>(
    db,
    sql`SELECT group_id FROM asset_groups WHERE account_id = ${param("accountId")}
      AND provider = ${param("provider")}`,
  );
  return {
    ...prepareExpire(engine),
    get: (ref) =>
      engine.read(function* () {
        const row = yield* first(select(ref));
        return row && toAsset(row);
      }),
    list: ({ accountId, kind }, { offset, limit }) =>
      engine.report(function* () {
        let chosen = db
          .selectFrom("assets")
          .where("account_id", "=", accountId)
          .where("expired_at", "is", null);
        if (kind !== undefined) chosen = chosen.where("kind", "=", kind);
        const page = chosen.selectAll().orderBy("created_at", "desc").orderBy("id", "desc");
        const rows = yield* run(page.offset(offset).limit(limit));
        const [count] = yield* run(chosen.select(sql<number>`count(*)`.as("total")));
        return { results: rows.map(toAsset), total: count!.total };
      }),
    group: (ref) =>
      engine.read(function* () {
        return (yield* first(groupOf(ref)))?.group_id;
      }),
    keepGroup: (ref, group) =>
      engine.write(function* () {
        const row = { account_id: ref.accountId, provider: ref.provider, group_id: group };
        yield* run(
          db
            .insertInto("asset_groups")
            .values(row)
            .onConflict((on) => on.columns(["account_id", "provider"]).doNothing()),
        );
        return (yield* first(groupOf(ref)))?.group_id ?? group;
      }),
  };
}

function toAsset(row: AssetRow): Asset {
  const optional = {
    name: row.name,
    key: row.object_key,
    mediaType: row.media_type,
    size: row.size,
    millis: row.millis,
    provider: row.provider,
    registered: row.registered,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    expiredAt: row.expired_at,
  };
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind as AssetKind,
    type: row.type as Asset["type"],
    state: row.state as AssetState,
    jobId: row.job_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null)),
  };
}

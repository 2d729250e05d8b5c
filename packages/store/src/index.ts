export {
  type Account,
  type Accounts,
  type Credit,
  isReservedReference,
  type Login,
  ReferenceTaken,
} from "./accounts/accounts.ts";
export type { Ledger, Movement } from "./accounts/ledger.ts";
export type { AttemptPolicy, Attempts } from "./accounts/sign-in-attempts.ts";
export type { Act, AuditEntry, AuditFilter, AuditLog, By } from "./audit-log.ts";
export type { Catalog, ModelContent, StoredModel } from "./catalog.ts";
export type { JsonObject } from "./engine/json-columns.ts";
export type { StoreLog } from "./engine/log.ts";
export type { PostgresOptions } from "./engine/postgres.ts";
export { tighten } from "./engine/private.ts";
export type { SqliteOptions } from "./engine/sqlite.ts";
export { backupSqlite } from "./engine/sqlite-backup.ts";
export { StoreUnavailable } from "./engine/unavailable.ts";
export type { Asset, AssetKind, AssetState, StoredAssets } from "./jobs/assets.ts";
export type { Begun, ExtraWrites } from "./jobs/begin.ts";
export type { Job, JobEntry, JobError, JobKind, JobPhase, JobState, NewJob } from "./jobs/job.ts";
export type { JobEnd, JobNote, JobRef, StoredJobs } from "./jobs/jobs.ts";
export type { JobMove, Moved } from "./jobs/move.ts";
export type { KeyRates, RatedRequest } from "./keys/key-rates.ts";
export { type Created, type Key, type KeyRef, type Keys, KeyTaken, type NewKey } from "./keys/keys.ts";
export { playgroundOf } from "./keys/playground.ts";
export type { Entered, RateLeft, Rates, RatesLeft } from "./keys/recent-use.ts";
export type { Restrictions, RestrictionsChange } from "./keys/restrictions.ts";
export {
  couldBeKey,
  isKey,
  lookupHash,
  mintKey,
  openKey,
  prefixOf,
  type Sealed,
  sealKey,
} from "./keys/secret.ts";
export { type DatabaseState, inspectDatabase } from "./migrations/inspect-database.ts";
export { MigrationError } from "./migrations/migration.ts";
export type { Difference } from "./money/audit.ts";
export type { CapStatus, Ended, Ending, Money, Reservation, Reserved } from "./money/money.ts";
export * from "./objects/index.ts";
export type { AlertOptions } from "./outbox/alerts.ts";
export type { NewEvent, OutboxEvent } from "./outbox/event.ts";
export type { Delivery, Outbox } from "./outbox/outbox.ts";
export { openPostgres } from "./postgres.ts";
export { toMicro, toUsd } from "./pricing/amount.ts";
export { type Windows, windowEnd, windowsOf } from "./pricing/cap-windows.ts";
export { CAPS, type Cap, type Caps, type CapsChange } from "./pricing/caps.ts";
export {
  type CostLine,
  CostTooLarge,
  type Counts,
  costLines,
  costOf,
  dollarOf,
  type Price,
  UNITS,
  type Unit,
  unitTerms,
} from "./pricing/cost.ts";
export type { KeptAnswer, Repeatable, Repeated, RepeatRef, Repeats } from "./requests/idempotency-keys.ts";
export type { IssuedIds } from "./requests/issued-ids.ts";
export { defaultRecords, KEPT_OF_REQUESTS, type RecordOptions } from "./requests/record-options.ts";
export type { Texts } from "./requests/request-texts.ts";
export { openSqlite } from "./sqlite.ts";
export type { Store, StoreOptions } from "./store.ts";
export {
  type Generation,
  type GenerationFilter,
  type Generations,
  MODALITIES,
  type Modality,
  OUTCOMES,
  type Outcome,
  type Tags,
} from "./usage/generations.ts";
export {
  BUCKETS,
  type Bucket,
  bucketOf,
  quantile,
  type SeriesFilter,
  SPLITS,
  type Split,
  sumOf,
  type Usage,
  type UsagePoint,
  type UsageSums,
} from "./usage/series.ts";

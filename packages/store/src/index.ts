export {
  CostTooLarge,
  type Counts,
  costLines,
  costOf,
  dollarOf,
  type Price,
  UNITS,
  type Unit,
  unitTerms,
} from "@manifold-gateway/core/pricing";

export { type Account, type Accounts, isReservedReference, ReferenceTaken } from "./accounts/accounts.ts";
export type { Movement } from "./accounts/ledger.ts";
export type { AttemptPolicy } from "./accounts/sign-in-attempts.ts";
export type { Archive, ArchiveTerms } from "./archive/archive.ts";
export type { Bill, BillLine } from "./archive/bill.ts";
export { ArchiveError } from "./archive/error.ts";
export type { ArchivedMonth } from "./archive/months.ts";
export type { AuditEntry, AuditFilter, By } from "./audit-log.ts";
export type {
  Batch,
  BatchOutcome,
  BatchRef,
  BatchState,
  LineCounts,
  LineOutcome,
  NewBatch,
} from "./batches/batch.ts";
export type { BatchEnd, BatchFilter, StoredBatches } from "./batches/batches.ts";
export type { StoredFile } from "./batches/file.ts";
export type { StoredFiles } from "./batches/files.ts";
export type { LineEnd } from "./batches/line-money.ts";
export type {
  BatchLine,
  BatchLines,
  EndedLine,
  EndedPage,
  LineHeld,
  LineUpstream,
  NewLine,
  SentLine,
} from "./batches/lines.ts";
export type { UpstreamBatch, UpstreamBatches, UpstreamChange } from "./batches/upstream-batches.ts";
export type { Declaration, DeclarationChange, Declarations } from "./declarations/declarations.ts";
export type { Reader } from "./engine/engine.ts";
export { type ErrorFields, errorFields } from "./engine/error-fields.ts";
export { inspectReader, type ReaderState } from "./engine/inspect-reader.ts";
export type { StoreLog } from "./engine/log.ts";
export type { PostgresOptions } from "./engine/postgres.ts";
export { problemOfPostgres } from "./engine/postgres-address.ts";
export { tighten } from "./engine/private.ts";
export type { ReaderOptions } from "./engine/replica.ts";
export type { SqliteOptions } from "./engine/sqlite.ts";
export { backupSqlite } from "./engine/sqlite-backup.ts";
export { systemWords } from "./engine/system-words.ts";
export { StoreUnavailable, StoreUnsuitable } from "./engine/unavailable.ts";
export type { Asset, AssetKind } from "./jobs/assets.ts";
export type { Begun, ExtraWrites } from "./jobs/begin.ts";
export type { Job, JobEntry, JobError, JobKind, JobState, NewJob } from "./jobs/job.ts";
export type { JobEnd, JobFilter } from "./jobs/jobs.ts";
export { addCaller, type CallerOptions } from "./keys/add-caller.ts";
export type { RatedRequest } from "./keys/key-rates.ts";
export { type Key, type KeyRef, type Keys, KeyTaken, type NewKey } from "./keys/keys.ts";
export type { KeyUses, LastUse } from "./keys/last-use.ts";
export { playgroundOf } from "./keys/playground.ts";
export type { Entered, RateLeft, Rates, RatesLeft } from "./keys/recent-use.ts";
export type { Restrictions, RestrictionsChange } from "./keys/restrictions.ts";
export type { Resealed, Resealing, Seals } from "./keys/seals.ts";
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
export type { CapStatus, Money, Reservation, Reserved } from "./money/money.ts";
export { type MovedTable, moveToPostgres } from "./move.ts";
export {
  type BucketOptions,
  createLinks,
  type DiskOptions,
  LINK_LIFE,
  type Links,
  type ObjectAnswer,
  ObjectFault,
  type Objects,
  openBucket,
  openDisk,
  serveLink,
  serveObject,
} from "./objects/index.ts";
export type { AlertOptions } from "./outbox/alerts.ts";
export type { NewEvent, OutboxEvent } from "./outbox/event.ts";
export type { Delivery } from "./outbox/outbox.ts";
export { openPostgres } from "./postgres.ts";
export { toMicro, toUsd } from "./pricing/amount.ts";
export { windowEnd, windowsOf } from "./pricing/cap-windows.ts";
export { CAPS, type Cap, type Caps, type CapsChange } from "./pricing/caps.ts";
export type { KeptAnswer, Repeatable, Repeated } from "./requests/idempotency-keys.ts";
export type { ProviderError } from "./requests/provider-errors.ts";
export { defaultRecords, KEPT_OF_REQUESTS, type RecordOptions } from "./requests/record-options.ts";
export type {
  RefusalCount,
  RefusalFilter,
  RefusalSum,
  Refusals,
  RefusedRequest,
} from "./requests/refusals.ts";
export { openSqlite } from "./sqlite.ts";
export type { Store, StoreOptions, StoreProcess } from "./store.ts";
export {
  type Generation,
  MODALITIES,
  type Modality,
  OUTCOMES,
  type Outcome,
  type Tags,
} from "./usage/generation.ts";
export type { GenerationFilter } from "./usage/generation-filter.ts";
export type { Generations } from "./usage/generations.ts";
export { addSums, newSums, sumOf, type UsagePoint, type UsageSums } from "./usage/points.ts";
export type { FailedCall, FailureCount, ServedEntry } from "./usage/provider-calls.ts";
export { COMPARED, RANKS, type Rank } from "./usage/ranking.ts";
export type { RunningOut } from "./usage/running-out.ts";
export { BUCKETS, type Bucket, bucketOf, SPLITS, type Usage } from "./usage/series.ts";
export { addSketch, countOf, newSketch, quantiles, type Sketch } from "./usage/sketch.ts";
export type { Totals } from "./usage/totals.ts";

import type { GenerationRow } from "../usage/generation-columns.ts";
import type { LatencyTables } from "./latency-tables.ts";

/** The rows in both dialects: text, integers (0 and 1 for false and true), JSON as text, times in ms. */
export interface Tables extends LatencyTables {
  accounts: {
    id: string;
    name: string;
    active: number;
    balance: number;
    held: number;
    created_at: number;
    login: string | null;
    password_hash: string | null;
    password_at: number | null;
    /** The bytes of its kept answers, and of requests that earlier versions stored. */
    kept_bytes: number;
    /** A counter, raised by a process that needs the idle credit of leases. */
    recall: number;
  };
  api_keys: {
    id: string;
    account_id: string;
    lookup_hash: string;
    prefix: string;
    name: string;
    active: number;
    revision: number;
    daily_limit: number | null;
    weekly_limit: number | null;
    monthly_limit: number | null;
    total_limit: number | null;
    sealed: string | null;
    sealed_nonce: string | null;
    sealed_version: number | null;
    created_at: number;
    revoked_at: number | null;
    /** A JSON object. */
    restrictions: string | null;
  };
  /** The recent use of keys that have rate limits, as a JSON object. */
  key_use: { key_id: string; state: string };
  /** When a key was last used, and from which address. */
  key_last_use: { key_id: string; used_at: number; address: string | null };
  key_spend: { key_id: string; kind: string; win: string; spent: number; held: number };
  generations: GenerationRow;
  /** Credit that a process holds for one key and day, from which it admits requests. */
  leases: {
    id: string;
    owner: string;
    account_id: string;
    key_id: string | null;
    daily: string;
    weekly: string;
    monthly: string;
    amount: number;
    /** Raised with every change, so that no change is made twice. */
    step: number;
    /** 1 once nothing more is admitted from it. */
    ending: number;
    /** The key's revision and the account's recall counter when it was opened. */
    key_revision: number;
    recall: number;
    created_at: number;
  };
  /** The contents of requests of one account within a second; `body` is a JSON object of them, by generation. */
  contents: {
    /** The day of all of them in UTC, counted from the epoch. */
    day: number;
    account: string;
    first_at: number;
    last_at: number;
    /** The generation of the first of them. */
    id: string;
    /** The size of the body. */
    bytes: number;
    body: string;
  };
  /** The bytes of an account's contents of one day. */
  contents_kept: { account: string; day: number; bytes: number };
  /** The contents of requests that earlier versions stored, by the generation's id. */
  requests: {
    id: string;
    content: string;
    /** Null for texts of earlier versions, until the sweep fills them in. */
    account: string | null;
    asked_at: number | null;
    bytes: number | null;
  };
  /** Requests that were refused before they had a generation: the last thousand of each account. */
  refusals: {
    /** Begins with the time. */
    id: string;
    account_id: string;
    key_id: string | null;
    created_at: number;
    code: string;
    status: number;
    sentence: string | null;
    surface: string;
    model: string | null;
    request_id: string;
  };
  /** How many requests were refused; `part` is what one process counted. */
  hourly_refusals: {
    account_id: string;
    hour: number;
    key_id: string;
    code: string;
    part: string;
    count: number;
  };
  /** Answers that are kept to be given once more. */
  cached_answers: {
    account_id: string;
    hash: string;
    created_at: number;
    /** From when on it is not used. */
    expires_at: number;
    /** The length of `value`. */
    bytes: number;
    /** JSON. */
    value: string;
  };
  transfers: {
    id: string;
    debit_account: string;
    credit_account: string;
    amount: number;
    kind: "topup" | "writeoff" | "charge" | "correction" | "refund";
    generation_id: string | null;
    created_at: number;
  };
  repeats: {
    account_id: string;
    route: string;
    name: string;
    body_hash: string;
    generation_id: string;
    state: "open" | "done";
    answer: string | null;
    created_at: number;
    /** The size of the answer. */
    bytes: number;
  };
  jobs: {
    /** The id; also that of the generation, if the work is billed. */
    id: string;
    kind: string;
    account_id: string;
    key_id: string | null;
    model: string;
    entry: string | null;
    price: string | null;
    estimate: string | null;
    ask: string | null;
    attachment: string | null;
    shown: string | null;
    course: string | null;
    phase: string;
    upstream_id: string | null;
    state: string;
    result: string | null;
    error: string | null;
    orphan: number;
    owner: string | null;
    lease_until: number;
    attempt: number;
    tries: number;
    polls: number;
    next_at: number;
    deadline: number;
    created_at: number;
    updated_at: number;
    ended_at: number | null;
  };
  assets: {
    id: string;
    account_id: string;
    kind: string;
    type: string;
    name: string | null;
    state: string;
    object_key: string | null;
    media_type: string | null;
    size: number | null;
    millis: number | null;
    provider: string | null;
    registered: string | null;
    error_code: string | null;
    error_message: string | null;
    job_id: string;
    created_at: number;
    updated_at: number;
    needed_until: number;
    expired_at: number | null;
  };
  asset_groups: { account_id: string; provider: string; group_id: string };
  /** Files of callers, and of the service for them, which requests name by id. */
  files: {
    id: string;
    account_id: string;
    purpose: string;
    name: string;
    bytes: number;
    object_key: string;
    created_at: number;
    expires_at: number | null;
  };
  /** Requests that are run together, from the lines of a file. */
  batches: {
    id: string;
    account_id: string;
    key_id: string;
    surface: string;
    endpoint: string;
    input_file: string;
    /** A JSON object. */
    terms: string;
    phase: string;
    outcome: string | null;
    error: string | null;
    total: number;
    /** A JSON object, once it has ended. */
    counts: string | null;
    output_file: string | null;
    error_file: string | null;
    owner: string | null;
    lease_until: number;
    attempt: number;
    next_at: number;
    created_at: number;
    expires_at: number;
    cancelling_at: number | null;
    running_at: number | null;
    writing_at: number | null;
    ended_at: number | null;
  };
  /** The lines of batches that run. */
  batch_lines: {
    batch_id: string;
    /** From 1. */
    number: number;
    /** The place in the file, in bytes. */
    start: number;
    length: number;
    custom_id: string | null;
    state: string;
    /** The generation that answers it. */
    generation_id: string | null;
    /** How often it was begun without an end. */
    tries: number;
    /** The status of the answer. */
    status: number | null;
    answer: string | null;
    /** The batch of a provider with which it is sent. */
    upstream: string | null;
    /** 1 if a batch of a provider did not answer it. */
    direct: number;
  };
  /** Batches that providers run for lines of batches. */
  upstream_batches: {
    id: string;
    batch_id: string;
    /** A JSON object. */
    terms: string;
    lines: number;
    /** The provider's id, once it is known. */
    remote_id: string | null;
    created_at: number;
    cancelling_at: number | null;
    ended_at: number | null;
    outcome: string | null;
  };
  /** Ids from providers' answers, as hashes. */
  issued_ids: { hash: string; account_id: string; created_at: number; maker: string | null };
  attempts: {
    subject: string;
    count: number;
    next_at: number;
    updated_at: number;
    kept_until: number;
  };
  audit_log: {
    id: string;
    created_at: number;
    actor: string;
    action: string;
    account_id: string | null;
    subject: string | null;
    before: string | null;
    after: string | null;
    request: string | null;
    address: string | null;
  };
  /** Ended sessions, by hashes of their names. */
  ended_sessions: { hash: string; until: number };
  /** Sums over ended generations, grouped by all columns down to `entry`. */
  hourly_sums: {
    account_id: string;
    /** The first millisecond of the hour in which the generations began. */
    hour: number;
    /** Empty for sessions. */
    key_id: string;
    model: string;
    modality: string;
    status: string;
    /** Empty if unknown. */
    surface: string;
    entry: string;
    requests: number;
    cost: number;
    duration_ms: number;
    input: number;
    output: number;
    cache_read: number;
    reasoning: number;
    images: number;
    characters: number;
    millis: number;
    /** The number of requests in each class of durations: `pace_0` to `pace_8`. */
    [pace: `pace_${number}`]: number;
  };
  /** The same sums for each tag's name and value; values without separate sums share an empty value. */
  hourly_tag_sums: Tables["hourly_sums"] & { name: string; value: string };
  /** The tags of an hour that have separate sums. */
  hourly_tag_values: { account_id: string; hour: number; name: string; value: string };
  /** Events for webhooks; `is_open` until their deliveries are created. */
  outbox: {
    id: string;
    type: string;
    account_id: string | null;
    /** A JSON object. */
    data: string;
    created_at: number;
    is_open: number;
  };
  /** Events that still have to be delivered to endpoints. */
  deliveries: {
    id: string;
    event_id: string;
    endpoint: string;
    tries: number;
    next_at: number;
    created_at: number;
  };
  failing_endpoints: { id: string; failing_since: number; off_since: number | null };
  instances: { owner: string; started_at: number; heartbeat_at: number };
  models: {
    id: string;
    revision: number;
    content: string;
    created_at: number;
    updated_at: number;
  };
  declarations: {
    revision: number;
    section: string;
    name: string;
    value: string | null;
    sealed: string | null;
    created_at: number;
  };
  /** Months whose records were written to files. */
  archives: {
    /** As `2026-11`, in UTC. */
    month: string;
    /** `removing` from the first of its rows that is removed, `removed` from the last. */
    state: "written" | "removing" | "removed";
    /** The first moment of the month, and of the next. */
    from_at: number;
    to_at: number;
    records: number;
    cost: number;
    /** The SHA-256 of its manifest. */
    sha256: string;
    written_at: number;
    removed_at: number | null;
  };
  /** What the removed generations of a key and day add up to. */
  archived_days: {
    month: string;
    account_id: string;
    /** Empty for sessions. */
    key_id: string;
    daily: string;
    weekly: string;
    monthly: string;
    requests: number;
    cost: number;
    /** The cost without corrections. */
    charged: number;
  };
  /** Removed generations that have a correction or a refund, which the ledger keeps. */
  archived_generations: { id: string; account_id: string; cost: number };
  revisions: { subject: "keys" | "catalog"; value: number };
  migrations: { number: number; name: string; applied_at: number };
}

/** The surfaces to which a key can be restricted: those that serve models. */
export const MODEL_SURFACES = ["native", "chatstyle", "msgstyle", "genstyle"] as const;

/** Who may run lines of batches: their provider by its own batches, at its price for them, or this service. */
export const BATCH_RUNNERS = ["provider", "service"] as const;

interface Words {
  /** The name of the restriction in a form; of a count, the words after its number. */
  label: string;
  /** What its value is, without an article: a phrase for schemas, options and pages. */
  meaning: string;
  /** A value as callers write it. */
  example: number | string | readonly string[];
}

/** A restriction by the kind of its value, from which its schema, option and form field are made. */
type Restriction = Words &
  (
    | { kind: "count" | "list" | "time" }
    /** Any of `of`. */
    | { kind: "choices"; of: readonly string[] }
  );

/**
 * The restrictions that a key can have besides its caps. The schema of the API, the options of the command line, the
 * console's fields and the page about accounts read this table. The gateway's `rules` enforce each row.
 */
export const RESTRICTIONS = {
  requestsPerMinute: {
    kind: "count",
    label: "requests a minute",
    meaning: "requests in any sixty seconds",
    example: 60,
  },
  tokensPerMinute: {
    kind: "count",
    label: "tokens a minute",
    meaning: "input and output tokens in any sixty seconds",
    example: 100_000,
  },
  concurrentRequests: {
    kind: "count",
    label: "requests at one time",
    meaning: "requests in flight at one time",
    example: 8,
  },
  models: {
    kind: "list",
    label: "models",
    meaning: "ids of the models that may be used, where * matches any text",
    example: ["gpt-*", "claude-sonnet-4-5"],
  },
  surfaces: {
    kind: "choices",
    of: MODEL_SURFACES,
    label: "surfaces",
    meaning: "surfaces that may be used",
    example: ["chatstyle", "msgstyle"],
  },
  expiresAt: {
    kind: "time",
    label: "expires at",
    meaning: "time from which the key is refused",
    example: "2030-01-01",
  },
  cacheSeconds: {
    kind: "count",
    label: "seconds of cached answers",
    meaning: "seconds for which the same request is given the same answer, from the cache of answers",
    example: 600,
  },
  batchBy: {
    kind: "choices",
    of: BATCH_RUNNERS,
    label: "batches run by",
    meaning: "who may run the lines of its batches",
    example: ["service"],
  },
} as const satisfies Record<string, Restriction>;

type Rows = typeof RESTRICTIONS;
/** A restriction by its name: `requestsPerMinute`. */
export type RestrictionName = keyof Rows;
/** The kinds of values: a whole number, a list of texts, a choice among given texts, or a time. */
export type RestrictionKind = Rows[RestrictionName]["kind"];
/** The kind of a restriction's value: `count` for `requestsPerMinute`. */
export type KindOf<Name extends RestrictionName> = Rows[Name]["kind"];

/** The names of all restrictions, in the order in which forms and pages list them. */
export const RESTRICTION_NAMES = Object.keys(RESTRICTIONS) as RestrictionName[];

/** The meaning of a restriction as a sentence. */
export const helpOf = (name: RestrictionName): string => {
  const { meaning } = RESTRICTIONS[name];
  return `${meaning[0]!.toUpperCase()}${meaning.slice(1)}.`;
};

/** A record with a value for each restriction. */
export const recordOfRestrictions = <T>(make: (name: RestrictionName) => T) =>
  Object.fromEntries(RESTRICTION_NAMES.map((name) => [name, make(name)])) as Record<RestrictionName, T>;

/** Stored values by kind. A time is milliseconds since the epoch. */
interface Stored extends Record<RestrictionKind, unknown> {
  count: number;
  list: readonly string[];
  choices: readonly string[];
  time: number;
}

/** The restrictions of a key besides its caps. An absent member means no restriction. */
export type Restrictions = { [name in RestrictionName]?: Stored[KindOf<name>] };

/** `null` removes a restriction; an absent one stays as it is. */
export type RestrictionsChange = { [name in RestrictionName]?: Restrictions[name] | null };

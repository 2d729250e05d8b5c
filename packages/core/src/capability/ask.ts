import type { Form, MediaKind, Operation } from "./terms.ts";

/** One parameter that a request sets. */
export interface RequestedParam {
  /** The native interface's name: `maxTokens`. */
  name: string;
  /** JSON pointer into the caller's request: `/generationConfig/maxOutputTokens`. */
  path: string;
  /** The value as the caller sent it. */
  value: unknown;
  /** Other names under which a model may say that it can do this. */
  also?: readonly string[];
  /** A parameter that need not be listed as supported; bounds may still apply to it. */
  free?: true;
  /** Asks for what every model does without it: leaving it out loses nothing. */
  neutral?: true;
  /** An unknown field: checked only for its resemblance to a known one. */
  extra?: true;
}

/** One piece of media in a request. Unknown measures are not checked. */
export interface RequestedPart {
  /** What it is: `image`, `video`, `audio`, `document`. */
  kind: MediaKind;
  /** JSON pointer into the caller's request: `/content/2`. */
  path: string;
  /** How its bytes are given: `url`, `base64`, `asset` or `file`. */
  form?: Form;
  /** What it is for, such as `firstFrame`. */
  role?: string;
  /** The caller gave no role; this one is the interface's default. */
  roleAssumed?: true;
  /** `image/png`. */
  mediaType?: string;
  /** Its size. */
  bytes?: number;
  /** How long it plays. */
  seconds?: number;
  /** Pixels. */
  width?: number;
  /** Pixels. */
  height?: number;
}

/** The wants of a request from a model. */
export interface Ask {
  /** What is requested of the model. */
  operation: Operation;
  /** The caller's name for it. */
  model: string;
  /** The parameters that it sets. */
  params: readonly RequestedParam[];
  /** The media that it contains. */
  parts?: readonly RequestedPart[];
  /** JSON pointer of the list that the parts stand in. Default `/content`. */
  content?: string;
  /** The caller's pointers by parameter. A known parameter without one does not exist on the caller's wire. */
  names?: ReadonlyMap<string, string>;
}

/** What is wrong with a request for a model; stable, for programs. */
export type IssueCode =
  | "wrong_type"
  | "value_not_allowed"
  | "unsupported_parameter"
  | "unknown_field"
  | "unsupported_input"
  | "unsupported_form"
  | "unsupported_role"
  | "unsupported_media_type"
  | "input_too_large"
  | "input_duration"
  | "input_shape"
  | "too_many_inputs"
  | "too_few_inputs"
  | "missing_companion"
  | "conflict"
  | "sum_too_large";

/** A finding about a request: something that its model does not take. */
export interface Issue {
  /** JSON pointer into the caller's request. */
  path: string;
  /** The kind of fault. */
  code: IssueCode;
  /** `refuse`: the request cannot be served. `drop`: it is served without this. `note`: a warning only. */
  effect: "refuse" | "drop" | "note";
  /** The caller's name for it. */
  model: string;
  /** The effect is `drop`, and nothing is lost by it: the request asks for what the model does anyway. */
  neutral?: true;
  /** The parameter, as the native interface calls it. */
  name?: string;
  /** The caller's value, where there is one. */
  value?: unknown;
  /** Describes the allowed values, for people. */
  allowed: string;
  /** The caller's field that was probably meant. */
  hint?: string;
  /** A model that would take it. */
  instead?: string;
  /** One sentence that names field, value, model and what is allowed. */
  message: string;
}

/** Checks whether any finding makes the request unservable. */
export const isRefused = (issues: readonly Issue[]): boolean =>
  issues.some((issue) => issue.effect === "refuse");

import type { IssueCode } from "../capability/ask.ts";
import { joinTexts } from "../capability/message-text.ts";
import type { Issue } from "../schema/issues.ts";
import { describeIssues } from "./schema-issues.ts";

/** The kind of a rejection. */
export type RejectionCode =
  | IssueCode
  | "invalid_request"
  | "unsupported_content"
  | "body_too_complex"
  | "body_too_large"
  | "losses";

/** What a rejection adds to its code and sentences. */
export interface RejectionOptions {
  /** The faulty field, in dotted form. */
  param?: string;
  /** The caller's rule about losses that rejects the request; absent: its model rejects it. */
  rule?: "settings" | "all";
}

/**
 * The reasons why a target cannot be sent a request. `planRequest` returns one, since another target may take the
 * request; `translateRequest` throws it.
 */
export class Rejection extends Error {
  override readonly name: string = "Rejection";
  /** The kind of the rejection; stable, for programs. */
  readonly code: RejectionCode;
  /** Sentences that each name a field and the model. */
  readonly errors: readonly string[];
  /** The faulty field, in dotted form: `messages.0.content`. */
  readonly param: string | undefined;
  /** The caller's rule about losses that rejects the request; absent: its model rejects it. */
  readonly rule: "settings" | "all" | undefined;

  constructor(code: RejectionCode, errors: readonly string[], { param, rule }: RejectionOptions = {}) {
    super(joinTexts(errors));
    this.code = code;
    this.errors = errors;
    this.param = param;
    this.rule = rule;
  }
}

/** The rejection of a body that does not fit its protocol's schema. */
export class UnreadableBody extends Rejection {
  constructor(error: { issues: readonly Issue[] }, model?: string) {
    super("invalid_request", describeIssues(error, model), {
      param: String(error.issues[0]?.path[0] ?? "body"),
    });
  }
}

/** The rejection of a body other than a record. */
export const noObject = (): Rejection =>
  new Rejection("invalid_request", ["body: it must be a JSON object."], { param: "body" });

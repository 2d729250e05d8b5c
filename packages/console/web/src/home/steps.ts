import { stored } from "../state/stored.ts";

/** What is known of an account that begins. */
export interface Beginning {
  /** Some request was sent, from wherever. */
  hasRequest: boolean;
  /** A program has used a key. */
  hasCall: boolean;
  /** Some provider is there that is not simulated; undefined where only operators know. */
  hasProvider: boolean | undefined;
  /** The keys of the account that are not revoked. */
  keys: number;
}

/** The steps of a beginning, in order. */
export const STEPS = ["request", "code", "provider", "key"] as const;
export type Step = (typeof STEPS)[number];

/** The steps that are done; the one of providers is for operators alone. */
export function stepsOf({ hasRequest, hasCall, hasProvider, keys }: Beginning): Map<Step, boolean> {
  const isDone: Record<Step, boolean | undefined> = {
    request: hasRequest,
    code: hasCall,
    provider: hasProvider,
    // The first key comes with the account.
    key: keys > 1,
  };
  return new Map(
    STEPS.flatMap((step) => (isDone[step] === undefined ? [] : [[step, isDone[step]] as const])),
  );
}

/** Whether the steps were put away in this browser; earlier versions wrote the word. */
export const areHidden = stored("manifold-first-steps", (value) => value === true || value === "hidden");

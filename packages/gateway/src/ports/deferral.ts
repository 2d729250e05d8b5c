import type { Answer, Context } from "./context.ts";

/** Answers text generations in place of calls to their providers: before a call that is made later, or after it. */
export interface Deferral {
  /** Resolves to nothing if the request is sent as usual. `planned` is what the text pipeline knows of it by then. */
  answer(context: Context, planned: object): Promise<Answer | undefined>;
}

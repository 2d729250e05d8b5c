import { type Directives, readDirectives } from "./directives.ts";

/** The requests to which a script applies. A missing member matches everything. */
export interface ScriptMatch {
  protocol?: string;
  model?: string;
  operation?: string;
  /** The number of matching requests that it answers. Default 1. */
  times?: number;
}

export interface Scripts {
  /**
   * Enqueues directives, written as a client would write them, for requests to come. What is left of them is taken
   * back by calling the answer.
   */
  add(directives: string | Partial<Directives>, match?: ScriptMatch): () => void;
  /** Takes the first script that matches. */
  take(request: Required<Omit<ScriptMatch, "times">>): Directives | undefined;
  clear(): void;
}

export function createScripts(): Scripts {
  let queue: { directives: Directives; match: ScriptMatch; remaining: number }[] = [];
  return {
    add(directives, match = {}) {
      const parsed =
        typeof directives === "string"
          ? readDirectives(directives)
          : { ...readDirectives(""), ...directives };
      const script = { directives: parsed, match, remaining: match.times ?? 1 };
      queue.push(script);
      return () => {
        queue = queue.filter((other) => other !== script);
      };
    },
    take(request) {
      const keys = Object.keys(request) as (keyof typeof request)[];
      const found = queue.find(({ match }) =>
        keys.every((key) => match[key] === undefined || match[key] === request[key]),
      );
      if (!found) return undefined;
      found.remaining -= 1;
      queue = queue.filter(({ remaining }) => remaining > 0);
      return found.directives;
    },
    clear() {
      queue = [];
    },
  };
}

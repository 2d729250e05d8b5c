import { type Provider, UpstreamFault } from "@manifold-gateway/providers";
import type { Sink } from "./http/exchange.ts";

/** Cancels the calls of one request whose client has left, at providers where nothing is billed for what goes on. */
export interface Leaving {
  /** Ends a call to this provider `drain` milliseconds after the client has left; `undefined` where it goes on. */
  signal(provider: Pick<Provider, "drain">): AbortSignal | undefined;
  /** The request is over: its client is not watched any more. */
  close(): void;
}

export function watchLeaving(sink: Pick<Sink, "closed" | "onLeave">): Leaving {
  const ends: (() => void)[] = [];
  return {
    signal({ drain }) {
      if (drain === undefined) return undefined;
      const controller = new AbortController();
      const cancel = (): void => controller.abort();
      const leave = (): void => {
        const timer = setTimeout(cancel, drain);
        ends.push(() => clearTimeout(timer));
      };
      const listener = drain === 0 ? cancel : leave;
      if (sink.closed) listener();
      else ends.push(sink.onLeave(listener));
      return controller.signal;
    },
    close() {
      for (const end of ends) end();
    },
  };
}

/** Checks whether an error of a call means that it was cancelled because its client has left. */
export const isLeft = (error: unknown, sink: Pick<Sink, "closed">): boolean =>
  sink.closed && error instanceof UpstreamFault && error.kind === "cancelled";

import { type Provider, UpstreamFault } from "@manifold-gateway/providers";
import type { Sink } from "./exchange.ts";

/** Cancels the calls of a request whose client has left, at providers that bill nothing for cancelled calls. */
export interface Leaving {
  /**
   * A signal that aborts a call to this provider `drain` milliseconds after the client has left; `undefined` if the
   * call goes on.
   */
  signal(provider: Pick<Provider, "drain">): AbortSignal | undefined;
  /** Stops watching the client, because the request is over. */
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

/** Checks whether a call failed because it was cancelled after its client left. */
export const isLeft = (error: unknown, sink: Pick<Sink, "closed">): boolean =>
  sink.closed && error instanceof UpstreamFault && error.kind === "cancelled";

import type { Dispatcher } from "undici";
import { decoderFor } from "./content-encoding.ts";
import { type FaultKind, toFault, UpstreamFault } from "./fault.ts";
import type { UpstreamResponse } from "./transport.ts";
import { UpstreamBody } from "./upstream-body.ts";

/** One call over a pooled connection. It is the dispatcher's handler, and the body of the answer: one object a call. */
export class PooledCall extends UpstreamBody implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal | undefined;
  readonly #answer: (response: UpstreamResponse) => void;
  readonly #refuse: (fault: Error) => void;
  #isAnswered = false;

  /** Calls `answer` with the head of the answer, or `refuse` with the fault if there is none. */
  constructor(
    signal: AbortSignal | undefined,
    answer: (response: UpstreamResponse) => void,
    refuse: (fault: Error) => void,
  ) {
    super();
    this.#signal = signal;
    this.#answer = answer;
    this.#refuse = refuse;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const signal = this.#signal;
    if (!signal) return;
    const cancel = (): void => controller.abort(new UpstreamFault("cancelled"));
    if (signal.aborted) cancel();
    else signal.addEventListener("abort", cancel, { once: true });
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: UpstreamResponse["headers"],
  ): void {
    // Skip interim responses (early hints, processing): the final head follows.
    if (status < 200) return;
    // A status above 599 is not valid in HTTP and could not be passed on. No redirect is followed.
    if (status > 599 || (status >= 300 && status < 400)) {
      const { location } = headers;
      this.#break(
        controller,
        status > 599 ? "status_line" : "redirect",
        typeof location === "string" ? location : undefined,
      );
      return;
    }
    const encoding = headers["content-encoding"];
    const decoder = encoding === undefined ? undefined : decoderFor(encoding);
    const isUnknown = decoder === "unknown";
    this.begin(controller, headers["content-length"], isUnknown ? undefined : decoder);
    this.#isAnswered = true;
    if (isUnknown) this.#break(controller, "encoding");
    this.#answer({ status, headers, body: this });
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.push(chunk);
  }

  onResponseEnd(): void {
    this.finish();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const fault = toFault(error);
    if (this.#isAnswered) this.broke(fault);
    else this.#refuse(fault);
  }

  /** Ends the call and its connection because of the head of its answer. */
  #break(controller: Dispatcher.DispatchController, kind: FaultKind, location?: string): void {
    const fault = new UpstreamFault(kind, undefined, location);
    if (this.#isAnswered) this.fail(fault);
    else this.#refuse(fault);
    controller.abort(fault);
  }
}

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { ApiError } from "../api/client.ts";
import { ago, moment, usd } from "../format.ts";
import { useTitle } from "./arrival.ts";
import { copyText } from "./copy.ts";

export const Money = ({ amount }: { amount: number | undefined }) => (
  <span class="number">{amount === undefined ? "–" : usd(amount)}</span>
);

/** A moment; how long ago it was is a hover away. */
export const When = ({ at }: { at: string }) => (
  <time dateTime={at} title={ago(at)} class="number">
    {moment(at)}
  </time>
);

const TONES: Record<string, string> = {
  succeeded: "good",
  active: "good",
  failed: "bad",
  revoked: "bad",
  aborted: "warn",
  cancelled: "warn",
  disabled: "warn",
  paused: "warn",
  ready: "good",
  denied: "bad",
  cooling: "warn",
  closed: "good",
  listening: "good",
  open: "bad",
  "half-open": "warn",
};

/** A state by word, shape and colour, never by colour alone. */
export const Status = ({ of }: { of: string }) => (
  <span class={`status ${TONES[of] ?? "plain"}`}>
    <i aria-hidden="true" />
    {of}
  </span>
);

export function Copy({ text, label = "Copy" }: { text: string; label?: string }) {
  const done = useSignal(false);
  const copy = async (button: HTMLElement): Promise<void> => {
    await copyText(text, button);
    done.value = true;
    setTimeout(() => {
      done.value = false;
    }, 2_000);
  };
  return (
    <button type="button" class="quiet" onClick={(event) => copy(event.currentTarget)} aria-live="polite">
      {done.value ? "Copied" : label}
    </button>
  );
}

/** An id that can be copied. */
export const Id = ({ of }: { of: string }) => (
  <span class="id">
    <code>{of}</code>
    <Copy text={of} />
  </span>
);

/** The end of an id, which differs even between ids of the same time; hovering shows all of it. */
export const ShortId = ({ of }: { of: string }) => (
  <code title={of}>{of.length > 12 ? `…${of.slice(-8)}` : of}</code>
);

/** From here on a reader wonders whether anything still happens. */
const LONG_MS = 5_000;

export function Loading({ label }: { label: string }) {
  const isLong = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      isLong.value = true;
    }, LONG_MS);
    return () => clearTimeout(timer);
  }, [isLong]);
  return (
    <p class="loading" role="status">
      Loading {label} … {isLong.value && "This is taking longer than usual."}
    </p>
  );
}

/** A refusal in the service's own words, and a way to try again. */
export function Failed({
  error,
  retry,
  isTrying = false,
}: {
  error: unknown;
  retry?: () => void;
  isTrying?: boolean;
}) {
  const id = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div class="failed" role="alert">
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {id !== undefined && (
        <p class="faint">
          Request <code>{id}</code>
        </p>
      )}
      {retry && (
        <button type="button" onClick={retry} aria-disabled={isTrying}>
          {isTrying ? "Trying again …" : "Try again"}
        </button>
      )}
    </div>
  );
}

export const Empty = ({ children }: { children: ComponentChildren }) => <div class="empty">{children}</div>;

interface HeadProps {
  title: string;
  about?: ComponentChildren;
  children?: ComponentChildren;
}

/** The head of a screen: its name, one line on what it is for, and what can be done. */
export function Head({ title, about, children }: HeadProps) {
  useTitle(title);
  return (
    <header class="head">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {about !== undefined && <p class="faint">{about}</p>}
      </div>
      <div class="acts">{children}</div>
    </header>
  );
}

export const Facts = ({ of }: { of: [name: string, value: ComponentChildren][] }) => (
  <dl class="facts">
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

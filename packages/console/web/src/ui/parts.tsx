import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { ApiError } from "../api/client.ts";
import { wordsOf } from "../api/refusal.ts";
import { ago, usd, wholeUsd } from "../format.ts";
import { isOnline } from "../state/online.ts";
import { shownMoment, zoneName } from "../state/zone.ts";
import { useTitle } from "./arrival.ts";
import { copyText } from "./copy.ts";
import { Icon, type IconName } from "./icons.tsx";

/** An amount alone; all of it is a hover away. In a column, `amount` of the column says it instead. */
export const Money = ({ amount }: { amount: number | undefined }) =>
  amount === undefined ? (
    <>–</>
  ) : (
    <span class="number" title={wholeUsd(amount)}>
      {usd(amount)}
    </span>
  );

/** A moment in the zone that is chosen; how long ago it was is a hover away. In a column, `time` says it instead. */
export const When = ({ at }: { at: string }) => (
  <time dateTime={at} title={`${ago(at)}, ${zoneName()}`} class="number">
    {shownMoment(at)}
  </time>
);

/** How states look: outcomes of requests have a colour and a shape each, all others are good, bad or to be watched. */
const TONES: Record<string, string> = {
  succeeded: "outcome-succeeded",
  failed: "outcome-failed",
  aborted: "outcome-aborted",
  cancelled: "outcome-cancelled",
  refused: "outcome-refused",
  running: "outcome-running",
  queued: "outcome-running",
  processing: "outcome-running",
  connecting: "outcome-running",
  reading: "outcome-running",
  writing: "outcome-running",
  cancelling: "outcome-running",
  completed: "outcome-succeeded",
  expired: "outcome-aborted",
  active: "good",
  revoked: "bad",
  disabled: "warn",
  paused: "warn",
  ready: "good",
  denied: "bad",
  cooling: "warn",
  closed: "good",
  listening: "good",
  open: "bad",
  "half-open": "warn",
  silent: "warn",
};

/** A state by word, shape and colour, never by colour alone. */
export const Status = ({ of }: { of: string }) => (
  <span class={`status ${TONES[of] ?? "plain"}`}>
    <i aria-hidden="true" />
    {of}
  </span>
);

/** Copies a text and says so. Without a label of its own it is an icon, beside what it copies. */
export function Copy({ text, label }: { text: string; label?: string }) {
  const done = useSignal(false);
  const copy = async (button: HTMLElement): Promise<void> => {
    await copyText(text, button);
    done.value = true;
    setTimeout(() => {
      done.value = false;
    }, 2_000);
  };
  const says = done.value ? "Copied" : (label ?? "Copy");
  return (
    <button
      type="button"
      class="quiet"
      title={label === undefined ? says : undefined}
      onClick={(event) => copy(event.currentTarget)}
      aria-live="polite"
    >
      <Icon name={done.value ? "check" : "copy"} />
      <span class={label === undefined ? "hidden" : undefined}>{says}</span>
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

/** What is awaited, in its shape: so many rows, and nothing below them moves when it comes. */
export function Loading({ label, rows }: { label: string; rows?: number | undefined }) {
  const isLong = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      isLong.value = true;
    }, LONG_MS);
    return () => clearTimeout(timer);
  }, [isLong]);
  const says = isOnline.value
    ? `Loading ${label} …${isLong.value ? " This is taking longer than usual." : ""}`
    : `Waiting for a connection to load ${label} …`;
  if (rows === undefined)
    return (
      <p class="loading" role="status">
        {says}
      </p>
    );
  return (
    <div class="loading skeleton" role="status">
      <span class={isLong.value ? "faint" : "hidden"}>{says}</span>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} />
      ))}
    </div>
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
      <p>{wordsOf(error)}</p>
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

interface EmptyProps {
  /** What there is none of. */
  title?: string;
  icon?: IconName;
  /** Why, and what to do next: a sentence, and a button or a command. */
  children?: ComponentChildren;
}

/** A list without rows: it says the next step. */
export const Empty = ({ title, icon, children }: EmptyProps) => (
  <div class="empty">
    {icon && <Icon name={icon} />}
    {title !== undefined && <h2>{title}</h2>}
    {children}
  </div>
);

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

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { count, duration } from "../format.ts";
import { Json } from "../ui/json.tsx";
import { Copy } from "../ui/parts.tsx";
import type { Draft } from "./draft.ts";
import type { Encoded, ProtocolName } from "./protocols.ts";
import type { Run } from "./send.ts";

interface PaneProps {
  title: string;
  name: ProtocolName;
  path: string;
  draft: Draft;
  /** What the reader wrote in the place of the encoded body. */
  edited: string | undefined;
  onEdit: (text: string | undefined) => void;
  run: Run | undefined;
}

/** The same request in one protocol: the exact body, what the protocol cannot say, and the answer as it comes. */
export function Pane({ title, name, path, draft, edited, onEdit, run }: PaneProps) {
  const encoded = useSignal<Encoded | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    void import("./protocols.ts").then(({ encode }) => {
      if (isCurrent) encoded.value = encode(draft, name);
    });
    return () => {
      isCurrent = false;
    };
  }, [draft, name]);
  const body = edited ?? JSON.stringify(encoded.value?.body ?? {}, null, 2);
  return (
    <section class="pane" aria-label={title}>
      <h2>{title}</h2>
      <p class="faint">
        POST <code>{path}</code>
      </p>
      <label class="stack">
        <span>Body {edited !== undefined && <b class="warn">edited: differs from the others</b>}</span>
        <textarea
          rows={10}
          spellcheck={false}
          value={body}
          onInput={(event) => onEdit(event.currentTarget.value)}
        />
      </label>
      <div class="acts">
        <Copy text={curl(path, body)} label="Copy as curl" />
        {edited !== undefined && (
          <button type="button" class="quiet" onClick={() => onEdit(undefined)}>
            Back to the draft
          </button>
        )}
      </div>
      {encoded.value?.losses.map(({ path: place, why, detail }) => (
        <p key={place} class="warn">
          <code>{place}</code> {why}
          {detail !== undefined && `: ${detail}`}
        </p>
      ))}
      {run && <Result of={run} in={title} />}
    </section>
  );
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const curl = (path: string, body: string): string =>
  `curl ${quote(location.origin + path)} -H "x-api-key: $MANIFOLD_KEY" -H 'content-type: application/json' -d ${quote(body)}`;

const WORDS = { running: "answering …", done: "answer complete", failed: "failed", stopped: "stopped" };

function Result({ of: run, in: pane }: { of: Run; in: string }) {
  const { state, text, reasoning, fault, finish, times, took, headers, usage } = run;
  const [first, last] = [times[0], times.at(-1)];
  const id = headers["x-generation-id"];
  return (
    <div class="result">
      <p role="status" class={state === "failed" ? "bad" : "faint"}>
        {WORDS[state]}
        {finish && ` (${finish})`}
      </p>
      {fault !== undefined && (
        <p class="wrong" role="alert">
          {fault}
        </p>
      )}
      {reasoning && (
        <details>
          <summary>Reasoning</summary>
          <pre>{reasoning}</pre>
        </details>
      )}
      {text && <pre class="answer">{text}</pre>}
      <p class="faint">
        {first !== undefined && `first piece ${duration(first)}`}
        {last !== undefined && `, last ${duration(last)}, ${count(times.length)} pieces`}
        {took !== undefined && `, whole ${duration(took)}`}
      </p>
      <dl class="facts">
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="wrap">{value}</dd>
          </div>
        ))}
      </dl>
      {usage !== undefined && <Json value={usage} label={`The usage of ${pane}`} />}
      {state !== "running" && id !== undefined && (
        <p>
          <a href={`/console/requests/${encodeURIComponent(id)}`}>The request: its way, price and ledger</a>
        </p>
      )}
    </div>
  );
}

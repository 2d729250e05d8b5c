import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { PaneBody } from "../codecs/calls.ts";
import { WIRES } from "../codecs/wires.ts";
import { count } from "../format.ts";
import { inWords, UNITS } from "../request/words.ts";
import type { PaneOf } from "./draft.ts";
import { PaneBodyView } from "./pane-body.tsx";
import { PaneFoot } from "./pane-foot.tsx";
import type { PaneState } from "./pane-state.ts";
import type { Run } from "./runs.ts";

type FoldName = "body" | "events" | "headers";

/** What an answer took and cost, and what went over the wire, to be looked at on demand. */
export function PaneFolds({ of: pane, state }: { of: PaneOf; state: PaneState }) {
  const open = useSignal<FoldName | undefined>(undefined);
  const run = state.run.value;
  const body = state.body.value;
  const check = state.check.value;
  const losses = check && "explanation" in check ? (check.explanation.losses ?? []) : [];
  const all = losses.length + (body?.losses.length ?? 0);
  const titles: [name: FoldName, title: ComponentChildren][] = [
    ["body", <BodyTitle key="body" of={body} losses={all} />],
  ];
  if (run && run.eventCount > 0) titles.push(["events", `Events ${count(run.eventCount)}`]);
  if (run?.status !== undefined) titles.push(["headers", "Usage and headers"]);
  return (
    <>
      {run && <PaneFoot of={run} losses={all} />}
      <div class="folds">
        {titles.map(([name, title]) => (
          <button
            key={name}
            type="button"
            class="quiet"
            aria-expanded={open.value === name}
            onClick={() => {
              open.value = open.value === name ? undefined : name;
            }}
          >
            {title}
          </button>
        ))}
      </div>
      {open.value === "body" && body && (
        <div class="fold">
          <p class="faint wrap">
            POST <code>{WIRES[pane.protocol].path(pane.model, true)}</code>
          </p>
          <PaneBodyView of={pane} body={body} losses={losses} />
        </div>
      )}
      {open.value === "events" && run && <Events of={run} />}
      {open.value === "headers" && run && <Headers of={run} />}
    </>
  );
}

const BodyTitle = ({ of: body, losses }: { of: PaneBody | undefined; losses: number }) => (
  <>
    Body
    {losses > 0 && <span class="warn">{losses === 1 ? "1 loss" : `${losses} losses`}</span>}
    {body?.differs && body.differs.length > 0 && <span class="warn">differs</span>}
    {body?.fault !== undefined && <span class="bad">not a request</span>}
  </>
);

const Headers = ({ of: { status, headers, usage } }: { of: Run }) => (
  <dl class="headers">
    {[
      ...Object.entries(usage ?? {}).map(([name, value]) => [inWords(UNITS, name), count(value as number)]),
      ["Status", String(status)],
      ...Object.entries(headers),
    ].map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd class="wrap">{value}</dd>
      </div>
    ))}
  </dl>
);

const Events = ({ of: { events, eventCount } }: { of: Run }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keys
  <section class="events" aria-label="Events" tabIndex={0}>
    <ol>
      {events.map(({ at, name, data }, index) => (
        <li key={index}>
          <span class="number faint">{at} ms</span> {name !== undefined && <b>{name}</b>} <code>{data}</code>
        </li>
      ))}
      {eventCount > events.length && <li class="faint">and {count(eventCount - events.length)} more</li>}
    </ol>
  </section>
);

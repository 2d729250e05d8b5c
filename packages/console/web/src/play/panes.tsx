import { WIRES } from "../codecs/wires.ts";
import { useNarrow } from "../ui/narrow.ts";
import { Tabs } from "../ui/tabs.tsx";
import { panes } from "./desk.ts";
import { Pane } from "./pane.tsx";

interface PanesProps {
  /** The pane that is open where there is room for one. */
  open: number;
  onOpen: (number: number) => void;
}

/** The panes beside each other, or one at a time on a phone. */
export function Panes({ open, onOpen }: PanesProps) {
  const isNarrow = useNarrow();
  const all = panes.value.map((pane, at) => ({ pane, number: at + 1 }));
  if (!isNarrow || all.length < 2)
    return (
      <div class="panes" data-count={all.length}>
        {all.map(({ pane, number }) => (
          <Pane key={pane.id} of={pane} number={number} />
        ))}
      </div>
    );
  const models = new Set(all.map(({ pane }) => pane.model));
  const tabs = Object.fromEntries(
    all.map(({ pane, number }) => [
      `pane${number}`,
      {
        title:
          models.size === 1 ? WIRES[pane.protocol].title : `${pane.model}, ${WIRES[pane.protocol].title}`,
        body: <Pane key={pane.id} of={pane} number={number} />,
      },
    ]),
  );
  return <Tabs of={tabs} open={`pane${open}`} onOpen={(name) => onOpen(Number(name.slice("pane".length)))} />;
}

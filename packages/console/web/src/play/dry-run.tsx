import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { codecs } from "../codecs/codecs.ts";
import { WIRES } from "../codecs/wires.ts";
import { parsed } from "../parsed.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Explained } from "../ui/explained.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { draft, panes } from "./desk.ts";
import type { PaneOf } from "./draft.ts";
import { paneState } from "./pane-state.ts";

/** What would become of each request, in full. */
export function DryRun({ onClose }: { onClose: () => void }) {
  const open = useSignal<string | undefined>(undefined);
  const tabs = Object.fromEntries(
    panes.value.map((pane) => [
      pane.id,
      { title: `${pane.model}, ${WIRES[pane.protocol].title}`, body: <DryRunOf key={pane.id} of={pane} /> },
    ]),
  );
  return (
    <Dialog title="Dry run" isWide onClose={onClose}>
      <Tabs
        of={tabs}
        open={open.value}
        onOpen={(id) => {
          open.value = id;
        }}
      />
      <form method="dialog" class="acts">
        <button type="submit">Close</button>
      </form>
    </Dialog>
  );
}

function DryRunOf({ of: pane }: { of: PaneOf }) {
  const upstream = useSignal<unknown>(undefined);
  const state = paneState(pane.id);
  const check = state.check.value;
  const text = state.body.value?.text;
  const body = text === undefined ? undefined : (parsed(text) as object | undefined);
  const to = check && "explanation" in check ? check.explanation.route?.candidates[0]?.protocol : undefined;
  useEffect(() => {
    if (to === undefined || body === undefined) return;
    const stream = draft.value?.request.stream ?? true;
    void codecs("translated", body, { from: pane.protocol, to, model: pane.model, stream }).then((result) => {
      upstream.value = result?.body;
    });
  }, [to, text]);
  if (!check) return <p class="faint">Checking the request …</p>;
  if ("fault" in check) return <p class="wrong">{check.fault}</p>;
  return <Explained of={check.explanation} body={body} upstream={upstream.value} />;
}

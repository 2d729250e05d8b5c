import type { Screen } from "../screens.ts";
import { Dialog } from "../ui/dialog.tsx";

const GENERAL: [keys: string, does: string][] = [
  ["⌘K or Ctrl K", "search, go to, run a command"],
  ["j, k", "next and previous row"],
  ["Enter", "open the row"],
  ["c", "copy the id of the row"],
  ["[, ]", "turn the page of a list"],
  ["/ or f", "focus the filters"],
  ["Esc", "close what is open"],
  ["?", "show this help"],
];

const PLAYGROUND: [keys: string, does: string][] = [
  ["Ctrl Enter", "send to all panes"],
  ["Ctrl Shift Enter", "dry run"],
  ["Alt 1 … 5", "go to a pane"],
  ["Esc", "stop the answers"],
];

export function KeyHelp({ screens, onClose }: { screens: readonly Screen[]; onClose: () => void }) {
  const shortcuts = screens.flatMap(({ key, name }): [string, string][] =>
    key === undefined ? [] : [[`g ${key}`, `go to ${name}`]],
  );
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <Keys of={[...GENERAL, ...shortcuts]} />
      <h3>In the playground, also while you type</h3>
      <Keys of={PLAYGROUND} />
      <form method="dialog" class="acts">
        <button type="submit">Close</button>
      </form>
    </Dialog>
  );
}

const Keys = ({ of }: { of: readonly [keys: string, does: string][] }) => (
  <dl class="facts">
    {of.map(([keys, does]) => (
      <div key={keys}>
        <dt>
          <kbd>{keys}</kbd>
        </dt>
        <dd>{does}</dd>
      </div>
    ))}
  </dl>
);

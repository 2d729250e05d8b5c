import type { Screen } from "../screens.ts";
import { Dialog } from "./dialog.tsx";

const GENERAL: [keys: string, does: string][] = [
  ["j, k", "next and previous row"],
  ["Enter", "open the row"],
  ["/ or f", "focus the filters"],
  ["Esc", "close the dialog"],
  ["?", "show this help"],
];

export function KeyHelp({ screens, onClose }: { screens: readonly Screen[]; onClose: () => void }) {
  const shortcuts = screens.flatMap(({ key, name }): [string, string][] =>
    key === undefined ? [] : [[`g ${key}`, `go to ${name}`]],
  );
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="facts">
        {[...GENERAL, ...shortcuts].map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog" class="acts">
        <button type="submit">Close</button>
      </form>
    </Dialog>
  );
}

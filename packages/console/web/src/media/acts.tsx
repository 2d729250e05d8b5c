import type { CopyForm } from "../play/copy-as.ts";
import { useCopying } from "../ui/copying.tsx";
import { Icon } from "../ui/icons.tsx";
import { Menu } from "../ui/menu.tsx";

interface CallActsProps {
  /** What the button says. */
  act: string;
  isRunning: boolean;
  onSend: () => void;
  onStop: () => void;
  /** The forms in which the request can be taken along. */
  forms: readonly CopyForm[];
}

/** Sends a request or stops it, and copies it as code. */
export function CallActs({ act, isRunning, onSend, onStop, forms }: CallActsProps) {
  const { holder, copy, note } = useCopying<HTMLDivElement>();
  return (
    <div class="acts" ref={holder}>
      <button type="button" class="main" onClick={isRunning ? onStop : onSend}>
        {isRunning ? "Stop" : act}
      </button>
      <Menu
        label="Copy as code"
        items={forms.map(({ title, text }) => ({ text: title, onClick: () => void copy(text()) }))}
      >
        <Icon name="copy" />
        Copy as code
      </Menu>
      {note}
    </div>
  );
}

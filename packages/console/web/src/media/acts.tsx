import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { CopyForm } from "../play/copy-as.ts";
import { copyText } from "../ui/copy.ts";
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
  const holder = useRef<HTMLDivElement>(null);
  const copied = useSignal(false);
  const copy = async (text: string): Promise<void> => {
    if (holder.current) await copyText(text, holder.current);
    copied.value = true;
    setTimeout(() => {
      copied.value = false;
    }, 2_000);
  };
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
      <span class="faint" role="status">
        {copied.value && "Copied"}
      </span>
    </div>
  );
}

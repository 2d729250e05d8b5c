import type { ComponentChildren } from "preact";
import { Copy } from "./parts.tsx";

interface RawKeyProps {
  text: string;
  onClose: () => void;
  /** What can be done with it now. */
  children?: ComponentChildren;
}

/** A key itself, which is shown rarely. */
export const RawKey = ({ text, onClose, children }: RawKeyProps) => (
  <>
    <p>Store it where only the program can read it.</p>
    <p class="secret">
      <code>{text}</code>
      <Copy text={text} label="Copy the key" />
    </p>
    {children}
    <div class="acts">
      <button type="button" onClick={onClose}>
        Done
      </button>
    </div>
  </>
);

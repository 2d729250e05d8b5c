import { Copy } from "./parts.tsx";

/** A key itself, which is shown rarely. */
export const RawKey = ({ text, onClose }: { text: string; onClose: () => void }) => (
  <>
    <p>Store it where only the program can read it.</p>
    <p class="secret">
      <code>{text}</code>
    </p>
    <div class="acts">
      <Copy text={text} label="Copy the key" />
      <button type="button" onClick={onClose}>
        Done
      </button>
    </div>
  </>
);

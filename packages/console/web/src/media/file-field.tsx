import { useId, useRef } from "preact/hooks";
import { DropArea } from "../ui/drop-area.tsx";

interface FileFieldProps {
  label: string;
  accept: string;
  hint: string;
  fault?: string | undefined;
  onFile: (file: File | undefined) => void;
}

/** One file, chosen or dropped. */
export function FileField({ label, accept, hint, fault, onFile }: FileFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <DropArea
      onFiles={(files) => {
        if (input.current) input.current.files = files;
        onFile(files[0]);
      }}
    >
      <label for={id} class="stack">
        {label}
      </label>
      <input
        ref={input}
        id={id}
        type="file"
        accept={accept}
        aria-describedby={`${id}-note`}
        aria-invalid={fault !== undefined}
        onChange={(event) => onFile(event.currentTarget.files?.[0])}
      />
      <p id={`${id}-note`} class={fault === undefined ? "hint" : "hint wrong"}>
        {fault ?? hint}
      </p>
    </DropArea>
  );
}

import type { ComponentChildren } from "preact";

interface DropAreaProps {
  onFiles: (files: FileList) => void;
  /** The field in which files are chosen, and what is said of it. */
  children: ComponentChildren;
}

/** An area onto which files can be dropped, around the field that takes them. */
export const DropArea = ({ onFiles, children }: DropAreaProps) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: the field in it does the same by keys
  <div
    class="drop"
    onDragOver={(event) => event.preventDefault()}
    onDrop={(event) => {
      event.preventDefault();
      if (event.dataTransfer) onFiles(event.dataTransfer.files);
    }}
  >
    {children}
  </div>
);

import { useSignal } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useRef } from "preact/hooks";
import { copyText } from "./copy.ts";

interface Copying<Of extends HTMLElement> {
  /** The element with the button. */
  holder: RefObject<Of | null>;
  copy: (text: string) => Promise<void>;
  /** Says for a moment that it was copied. */
  note: JSX.Element;
}

/** Copies texts from a button, and says so beside it. */
export function useCopying<Of extends HTMLElement>(): Copying<Of> {
  const holder = useRef<Of>(null);
  const copied = useSignal(false);
  const copy = async (text: string): Promise<void> => {
    if (holder.current) await copyText(text, holder.current);
    copied.value = true;
    setTimeout(() => {
      copied.value = false;
    }, 2_000);
  };
  const note = (
    <span class="faint" role="status">
      {copied.value && "Copied"}
    </span>
  );
  return { holder, copy, note };
}

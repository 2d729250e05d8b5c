import { signal } from "@preact/signals";

/** Whether the browser has a connection at all. */
export const isOnline = signal(navigator.onLine);

const note = (): void => {
  isOnline.value = navigator.onLine;
};
addEventListener("online", note);
addEventListener("offline", note);

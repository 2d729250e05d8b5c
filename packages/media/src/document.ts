import type { Format } from "./format.ts";

/** Recognised only: its pages are not read. */
export const pdf: Format = {
  is: (file) => file.has("%PDF-"),
  read: () => ({ kind: "document", mediaType: "application/pdf" }),
};

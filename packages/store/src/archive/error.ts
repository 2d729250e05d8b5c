/** An archive cannot be written, read or trusted. The message says what was found and what is wanted. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

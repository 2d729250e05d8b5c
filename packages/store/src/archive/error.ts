/** An archive cannot be written, read or trusted. The message says what was found and what was expected. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

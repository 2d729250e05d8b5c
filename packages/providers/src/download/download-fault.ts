/** The reasons why a file was not fetched; stable, for programs. */
export type DownloadFaultCode = "address_refused" | "download_failed" | "file_too_large" | "timeout";

const texts: Record<DownloadFaultCode, string> = {
  address_refused: "The file's address is not allowed.",
  download_failed: "The file could not be fetched.",
  file_too_large: "The file is larger than the limit.",
  timeout: "The file could not be fetched in time.",
};

/**
 * The reason why a file was not fetched. Its message reveals nothing about the target; the cause is for logs.
 */
export class DownloadFault extends Error {
  override readonly name = "DownloadFault";
  /** The reason. */
  readonly code: DownloadFaultCode;
  constructor(code: DownloadFaultCode, cause?: unknown) {
    super(texts[code], { cause });
    this.code = code;
  }
}

/** The reasons why an object could not be stored or read. */
export type ObjectFaultCode =
  | "bad_key"
  | "bad_terms"
  | "too_large"
  | "length_mismatch"
  | "bad_range"
  | "damaged"
  | "unavailable"
  | "no_client";

const texts: Record<ObjectFaultCode, string> = {
  bad_key:
    "an object key has 1 to 8 segments of a-z, 0-9, '-', '_' and one extension, at most 200 characters",
  bad_terms: "a link or an object has a media type like 'image/png', and a link expires within a day",
  too_large: "the object is larger than the limit",
  length_mismatch: "the object has not the length that was announced",
  bad_range: "the range lies outside the object",
  damaged: "the stored object is damaged",
  unavailable: "the object store is unavailable",
  no_client:
    "buckets need their client library, which is not installed: npm install @aws-sdk/client-s3@3 @aws-sdk/lib-storage@3 @aws-sdk/s3-request-presigner@3",
};

/** A failure of the object store. Its message contains no path, address or key. */
export class ObjectFault extends Error {
  override readonly name = "ObjectFault";
  /** The reason, for programs; the message says it for people. */
  readonly code: ObjectFaultCode;
  constructor(code: ObjectFaultCode, cause?: unknown) {
    super(texts[code], { cause });
    this.code = code;
  }
}

/** Runs an operation, and turns its errors into `ObjectFault`. */
export async function guard<T>(effect: () => Promise<T>): Promise<T> {
  try {
    return await effect();
  } catch (error) {
    throw error instanceof ObjectFault ? error : new ObjectFault("unavailable", error);
  }
}

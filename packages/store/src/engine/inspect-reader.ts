import { StoreUnavailable } from "./unavailable.ts";

/** What `store.reader` leads to. */
export interface ReaderState {
  /** Why reports are not read there; absent if it has the primary's database. */
  refusal?: string;
  /** It is the primary itself. */
  isPrimary: boolean;
}

/**
 * Compares the server at a reader's address with the primary. Throws `StoreUnavailable` if one of both cannot be
 * reached.
 */
export async function inspectReader(url: string, reader: string): Promise<ReaderState> {
  const [{ serverAt }, { checkReplica }, { WrongServer }] = await Promise.all([
    import("./postgres-access.ts"),
    import("./replica-place.ts"),
    import("./postgres-fault.ts"),
  ]);
  try {
    const [primary, replica] = [await serverAt(url), await serverAt(reader)];
    checkReplica(replica, primary);
    return { isPrimary: replica.startedAt !== null };
  } catch (error) {
    if (error instanceof WrongServer) return { refusal: error.message, isPrimary: false };
    throw new StoreUnavailable(error);
  }
}

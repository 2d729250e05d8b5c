import type { ComponentChildren } from "preact";
import { Failed, Loading } from "./parts.tsx";

interface AwaitedProps<Data> {
  /** Named while it is loaded. */
  what: string;
  of: {
    isPending: boolean;
    isError: boolean;
    error: unknown;
    data: Data | undefined;
    refetch: () => unknown;
  };
  children: (data: Data) => ComponentChildren;
}

/** What was asked for, once it is there; until then that it loads, or why it does not come. */
export function Awaited<Data>({ what, of, children }: AwaitedProps<Data>) {
  return (
    <>
      {of.isPending && <Loading what={what} />}
      {of.isError && <Failed error={of.error} retry={() => void of.refetch()} />}
      {of.data !== undefined && children(of.data)}
    </>
  );
}

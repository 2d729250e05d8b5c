import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** The width below which pages are those of a phone, as in the styles. */
const NARROW = "(width < 768px)";

/** Whether the page is as narrow as on a phone. */
export function useNarrow(): boolean {
  const query = matchMedia(NARROW);
  const isNarrow = useSignal(query.matches);
  useEffect(() => {
    const change = (): void => {
      isNarrow.value = query.matches;
    };
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, [isNarrow]);
  return isNarrow.value;
}

import { useLayoutEffect, useRef } from "preact/hooks";

/** Brings the section that it stands in to the eye, once it is there. */
export function IntoView() {
  const at = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => at.current?.closest("section")?.scrollIntoView({ block: "start" }), []);
  return <span ref={at} />;
}

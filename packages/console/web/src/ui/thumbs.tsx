import { useRef } from "preact/hooks";
import type { AccountJob } from "../jobs/words.ts";
import { kindOf, type Output } from "./preview.tsx";

/** The files of a job as small pictures; what has no picture is named. */
export const Thumbs = ({ of: { id, outputs, isExpired } }: { of: AccountJob }) =>
  isExpired ? (
    <span class="faint">gone</span>
  ) : outputs.length === 0 ? (
    <>–</>
  ) : (
    <span class="thumbs">
      {outputs.map((output, at) => (
        <Thumb key={output.assetId} of={output} name={`File ${at + 1} of ${id}`} />
      ))}
    </span>
  );

function Thumb({ of: output, name }: { of: Output; name: string }) {
  // Each answer signs links anew: a link that changed would load the picture again.
  const link = useRef(output.downloadUrl).current;
  switch (kindOf(output)) {
    case "image":
      return <img src={link} alt={name} loading="lazy" />;
    case "video":
      return <video src={link} preload="metadata" muted playsInline aria-label={name} />;
    default:
      return <span class="faint">{kindOf(output)}</span>;
  }
}

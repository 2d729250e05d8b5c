import { size } from "../format.ts";
import type { AccountJob } from "../jobs/words.ts";
import { Id } from "./parts.tsx";

export type Output = AccountJob["outputs"][number];

/** The mode of the media playground that takes a file as its input. */
const INPUT_OF: Record<string, string> = { image: "video", video: "video" };

/** `image`, `video`, `audio`, …. */
export const kindOf = ({ mediaType }: Output): string => mediaType.split("/")[0] ?? "";

/** The file itself, as far as a browser can show it. */
function Shown({ of: output, name }: { of: Output; name: string }) {
  const { downloadUrl } = output;
  switch (kindOf(output)) {
    case "image":
      return (
        <a href={downloadUrl} target="_blank" rel="noreferrer">
          <img src={downloadUrl} alt={name} />
        </a>
      );
    case "video":
      // biome-ignore lint/a11y/useMediaCaption: what a model made has no captions
      return <video src={downloadUrl} controls preload="metadata" aria-label={name} />;
    case "audio":
      // biome-ignore lint/a11y/useMediaCaption: the transcript stands below, where there is one
      return <audio src={downloadUrl} controls preload="metadata" aria-label={name} />;
    default:
      return <p class="faint">A browser cannot show {output.mediaType}.</p>;
  }
}

/** The files of a job: what they show, how large they are, and what can be done with them. */
export function Preview({ of: job }: { of: AccountJob }) {
  if (job.isExpired) return <p class="faint">The files were kept as long as files are, and are gone.</p>;
  if (job.outputs.length === 0) return null;
  return (
    <ul class="previews">
      {job.outputs.map((output, at) => {
        const name = `Output ${at + 1} of ${job.model}`;
        const mode = INPUT_OF[kindOf(output)];
        return (
          <li key={output.assetId}>
            <Shown of={output} name={name} />
            <p class="faint">
              {output.mediaType}, {size(output.size)}
            </p>
            <Id of={output.assetId} />
            <div class="acts">
              <a class="button" href={output.downloadUrl} download>
                Download
              </a>
              {mode !== undefined && (
                <a
                  class="button"
                  href={`/console/media?${new URLSearchParams({ mode, [kindOf(output)]: output.assetId })}`}
                >
                  Use as input
                </a>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

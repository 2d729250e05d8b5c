import { ReadableStream } from "node:stream/web";
import { DownloadFault, type GuardedFetch } from "@manifold-gateway/providers";
import { sampleNamed } from "@manifold-gateway/simulator";

/** The made-up address of the accounts' images; no request is sent to it. */
export const FILES = "https://files.demo.example/";

/** Answers addresses below `FILES` with the simulator's samples, without any network access. */
export const fetchSample: GuardedFetch = async (url) => {
  const sample = url.startsWith(FILES) ? sampleNamed(url.slice(FILES.length)) : undefined;
  if (!sample) throw new DownloadFault("download_failed");
  return {
    mediaType: sample.type,
    length: sample.bytes.length,
    stream: new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(sample.bytes);
        controller.close();
      },
    }),
  };
};

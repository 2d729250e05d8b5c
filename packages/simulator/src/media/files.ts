import { seal, unseal } from "../content/digest.ts";
import { Refusal } from "../refusal.ts";
import { TYPES } from "../samples/index.ts";
import type { MediaJob, Output } from "./media-jobs.ts";

interface PublishedFile {
  job: MediaJob;
  output: Output;
  make(): Buffer;
}

/** The outputs that can be downloaded, at links that expire. */
export interface Files {
  /** Publishes an output at a link. Its bytes are made when they are fetched. */
  publish(file: PublishedFile & { origin: string; now: number; lifetime: number }): string;
  /** Throws a refusal for a link that is unknown, altered or expired, or whose file is gone. */
  open(path: string, token: string, now: number): { type: string; bytes: Buffer; done(): void };
  clear(): void;
}

const extensionOf = (type: string): string =>
  Object.entries(TYPES).find(([, known]) => known === type)?.[0] ?? "bin";

const expired = (): Refusal =>
  new Refusal("forbidden", "Request has expired.", { code: "AccessDenied", status: 403 });

export function createFiles(): Files {
  const published = new Map<string, PublishedFile>();
  return {
    publish({ job, output, make, origin, now, lifetime }) {
      const name = `${job.id}-${published.size}.${extensionOf(output.type)}`;
      published.set(name, { job, output, make });
      const expires = Math.floor(now / 1000) + (job.outcome.lifetime ?? lifetime);
      const token = encodeURIComponent(seal("file", `${name} ${expires}`));
      const url = `${origin}/files/${name}?token=${token}`;
      output.url = url;
      return url;
    },
    open(path, token, now) {
      const [name, expires] = unseal("file", token)?.split(" ") ?? [];
      const file = published.get(path);
      if (!file || name !== path)
        throw new Refusal("forbidden", "The link's signature does not match.", {
          code: "SignatureDoesNotMatch",
        });
      if (file.job.outcome.gone || now / 1000 > Number(expires)) throw expired();
      return {
        type: file.output.type,
        bytes: file.make(),
        done: () => {
          file.output.downloads += 1;
        },
      };
    },
    clear: () => published.clear(),
  };
}

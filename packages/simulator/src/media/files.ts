import { seal, unseal } from "../content/digest.ts";
import { Refusal } from "../refusal.ts";
import { TYPES } from "../samples/index.ts";
import type { Output, Work } from "./media-jobs.ts";

interface Held {
  work: Work;
  output: Output;
  make(): Buffer;
}

/** The outputs that can be downloaded, under links that end. */
export interface Files {
  /** Puts an output under a link. The bytes are made when they are fetched. */
  publish(file: Held & { origin: string; now: number; lifetime: number }): string;
  /** Refuses what is unknown, tampered with, expired or gone. */
  open(path: string, token: string, now: number): { type: string; bytes: Buffer; done(): void };
  clear(): void;
}

const extensionOf = (type: string): string =>
  Object.entries(TYPES).find(([, known]) => known === type)?.[0] ?? "bin";

const expired = (): Refusal =>
  new Refusal("forbidden", "Request has expired.", { code: "AccessDenied", status: 403 });

export function createFiles(): Files {
  const held = new Map<string, Held>();
  return {
    publish({ work, output, make, origin, now, lifetime }) {
      const name = `${work.id}-${held.size}.${extensionOf(output.type)}`;
      held.set(name, { work, output, make });
      const expires = Math.floor(now / 1000) + (work.outcome.lifetime ?? lifetime);
      const token = encodeURIComponent(seal("file", `${name} ${expires}`));
      const url = `${origin}/files/${name}?token=${token}`;
      output.url = url;
      return url;
    },
    open(path, token, now) {
      const [name, expires] = unseal("file", token)?.split(" ") ?? [];
      const file = held.get(path);
      if (!file || name !== path)
        throw new Refusal("forbidden", "The link's signature does not match.", {
          code: "SignatureDoesNotMatch",
        });
      if (file.work.outcome.gone || now / 1000 > Number(expires)) throw expired();
      return {
        type: file.output.type,
        bytes: file.make(),
        done: () => {
          file.output.downloads += 1;
        },
      };
    },
    clear: () => held.clear(),
  };
}

import { createHmac, randomBytes } from "node:crypto";
import { type Voice, voicesSchema } from "@manifold-gateway/core/operations";
import { describeFault } from "@manifold-gateway/core/plan";
import type { MediaOptions } from "@manifold-gateway/gateway";
import {
  createLinks,
  type Links,
  ObjectFault,
  type Objects,
  openBucket,
  openDisk,
  systemWords,
} from "@manifold-gateway/store";
import { toSeal } from "./config/build.ts";
import { readDocument } from "./config/document.ts";
import { checkValue } from "./config/findings.ts";
import { ConfigError, readText } from "./config/read.ts";
import type { Config } from "./config/schema.ts";

/** The services for media, and a way to set the address of their links once it is known. */
export interface OpenedMedia {
  options: MediaOptions;
  /** Sets the address on which the service listens, for links to files in a folder. */
  settle(origin: string): void;
  close(): Promise<void>;
}

const DAY = 24 * 3_600_000;

/** Opens the configured store of files; `linkSecret` signs links if the configuration has no secret. */
export async function openMedia(
  config: Config,
  linkSecret?: string,
  now: () => number = Date.now,
): Promise<OpenedMedia> {
  const { media, objects: place, server } = config;
  const disk = place.startsWith("file:");
  const late = disk ? lateLinks(secretsOf(config, linkSecret), server.url ?? "") : undefined;
  const objects = await opened(
    place,
    late
      ? openDisk({ folder: place.slice("file:".length), links: late.links, now })
      : openBucket(toBucket(place)),
  );
  const { allow, runJobs, retention, maxLiveJobs, maxLiveBatches, batchLines, poll, voices } = media;
  const pace = poll && { ...poll, factor: 1.5 };
  return {
    options: {
      objects,
      allow,
      runJobs,
      isPublic: media.public ?? (disk ? server.url !== undefined : true),
      ...(late && { links: late.links }),
      ...(voices !== undefined && { voices: readVoices(voices) }),
      batches: { retention: retention * DAY, liveBatches: maxLiveBatches, lines: batchLines },
      jobs: {
        retention: retention * DAY,
        maxLiveJobs,
        ...(pace && { poll: { image: pace, video: pace, speech: pace, asset: pace } }),
      },
    },
    settle: (origin) => late?.settle(server.url ?? origin),
    close: () => objects.close(),
  };
}

/** Adds the reason to the error if a place cannot be opened, because the operator has to fix it. */
async function opened(place: string, opening: Promise<Objects>): Promise<Objects> {
  try {
    return await opening;
  } catch (error) {
    if (!(error instanceof ObjectFault)) throw error;
    const { cause } = error;
    const why = systemWords(cause) ?? (cause instanceof Error ? cause.message : error.message);
    throw new ConfigError(`objects: ${place} cannot be opened: ${why}`);
  }
}

/** Links whose origin is set later: a port that the system chooses is known once the server listens. */
function lateLinks(
  secrets: ReturnType<typeof secretsOf>,
  base: string,
): { links: Links; settle(base: string): void } {
  let links = createLinks({ base, secrets });
  return {
    links: {
      make: (key, terms, now) => links.make(key, terms, now),
      open: (link, now) => links.open(link, now),
    },
    settle(origin) {
      links = createLinks({ base: origin, secrets });
    },
  };
}

/** The link secrets, newest first, without duplicates. A secret's name is derived from it, not from its position. */
function secretsOf(
  { linkSecrets, keyEncryptionSecrets }: Config,
  otherwise = randomBytes(32).toString("hex"),
) {
  const given = linkSecrets.map(toSeal);
  const made = keyEncryptionSecrets.map((secret) =>
    createHmac("sha256", toSeal(secret)).update("links").digest(),
  );
  const secrets = given.length > 0 ? given : made.length > 0 ? made : [toSeal(otherwise)];
  const named = secrets.reverse().map((secret) => ({
    id: createHmac("sha256", secret).update("name").digest("hex").slice(0, 8),
    secret,
  }));
  return [...new Map(named.map((one) => [one.id, one])).values()];
}

/** Parses `s3:bucket?region=…&endpoint=…`. */
function toBucket(place: string) {
  const [bucket = "", query = ""] = place.slice("s3:".length).split("?", 2);
  const { region = "us-east-1", pathStyle, ...rest } = Object.fromEntries(new URLSearchParams(query));
  const known = new Set(["endpoint", "publicEndpoint", "prefix"]);
  const odd = Object.keys(rest).filter((name) => !known.has(name));
  if (bucket === "" || odd.length > 0)
    throw new ConfigError(
      `objects: ${bucket === "" ? "names no bucket" : `there is no option '${odd.join("', '")}'`}`,
    );
  return { bucket, region, ...(pathStyle === "true" && { pathStyle: true }), ...rest };
}

/** The origin of links to files of a bucket; undefined if the service answers the links itself. */
export function bucketOrigin(place: string): string | undefined {
  if (!place.startsWith("s3:")) return undefined;
  const { bucket, region, endpoint, publicEndpoint, pathStyle } = toBucket(place) as {
    [name in "bucket" | "region"]: string;
  } & { endpoint?: string; publicEndpoint?: string; pathStyle?: true };
  const base = new URL(publicEndpoint ?? endpoint ?? `https://s3.${region}.amazonaws.com`);
  return pathStyle ? base.origin : `${base.protocol}//${bucket}.${base.host}`;
}

function readVoices(file: string): Voice[] {
  const checked = checkValue(voicesSchema, readDocument(file, readText(file, "media.voices")).value);
  if ("value" in checked) return checked.value;
  throw new ConfigError(`media.voices: ${file}: ${checked.faults.slice(0, 5).map(describeFault).join("; ")}`);
}

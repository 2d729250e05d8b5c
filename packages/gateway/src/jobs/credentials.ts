import type { Credential, Service } from "@manifold-gateway/providers";
import {
  type CredentialCall,
  credentialFaultOf,
  noteAccepted,
  noteRefused,
} from "@manifold-gateway/providers/routing";
import type { Job } from "@manifold-gateway/store";
import type { CredentialChoice } from "../ports/routing.ts";
import { credentialOf } from "./course.ts";
import type { SubmitReply } from "./deps.ts";
import type { LeasedJob } from "./leased-job.ts";

/** A service with one of its credentials. */
export const calledWith = (service: Service, credential: Credential | undefined): Service =>
  credential ? { ...service, key: credential.key } : service;

/**
 * The service as a job calls it. Work that a provider has begun stays with the credential that submitted it, because
 * other accounts cannot find it there; `undefined` if that credential is no longer configured.
 */
export function serviceOf(service: Service, job: Pick<Job, "phase" | "course">): Service | undefined {
  const { credentials } = service;
  const name = job.phase === "unsent" ? undefined : credentialOf(job);
  if (!credentials || name === undefined) return service;
  const submitted = credentials.find((credential) => credential.name === name);
  return submitted && calledWith(service, submitted);
}

/** The credentials for one submission: the present one, and those that were refused before. */
export interface CredentialTurn {
  present(): Credential | undefined;
  /** Records a provider's answer. True if it refused the present credential and there is another. */
  goesOn(answer: SubmitReply): boolean;
  /** Milliseconds until one of the credentials is tried again; `undefined` if there is only one. */
  pause(): number | undefined;
}

const single: CredentialTurn = { present: () => undefined, goesOn: () => false, pause: () => undefined };

/** Picks the credentials for submitting a job, if its provider has several. */
export function credentialTurn({ deps, job }: LeasedJob, { credentials }: Service): CredentialTurn {
  const pool = deps.providers.credentials;
  if (!pool || !credentials) return single;
  const provider = job.entry?.provider ?? "";
  const choice: CredentialChoice = { credentials, identity: () => job.id };
  const refused: CredentialCall[] = [];
  let present = pool.pick(choice);
  return {
    present: () => present,
    goesOn(answer) {
      if (!present) return false;
      if (!("trouble" in answer) || !answer.trouble) {
        noteAccepted(pool, provider, present, refused);
        return false;
      }
      const { kind, status, retryAfter } = answer.trouble;
      // Another credential would not help against moderation.
      if (status === undefined || credentialFaultOf(status) === undefined || kind === "moderated")
        return false;
      const call = { credential: present, status };
      noteRefused(pool, provider, call, retryAfter === undefined ? undefined : retryAfter / 1000);
      refused.push(call);
      const tried = refused.map(({ credential }) => credential);
      const other = pool.pick(choice, tried);
      present = other ?? present;
      return other !== undefined;
    },
    pause: () => pool.pauseOf(credentials),
  };
}

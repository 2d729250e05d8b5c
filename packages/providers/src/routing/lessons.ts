import type { Traits } from "@manifold-gateway/core/codec";
import type { UpstreamProtocol } from "../provider.ts";

/** A model, by its provider's id and its provider's name for it. */
export interface ProviderModel {
  /** The provider's id. */
  provider: string;
  /** The provider's name for the model. */
  name: string;
}

/** What a provider's refusal showed of one of its models. */
export interface Lesson {
  /** The provider's id, and its name for the model. */
  provider: string;
  /** The provider's name for the model. */
  name: string;
  /** The protocol of the refused request. */
  protocol: UpstreamProtocol;
  /** What the refusal showed. */
  traits: Traits;
  /** The provider's words. */
  because: string;
  /** When it was learnt, and when it is forgotten, in milliseconds since the epoch. */
  at: number;
  /** When it is forgotten, in milliseconds since the epoch. */
  until: number;
}

/** All that was learnt about a model on a protocol. The same object as long as nothing changes. */
export interface Learnt {
  /** The oldest first. */
  lessons: readonly Lesson[];
  /** The traits of all lessons. */
  traits: Traits;
}

/** The traits that refusals have shown, in this process, each for a day. */
export interface LearntTraits {
  /** All that is known of a model on a protocol; `undefined` if nothing is. */
  of(entry: ProviderModel, protocol: UpstreamProtocol): Learnt | undefined;
  /** Adds a lesson; `undefined` if one from these words was rejected. */
  add(
    entry: ProviderModel,
    protocol: UpstreamProtocol,
    refusal: Pick<Lesson, "traits" | "because">,
  ): Lesson | undefined;
  /** Records that a request was accepted because of a lesson. */
  prove(lesson: Lesson): void;
  /** Takes a lesson back of which nothing is known yet. */
  retract(lesson: Lesson): void;
  /** Takes a lesson back that did not help, unless it is proven, and ignores its words until it would have ended. */
  reject(lesson: Lesson): void;
  /** Every lesson. */
  all(): Lesson[];
}

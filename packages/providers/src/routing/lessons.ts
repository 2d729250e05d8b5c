import type { Traits } from "@manifold-gateway/core/codec";
import type { UpstreamProtocol } from "../provider.ts";

/** A model, by its provider's id and its provider's name for it. */
export interface ProviderModel {
  provider: string;
  name: string;
}

/** What a provider's refusal showed of one of its models. */
export interface Lesson {
  /** The provider's id, and its name for the model. */
  provider: string;
  name: string;
  protocol: UpstreamProtocol;
  traits: Traits;
  /** The provider's words. */
  because: string;
  /** When it was learnt, and when it is forgotten, in milliseconds since the epoch. */
  at: number;
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
  takeBack(lesson: Lesson): void;
  /** Takes a lesson back that did not help, unless it is proven, and ignores its words until it would have ended. */
  reject(lesson: Lesson): void;
  all(): Lesson[];
}

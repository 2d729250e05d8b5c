import type { Event } from "@manifold-gateway/core/ir";
import { grammarFaults } from "@manifold-gateway/testing";
import { expect } from "vitest";

export const expectGrammar = (events: readonly Event[]): void => expect(grammarFaults(events)).toEqual([]);

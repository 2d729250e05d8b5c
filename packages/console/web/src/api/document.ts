import { useQuery } from "@tanstack/preact-query";
import type { Schema } from "../play/schema-form.ts";
import { refusalOf } from "./client.ts";
import { reach, toIncoming } from "./reach.ts";

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Operation {
  tags?: string[];
  summary?: string;
  description?: string;
  deprecated?: boolean;
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: {
    content: Record<string, { schema?: unknown; examples?: Record<string, { value: unknown }> }>;
  };
  responses: Record<string, { description?: string; content?: Record<string, { schema?: unknown }> }>;
}

/** The service's own description of its routes. */
export interface ApiDocument {
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

async function read(signal: AbortSignal): Promise<ApiDocument> {
  const response = await reach("/openapi.json", { signal });
  if (!response.ok) throw await refusalOf(response, "/openapi.json");
  return (await toIncoming(response).json()) as ApiDocument;
}

/** The document; it does not change while the service runs. */
export const useDocument = () =>
  useQuery({
    queryKey: ["openapi"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => read(signal),
  });

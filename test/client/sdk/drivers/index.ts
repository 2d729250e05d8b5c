import type { Driver } from "../driver.ts";
import { agentsDrivers } from "./agents.ts";
import { aiDrivers } from "./ai.ts";
import { anthropic } from "./anthropic.ts";
import { genai } from "./genai.ts";
import { langchainDrivers } from "./langchain.ts";
import { mistral } from "./mistral.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import { openrouter } from "./openrouter.ts";

export const drivers: Driver[] = [
  openaiChat,
  openaiResponses,
  anthropic,
  genai,
  ...aiDrivers,
  ...langchainDrivers,
  mistral,
  openrouter,
  ...agentsDrivers,
];

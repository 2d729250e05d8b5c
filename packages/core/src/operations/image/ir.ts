import type { Extra } from "../../ir/part.ts";
import type { PartSource } from "../content.ts";

/** A picture to start from. */
export interface ImageInput {
  source: PartSource;
  /** JSON pointer into the caller's request: `/content/2`. */
  at: string;
}

/** The canonical image request. Parameters carry the names that capabilities know them by. */
export interface ImageAsk {
  model: string;
  /** All text parts, joined by line ends. */
  prompt: string;
  images: ImageInput[];
  /** `<width>x<height>`, or a word that the model knows. */
  size?: string;
  /** Default 1. */
  numberOfImages?: number;
  guidanceScale?: number;
  outputFormat?: string;
  quality?: string;
  background?: string;
  outputCompression?: number;
  responseFormat?: string;
  /** Default false, which is written out for wires that add a mark by default. */
  watermark?: boolean;
  optimizePromptOptions?: { mode?: "standard" | "fast" };
  maxTokens?: number;
  style?: string;
  /** The end user, in the caller's words. No parameter of a model. */
  user?: string;
  extra?: Extra;
}

/** One picture: bytes or an address, and what is known of it. */
export interface ImageOutput {
  /** The provider's own address; it expires. */
  url?: string;
  b64?: string;
  mediaType?: string;
  size?: string;
  /** The prompt as the model revised it. */
  revisedPrompt?: string;
  /** Set once it is archived. */
  downloadUrl?: string;
  assetId?: string;
}

/** Counts as the provider reported them. `generatedImages` is always known. */
export interface ImageUsage {
  generatedImages: number;
  totalTokens?: number;
  inputTokens?: number;
  outputTokens?: number;
  inputImageTokens?: number;
  outputImageTokens?: number;
  usdCost?: number;
}

export interface ImageResult {
  images: ImageOutput[];
  usage: ImageUsage;
  /** The reason why there are fewer pictures than requested, if the provider gave it. */
  missing?: string[];
  background?: string;
  outputFormat?: string;
  quality?: string;
  size?: string;
}

/** A picture that is not finished yet. */
export interface ImagePreview {
  b64: string;
  /** From 0. */
  index: number;
  background?: string;
  outputFormat?: string;
  quality?: string;
  size?: string;
}

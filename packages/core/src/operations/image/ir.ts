import type { Extra } from "../../ir/part.ts";
import type { PartSource } from "../content.ts";

/** A picture to start from. */
export interface ImageInput {
  /** Where its bytes are. */
  source: PartSource;
  /** JSON pointer into the caller's request: `/content/2`. */
  at: string;
  /** `mask`: shows by what is transparent which part of the first picture may change. */
  role?: "mask";
}

/** The canonical image request. Parameters carry the names that capabilities know them by. */
export interface ImageAsk {
  /** The model, by the caller's name for it. */
  model: string;
  /** All text parts, joined by line ends. */
  prompt: string;
  /** Pictures to start from, in the caller's order. */
  images: ImageInput[];
  /** `<width>x<height>`, or a word that the model knows. */
  size?: string;
  /** Default 1. */
  numberOfImages?: number;
  /** How closely the picture follows the prompt; the range is the model's. */
  guidanceScale?: number;
  /** `png`, `jpeg`, `webp`: what the model can write. */
  outputFormat?: string;
  /** A word of the model's: `low`, `high`, `hd`. */
  quality?: string;
  /** `transparent`, `opaque` or `auto`. */
  background?: string;
  /** Percent, for formats that compress with loss. */
  outputCompression?: number;
  /** `url` or `b64_json`: how pictures are handed over. */
  responseFormat?: string;
  /** Default false, which is written out for wires that add a mark by default. */
  watermark?: boolean;
  /** Rewriting of the prompt by the model, thorough or fast. */
  optimizePromptOptions?: { mode?: "standard" | "fast" };
  /** The most tokens that the answer may have, for models that count them. */
  maxTokens?: number;
  /** A word of the model's: `vivid`, `natural`. */
  style?: string;
  /** The end user, in the caller's words. No parameter of a model. */
  user?: string;
  /** Members of the request that only its own protocol knows. */
  extra?: Extra;
}

/** One picture: bytes or an address, and what is known of it. */
export interface ImageOutput {
  /** The provider's own address; it expires. */
  url?: string;
  /** Its bytes, in base64. */
  b64?: string;
  /** `image/png`, as the provider gave it. */
  mediaType?: string;
  /** `<width>x<height>`. */
  size?: string;
  /** The prompt as the model revised it. */
  revisedPrompt?: string;
  /** Set once it is archived. */
  downloadUrl?: string;
  /** The service's id of the archived picture, for later requests. */
  assetId?: string;
}

/** Counts as the provider reported them. `generatedImages` is always known. */
export interface ImageUsage {
  /** Pictures that were made. */
  generatedImages: number;
  /** Tokens of request and answer. */
  totalTokens?: number;
  /** Tokens of the request. */
  inputTokens?: number;
  /** Tokens of the answer. */
  outputTokens?: number;
  /** Those of `inputTokens` that stand for images. */
  inputImageTokens?: number;
  /** Those of `outputTokens` that stand for images. */
  outputImageTokens?: number;
  /** US dollars that the provider says it charged. */
  usdCost?: number;
}

/** Finished pictures and what they took. */
export interface ImageResult {
  /** The pictures, in the provider's order. */
  images: ImageOutput[];
  /** What was counted. */
  usage: ImageUsage;
  /** The reason why there are fewer pictures than requested, if the provider gave it. */
  missing?: string[];
  /** The background that was used. */
  background?: string;
  /** The format of the files. */
  outputFormat?: string;
  /** The quality that was used. */
  quality?: string;
  /** The size that was used: `<width>x<height>`. */
  size?: string;
}

/** A picture that is not finished yet. */
export interface ImagePreview {
  /** Its bytes, in base64. */
  b64: string;
  /** From 0. */
  index: number;
  /** The background that is used. */
  background?: string;
  /** The format of its bytes. */
  outputFormat?: string;
  /** The quality that is used. */
  quality?: string;
  /** `<width>x<height>`. */
  size?: string;
}

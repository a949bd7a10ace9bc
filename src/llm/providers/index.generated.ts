// Written by scripts/generate-indexes.ts; do not edit.
import anthropic from "./anthropic.ts";
import google from "./google.ts";
import none from "./none.ts";
import ollama from "./ollama.ts";
import onnx from "./onnx.ts";
import openaiCompatible from "./openai-compatible.ts";
import openai from "./openai.ts";
import openrouter from "./openrouter.ts";
import replaySimilar from "./replay-similar.ts";
import replay from "./replay.ts";
import scripted from "./scripted.ts";

export const modelProviders = [anthropic, google, none, ollama, onnx, openai, openaiCompatible, openrouter, replay, replaySimilar, scripted] as const;

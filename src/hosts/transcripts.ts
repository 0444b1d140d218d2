import { claudeTranscript } from "./claude-code/transcript.ts";
import type { TranscriptFormat } from "./transcript.ts";

/** The transcripts the product can read, by the host's name. Apart from `HOSTS`, since no hook needs them. */
export const TRANSCRIPTS: Record<string, TranscriptFormat> = { "claude-code": claudeTranscript };

/** Larger bodies are compressed for clients that accept it. */
export const minimumCompressionBytes = 1024;

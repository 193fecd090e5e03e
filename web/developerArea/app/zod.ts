// Zod would compile its parsers with `new Function`, which the page's content security policy forbids. It must be told so before
// the first schema is made, so every schema of this page imports zod from here.
import { config } from "zod/mini";

config({ jitless: true });

export * from "zod/mini";

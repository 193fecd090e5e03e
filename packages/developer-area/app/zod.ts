// Zod compiles parsers with `new Function` by default, which the page's content security policy forbids. The setting must precede the
// first schema, so every schema of this page imports zod from here.
import { config } from "zod/mini";

config({ jitless: true });

export * from "zod/mini";

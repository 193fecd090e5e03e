import { join } from "node:path";
import type { Rolldown } from "vite";

interface PageFile {
  path: string;
  body: string | Buffer;
  /** True if the name contains a hash of the content. */
  isHashed: boolean;
}

/** Builds the page at `/developer` with its scripts and styles, whose names contain a hash of their content. */
export async function developerAreaFiles(): Promise<PageFile[]> {
  const { output } = await bundle();
  return output.map((file) => {
    const body = file.type === "chunk" ? file.code : Buffer.from(file.source);
    if (file.fileName === "index.html") return { path: "/developer", body, isHashed: false };
    return { path: `/developer/${file.fileName}`, body, isHashed: true };
  });
}

async function bundle(): Promise<Rolldown.RolldownOutput> {
  const { build } = await import("vite");
  const result = await inProduction(() =>
    build({
      root: join(import.meta.dirname, "app"),
      base: "/developer/",
      configFile: false,
      envDir: false,
      publicDir: false,
      logLevel: "error",
      build: {
        write: false,
        target: "es2023",
        modulePreload: { polyfill: false },
        reportCompressedSize: false,
        // The content security policy forbids fonts from data: URLs.
        assetsInlineLimit: 0,
      },
    }),
  );
  if (Array.isArray(result) || !("output" in result)) throw new Error("The build did not return a single output.");
  return result;
}

/** Vite reads NODE_ENV, and sets it if missing. A fixed value makes builds reproducible; afterwards the process gets its own value back. */
async function inProduction<Result>(work: () => Promise<Result>): Promise<Result> {
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = "production";
  try {
    return await work();
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

export * from "./developerAreaFiles.ts";
export * from "./page.ts";

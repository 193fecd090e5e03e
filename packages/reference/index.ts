export { type ReferenceFile, referenceContentSecurityPolicy, referenceFiles } from "./referenceFiles.ts";

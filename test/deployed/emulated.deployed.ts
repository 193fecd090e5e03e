/*
 * A stage that the real CDK deploys to an emulator of AWS: its distribution's function, its requests, then its releases, which change
 * and remove it, then the rights that all these calls needed.
 */
import "./viewerRequest.ts";
import "./requests.ts";
import "./releases.ts";
import "./rights.ts";

// The reference page: Scalar with this origin's document. Nothing is sent to another origin.
import { createApiReference } from "./scalar/standalone.esm.js";

createApiReference("#reference", {
  url: "/docs/reference.json",
  // Do not store the key of "try it".
  persistAuth: false,
  authentication: { preferredSecurityScheme: "apiKey" },
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  withDefaultFonts: false,
  documentDownloadType: "none",
  defaultOpenAllTags: true,
  orderSchemaPropertiesBy: "preserve",
  orderRequiredPropertiesFirst: false,
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  metaData: { title: "Ticketing API reference" },
});

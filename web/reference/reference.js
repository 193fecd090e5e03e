// The reference page: Scalar on the document of this origin, without anything that would leave it.
import { createApiReference } from "./scalar/standalone.esm.js";

createApiReference("#reference", {
  url: "/openapi.json",
  // The key in "try it" goes with the page: it is kept in no storage.
  persistAuth: false,
  authentication: { preferredSecurityScheme: "apiKey" },
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  withDefaultFonts: false,
  documentDownloadType: "json",
  defaultOpenAllTags: true,
  orderSchemaPropertiesBy: "preserve",
  orderRequiredPropertiesFirst: false,
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  metaData: { title: "Ticketing API reference" },
});

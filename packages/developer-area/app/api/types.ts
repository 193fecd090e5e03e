import type { components } from "./schema.ts";

type Schemas = components["schemas"];
export type ApiKey = Schemas["ApiKey"];
export type Activity = Schemas["Activity"];
export type UsageDay = Schemas["KeyUsageDay"];
export type KeyFailure = Schemas["KeyFailure"];
export type ApiKeyInput = Schemas["ApiKeyInput"];
export type Scope = Schemas["Scope"];
export type Webhook = Schemas["Webhook"];
export type WebhookDelivery = Schemas["WebhookDelivery"];
export type WebhookTest = Schemas["WebhookTest"];
export type WebhookUpdate = Schemas["WebhookUpdate"];

// Made by "npm run client:generate" from the OpenAPI document.
export interface paths {
  "/admin/api-keys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List API keys, newest first
     * @description Active and revoked keys, ordered by `created` descending.
     *
     *     Only for super-admins of the organisation.
     */
    get: operations["listApiKeys"];
    put?: never;
    /**
     * Create an API key
     * @description Only this response shows the whole secret, of which the service stores only a hash. Always send an `Idempotency-Key`, because your HTTP library may repeat the request although your program does not. If the response is lost, the same request with the key gets 409 with the id of the key in `key_id`. Revoke that key, and create another with a new `Idempotency-Key`.
     *
     *     Only for super-admins of the organisation.
     */
    post: operations["createApiKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/api-keys/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Rename an API key
     * @description The key itself, its scopes and its users are not affected. A revoked key can be renamed too.
     *
     *     Only for super-admins of the organisation.
     */
    patch: operations["updateApiKey"];
    trace?: never;
  };
  "/admin/api-keys/{id}/revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Revoke an API key permanently
     * @description Every request with the key gets 401 once this responds. This cannot be undone. Revoking a key again succeeds and changes nothing.
     *
     *     Only for super-admins of the organisation.
     */
    post: operations["revokeApiKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/api-keys/{id}/usage": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the usage of an API key by day
     * @description Counts the requests that reached an operation. Requests that the gateway refused, such as those with a revoked key, are not counted.
     *
     *     Only for super-admins of the organisation.
     */
    get: operations["getApiKeyUsage"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/api-keys/{id}/failures": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the refused and failed requests of an API key, latest first
     * @description The requests of at least the last 7 days whose status was 400 or more, also those after the key was revoked. Of many at once, only the last are kept.
     *
     *     Only for super-admins of the organisation.
     */
    get: operations["listApiKeyFailures"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/api-key-failures": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the refused and failed requests of all API keys, latest first
     * @description The requests of at least the last 7 days whose status was 400 or more, also those with a revoked key. Of many at once, only the last are kept.
     *
     *     Only for super-admins of the organisation.
     */
    get: operations["listAllApiKeyFailures"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/api-key-activity": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List what was done to API keys and webhooks, newest first
     * @description The audit trail of the organisation's keys and webhooks, ordered by `time` descending. Entries are never changed.
     *
     *     Only for super-admins of the organisation.
     */
    get: operations["listApiKeyActivity"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/webhooks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List webhooks, newest first
     * @description Only for super-admins of the organisation.
     */
    get: operations["listWebhooks"];
    put?: never;
    /**
     * Create a webhook
     * @description It sends the changes that the service accepts from now on. Only this response, and that of a rotation, shows the signing secret. Always send an `Idempotency-Key`, because your HTTP library may repeat the request although your program does not. If the response is lost, the same request with the key returns the same webhook again.
     *
     *     Only for super-admins of the organisation.
     */
    post: operations["createWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/webhooks/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a webhook
     * @description Only for super-admins of the organisation.
     */
    get: operations["getWebhook"];
    put?: never;
    post?: never;
    /**
     * Delete a webhook
     * @description A message that is being sent may still arrive. This cannot be undone.
     *
     *     Only for super-admins of the organisation.
     */
    delete: operations["deleteWebhook"];
    options?: never;
    head?: never;
    /**
     * Change, pause or continue a webhook
     * @description A webhook that becomes `active` continues after the last delivered change. If that is more than 30 days ago, it begins anew and says so in a message of the type `restart`.
     *
     *     Only for super-admins of the organisation.
     */
    patch: operations["updateWebhook"];
    trace?: never;
  };
  "/admin/webhooks/{id}/rotate-secret": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Make a new signing secret
     * @description The secret before signs beside the new one for 24 hours. Until then, or until `PATCH` ends it, another rotation gets 409. Always send an `Idempotency-Key`, because your HTTP library may repeat the request although your program does not. If the response is lost, the same request with the key returns the same secret again.
     *
     *     Only for super-admins of the organisation.
     */
    post: operations["rotateWebhookSecret"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/webhooks/{id}/test": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test message
     * @description Sends a signed message of the type `test` now, also for a webhook that is not active, and returns what the receiver responded. It changes nothing.
     *
     *     Only for super-admins of the organisation.
     */
    post: operations["testWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/webhooks/{id}/replay": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send changes again
     * @description Moves the webhook back to a time within the last 30 days, from which it sends all changes again, each resource at its latest change. Messages usually begin after seven seconds, at most after about a minute.
     *
     *     Only for super-admins of the organisation.
     */
    post: operations["replayWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/webhooks/{id}/deliveries": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List a webhook's attempts to deliver messages, latest first
     * @description The attempts of at least the last 7 days. Receivers' responses are not stored.
     *
     *     Only for super-admins of the organisation.
     */
    get: operations["listWebhookDeliveries"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description An entry of the audit trail of API keys and webhooks. Entries never change. */
    Activity: {
      /** @description Entry id. */
      id: string;
      /**
       * @description The kind of object that changed.
       * @enum {string}
       */
      kind: "api_key" | "webhook";
      /**
       * @description The action.
       * @enum {string}
       */
      action:
        | "created"
        | "revoked"
        | "renamed"
        | "changed"
        | "deleted"
        | "secret_rotated"
        | "earlier_secret_ended"
        | "replayed";
      /**
       * Format: date-time
       * @description When it happened.
       */
      time: string;
      /** @description Name of the person at the time: the e-mail address, if known. */
      actor: string;
      /** @description The identity provider's id of the person, which never changes. */
      actor_id: string;
      /** @description Id of the key; null for webhooks. */
      key_id: string | null;
      /** @description Name of the key; null for webhooks. */
      key_name: string | null;
      /** @description First 12 characters of the key; null for webhooks. */
      key_prefix: string | null;
      /** @description The name before `renamed`; otherwise null. */
      former_name: string | null;
      /** @description The scopes granted to a key by `created`; otherwise null. */
      scopes: components["schemas"]["Scope"][] | null;
      /** @description Id of the webhook; null for keys. */
      webhook_id: string | null;
      /** @description The webhook's URL after the action, without its query; null for keys. */
      url: string | null;
    };
    /** @description One page of the list. */
    ActivityPage: {
      /** @description The rows of this page, in the list's order. */
      data: components["schemas"]["Activity"][];
      pagination: components["schemas"]["Pagination"];
    };
    /** @description An API key of the organisation. */
    ApiKey: {
      /** @description Key id, used to revoke the key. */
      id: string;
      /** @description Label, which can be changed. */
      name: string;
      /** @description First 12 characters of the key, to distinguish keys. */
      prefix: string;
      /** @description Scopes granted at creation. They never change. */
      scopes: components["schemas"]["Scope"][];
      /**
       * Format: date-time
       * @description When the key was created.
       */
      created: string;
      /**
       * Format: date-time
       * @description When the key was last used, to within 60 seconds; null if never.
       */
      last_used: string | null;
      /**
       * @description `revoked` is permanent.
       * @enum {string}
       */
      status: "active" | "revoked";
      /** @description True while the organisation is suspended: its keys get 401 until the platform team resumes it. */
      suspended: boolean;
      /** @description Name of the person who created the key. */
      created_by: string;
      /**
       * Format: date-time
       * @description When the key was revoked; null while it is active.
       */
      revoked: string | null;
      /** @description Name of the person who revoked the key; null while it is active. */
      revoked_by: string | null;
    };
    /** @description The name and scopes of a new API key. */
    ApiKeyInput: {
      /** @description A label that shows people what uses the key. White space is collapsed. */
      name: string;
      /** @description The key's scopes. `read` is always added. */
      scopes: components["schemas"]["Scope"][];
    };
    /** @description One page of the list. */
    ApiKeyPage: {
      /** @description The rows of this page, in the list's order. */
      data: components["schemas"]["ApiKey"][];
      pagination: components["schemas"]["Pagination"];
    };
    /** @description What to change. */
    ApiKeyUpdate: {
      /** @description A label that shows people what uses the key. White space is collapsed. */
      name: string;
    };
    /**
     * @description What happened. `upserted`: created, changed or restored.
     * @enum {string}
     */
    ChangeKind: "upserted" | "deleted";
    /** @description Resources changed. Run the sync, or read each of them. */
    ChangesMessage: {
      /**
       * @description The kind of message. Ignore kinds that you do not know.
       * @constant
       */
      type: "changes";
      /**
       * Format: date-time
       * @description When the message was sent.
       */
      timestamp: string;
      data: components["schemas"]["ChangesMessageData"];
    };
    /** @description The data of a message of changes. */
    ChangesMessageData: {
      /**
       * Format: int64
       * @description The webhook's organisation.
       */
      organisation_id: number;
      /** @description Another message follows within seconds. */
      has_more: boolean;
      /** @description Up to 100 changes and deletions, oldest first. */
      changes: components["schemas"]["WebhookChange"][];
    };
    /** @description The new API key, with its secret. */
    CreatedApiKey: {
      /** @description Key id, used to revoke the key. */
      id: string;
      /** @description Label, which can be changed. */
      name: string;
      /** @description First 12 characters of the key, to distinguish keys. */
      prefix: string;
      /** @description Scopes granted at creation. They never change. */
      scopes: components["schemas"]["Scope"][];
      /**
       * Format: date-time
       * @description When the key was created.
       */
      created: string;
      /**
       * Format: date-time
       * @description When the key was last used, to within 60 seconds; null if never.
       */
      last_used: string | null;
      /**
       * @description `revoked` is permanent.
       * @enum {string}
       */
      status: "active" | "revoked";
      /** @description True while the organisation is suspended: its keys get 401 until the platform team resumes it. */
      suspended: boolean;
      /** @description Name of the person who created the key. */
      created_by: string;
      /**
       * Format: date-time
       * @description When the key was revoked; null while it is active.
       */
      revoked: string | null;
      /** @description Name of the person who revoked the key; null while it is active. */
      revoked_by: string | null;
      /** @description The whole secret. Only this response shows it. */
      key: string;
    };
    /** @description One invalid value, identified by `parameter` or `pointer`. */
    InvalidValue: {
      /** @description Name of the invalid query parameter or header. */
      parameter?: string;
      /** @description JSON pointer (RFC 6901) to the invalid member of the body. */
      pointer?: string;
      /** @description Why the value is invalid, for the client's developer. */
      detail: string;
    };
    /** @description A refused or failed request of an API key. */
    KeyFailure: {
      /**
       * Format: date-time
       * @description When the request came.
       */
      time: string;
      /** @description Id of the key. */
      key_id: string;
      /** @description The operation, as in the OpenAPI document; null if the key itself was refused. */
      operation_id: string | null;
      /** @description The HTTP method. */
      method: string;
      /** @description The path, without the query. `{id}` replaces what is not an id. */
      path: string;
      /**
       * Format: int64
       * @description The HTTP status of the response.
       */
      status: number;
      /** @description The `code` of the error. */
      code: string;
      /** @description The `detail` of the error. */
      detail: string;
      /** @description The scope that the key lacks, if that was the reason. */
      required_scope: string | null;
      /** @description The invalid parameters by name and the invalid members by JSON pointer, without their values; `(unknown name)` for one that the operation does not declare. */
      parameters: string[];
      /** @description What is wrong with each of `parameters`, in the same order, as the response said. */
      reasons: string[] | null;
      /** @description Quote this id when you ask for help. */
      request_id: string;
    };
    /** @description One page of the list. */
    KeyFailurePage: {
      /** @description The rows of this page, in the list's order. */
      data: components["schemas"]["KeyFailure"][];
      pagination: components["schemas"]["Pagination"];
    };
    /** @description The requests of an API key by day. The latest minute may be missing. */
    KeyUsage: {
      /** @description Each of the days, the latest last, also those without requests. */
      days: components["schemas"]["KeyUsageDay"][];
      /** @description The operations called in these days, the most frequent first. */
      operations: components["schemas"]["KeyUsageOperation"][];
    };
    /** @description The requests of a key on one day. */
    KeyUsageDay: {
      /**
       * Format: date
       * @description The day in UTC.
       */
      date: string;
      /**
       * Format: int64
       * @description Number of requests.
       */
      requests: number;
      /**
       * Format: int64
       * @description Number of responses with a status from 400 to 499.
       */
      client_errors: number;
      /**
       * Format: int64
       * @description Number of responses with a status of 500 or more.
       */
      server_errors: number;
      /**
       * Format: int64
       * @description Number of further requests that got 401 because the key was revoked or the organisation suspended. `requests` does not include them.
       */
      refused: number;
    };
    /** @description How often a key called an operation. */
    KeyUsageOperation: {
      /** @description The operation, as in the OpenAPI document. */
      operation_id: string;
      /**
       * Format: int64
       * @description Number of requests.
       */
      requests: number;
    };
    /** @description The data of a message without changes. */
    MessageData: {
      /**
       * Format: int64
       * @description The webhook's organisation.
       */
      organisation_id: number;
    };
    /** @description Position of this page in the list. */
    Pagination: {
      /**
       * Format: int64
       * @description The request's `per_page`, or the default.
       */
      per_page: number;
      /** @description True if another page follows. */
      has_more: boolean;
      /** @description The `cursor` for the next page; null on the last page. */
      next_cursor: string | null;
    };
    /** @description An error, as RFC 9457 problem details. */
    Problem: {
      /**
       * @description Always `about:blank`; use `code` to distinguish errors.
       * @constant
       */
      type: "about:blank";
      /** @description Name of the HTTP status. */
      title: string;
      /**
       * Format: int64
       * @description The HTTP status.
       */
      status: number;
      /**
       * @description The kind of error. Stable, for programs.
       * @enum {string}
       */
      code:
        | "invalid_request"
        | "unauthorized"
        | "forbidden"
        | "not_found"
        | "method_not_allowed"
        | "conflict"
        | "cursor_expired"
        | "precondition_failed"
        | "payload_too_large"
        | "unsupported_media_type"
        | "expectation_failed"
        | "idempotency_mismatch"
        | "rate_limited"
        | "internal_error"
        | "service_unavailable";
      /** @description The cause, for the client's developer. The wording may change. */
      detail: string;
      /** @description Only with `invalid_request`: the first 20 invalid values. */
      errors?: components["schemas"]["InvalidValue"][];
      /**
       * Format: int64
       * @description Number of further invalid values, if any.
       */
      more_errors?: number;
      /** @description Only with `forbidden`: the scope that the key lacks. */
      required_scope?: components["schemas"]["Scope"];
      /** @description Only with `conflict` of `createApiKey`: the key that an earlier request with this `Idempotency-Key` created. */
      key_id?: string;
      /** @description Quote this id when you ask for help. Also in `X-Request-Id`. */
      request_id: string;
    };
    /** @description Where to continue. */
    Replay: {
      /**
       * Format: date-time
       * @description Send the changes again that the service accepted at this time or later, at most 30 days ago. Without an offset it counts as UTC.
       */
      from: string;
    };
    /** @description The webhook was off for more than 30 days, so deletions may be missing. Copy everything anew. */
    RestartMessage: {
      /**
       * @description The kind of message. Ignore kinds that you do not know.
       * @constant
       */
      type: "restart";
      /**
       * Format: date-time
       * @description When the message was sent.
       */
      timestamp: string;
      data: components["schemas"]["MessageData"];
    };
    /**
     * @description `read`: every read endpoint; every key has it. `write:balance_payments`: recording balance payments and refunds. `write:orders`: updating an order's admin note.
     * @enum {string}
     */
    Scope: "read" | "write:balance_payments" | "write:orders";
    /** @description Somebody tests the webhook. Do nothing. */
    TestMessage: {
      /**
       * @description The kind of message. Ignore kinds that you do not know.
       * @constant
       */
      type: "test";
      /**
       * Format: date-time
       * @description When the message was sent.
       */
      timestamp: string;
      data: components["schemas"]["MessageData"];
    };
    /** @description A receiver of the organisation's changes. */
    Webhook: {
      /** @description Id of the webhook. */
      id: string;
      /** @description Where messages are posted. */
      url: string;
      /** @description A note for people. */
      description: string | null;
      /** @description The types whose changes are sent; null for all. */
      types:
        | (
            | "event"
            | "event_date"
            | "ticket_category"
            | "order"
            | "ticket"
            | "payment"
            | "discount"
            | "attendee"
            | "balance_payment"
          )[]
        | null;
      /**
       * @description `disabled`: the receiver failed for five days, or responded with 410. Set `active` to continue.
       * @enum {string}
       */
      status: "active" | "paused" | "disabled";
      /**
       * Format: date-time
       * @description When the webhook was created.
       */
      created: string;
      /** @description Name of the person who created it. */
      created_by: string;
      /**
       * Format: date-time
       * @description When the service accepted the latest change that was delivered; null if none was.
       */
      delivered_until: string | null;
      /**
       * Format: date-time
       * @description When the first of the failed attempts in a row failed; null if the last one succeeded, or the URL was changed since.
       */
      failing_since: string | null;
      /**
       * Format: date-time
       * @description When the service next looks for changes to send, which can be up to a minute later: after an attempt, the creation or a change of the webhook; null while it waits for a change.
       */
      next_attempt: string | null;
      /**
       * Format: date-time
       * @description Until when the secret before the last rotation signs, too. A time that has passed, and null, mean that one secret signs.
       */
      earlier_secret_until: string | null;
    };
    /** @description Which resource changed. Read it with an API key. */
    WebhookChange: {
      /**
       * @description The kind of resource.
       * @enum {string}
       */
      type:
        | "event"
        | "event_date"
        | "ticket_category"
        | "order"
        | "ticket"
        | "payment"
        | "discount"
        | "attendee"
        | "balance_payment";
      /**
       * Format: int64
       * @description The resource's id.
       */
      id: number;
      /**
       * Format: int64
       * @description Only of the types `ticket_category` and `balance_payment`, which are read as lists of their event; null if it was deleted.
       */
      event_id?: number | null;
      change: components["schemas"]["ChangeKind"];
      /**
       * Format: date-time
       * @description When this service accepted the change.
       */
      changed_at: string;
    };
    /** @description An attempt to deliver a message. */
    WebhookDelivery: {
      /** @description Id of the attempt. */
      id: string;
      /**
       * Format: date-time
       * @description When the attempt began.
       */
      time: string;
      /** @description The `webhook-id` of the message; the same for the same content. */
      message_id: string;
      /**
       * Format: int64
       * @description The number of changes in the message.
       */
      changes: number;
      /**
       * Format: int64
       * @description 1 for the first attempt after a success or a change of the webhook, 2 for its first retry, and so on.
       */
      attempt: number;
      /**
       * Format: int64
       * @description The status of the receiver's response; null without a response.
       */
      status: number | null;
      /**
       * Format: int64
       * @description How long the receiver took, in milliseconds.
       */
      duration_ms: number;
      /** @description Why there was no response; null with a response. */
      error: string | null;
      /** @description Whether the message begins with changes that a replay sends again. */
      replay: boolean;
    };
    /** @description One page of the list. */
    WebhookDeliveryPage: {
      /** @description The rows of this page, in the list's order. */
      data: components["schemas"]["WebhookDelivery"][];
      pagination: components["schemas"]["Pagination"];
    };
    /** @description A new webhook. */
    WebhookInput: {
      /** @description Where messages are posted: an https URL whose host has public addresses only, without credentials and without a fragment. */
      url: string;
      /** @description The types whose changes are sent: `event`, `event_date`, `ticket_category`, `order`, `ticket`, `payment`, `discount`, `attendee`, `balance_payment`. Null for all, including types that are added later. */
      types?:
        | (
            | "event"
            | "event_date"
            | "ticket_category"
            | "order"
            | "ticket"
            | "payment"
            | "discount"
            | "attendee"
            | "balance_payment"
          )[]
        | null;
      /** @description A note for people. */
      description?: string | null;
    };
    /** @description One page of the list. */
    WebhookPage: {
      /** @description The rows of this page, in the list's order. */
      data: components["schemas"]["Webhook"][];
      pagination: components["schemas"]["Pagination"];
    };
    /** @description What the receiver responded to a test message. */
    WebhookTest: {
      /**
       * Format: int64
       * @description The status of the receiver's response; null without a response.
       */
      status: number | null;
      /**
       * Format: int64
       * @description How long the receiver took, in milliseconds.
       */
      duration_ms: number;
      /** @description Why there was no response; null with a response. */
      error: string | null;
      /** @description Whether the whole message was sent: without a response, the receiver may have got it all the same. */
      sent: boolean;
      /** @description The first 1,024 bytes of the receiver's response. It is not stored. */
      response: string;
    };
    /** @description What to change. */
    WebhookUpdate: {
      /** @description Where messages are posted: an https URL whose host has public addresses only, without credentials and without a fragment. */
      url?: string;
      /** @description The types whose changes are sent: `event`, `event_date`, `ticket_category`, `order`, `ticket`, `payment`, `discount`, `attendee`, `balance_payment`. Null for all, including types that are added later. */
      types?:
        | (
            | "event"
            | "event_date"
            | "ticket_category"
            | "order"
            | "ticket"
            | "payment"
            | "discount"
            | "attendee"
            | "balance_payment"
          )[]
        | null;
      /** @description A note for people. */
      description?: string | null;
      /**
       * @description `paused` stops messages; `active` continues after the last delivered change, within seconds, also if it is active already.
       * @enum {string}
       */
      status?: "active" | "paused";
      /**
       * Format: date-time
       * @description May only be null, which ends the secret before the last rotation now: only the current one signs.
       */
      earlier_secret_until?: string | null;
    };
    /** @description A webhook with its signing secret. */
    WebhookWithSecret: {
      /** @description Id of the webhook. */
      id: string;
      /** @description Where messages are posted. */
      url: string;
      /** @description A note for people. */
      description: string | null;
      /** @description The types whose changes are sent; null for all. */
      types:
        | (
            | "event"
            | "event_date"
            | "ticket_category"
            | "order"
            | "ticket"
            | "payment"
            | "discount"
            | "attendee"
            | "balance_payment"
          )[]
        | null;
      /**
       * @description `disabled`: the receiver failed for five days, or responded with 410. Set `active` to continue.
       * @enum {string}
       */
      status: "active" | "paused" | "disabled";
      /**
       * Format: date-time
       * @description When the webhook was created.
       */
      created: string;
      /** @description Name of the person who created it. */
      created_by: string;
      /**
       * Format: date-time
       * @description When the service accepted the latest change that was delivered; null if none was.
       */
      delivered_until: string | null;
      /**
       * Format: date-time
       * @description When the first of the failed attempts in a row failed; null if the last one succeeded, or the URL was changed since.
       */
      failing_since: string | null;
      /**
       * Format: date-time
       * @description When the service next looks for changes to send, which can be up to a minute later: after an attempt, the creation or a change of the webhook; null while it waits for a change.
       */
      next_attempt: string | null;
      /**
       * Format: date-time
       * @description Until when the secret before the last rotation signs, too. A time that has passed, and null, mean that one secret signs.
       */
      earlier_secret_until: string | null;
      /** @description The signing secret, by Standard Webhooks. Only this response shows it. */
      secret: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listApiKeys: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiKeyPage"];
        };
      };
    };
  };
  createApiKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description A unique text for each new key. The same request with it within 24 hours creates no second key, and gets 409 with the id of the first in `key_id`. */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ApiKeyInput"];
      };
    };
    responses: {
      /** @description The new API key, with its secret. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreatedApiKey"];
        };
      };
    };
  };
  updateApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the API key. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ApiKeyUpdate"];
      };
    };
    responses: {
      /** @description An API key of the organisation. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiKey"];
        };
      };
    };
  };
  revokeApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the API key. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An API key of the organisation. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiKey"];
        };
      };
    };
  };
  getApiKeyUsage: {
    parameters: {
      query?: {
        /** @description Number of days, up to and including today in UTC. */
        days?: number;
      };
      header?: never;
      path: {
        /** @description Id of the API key. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The requests of an API key by day. The latest minute may be missing. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KeyUsage"];
        };
      };
    };
  };
  listApiKeyFailures: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Id of the API key. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KeyFailurePage"];
        };
      };
    };
  };
  listAllApiKeyFailures: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KeyFailurePage"];
        };
      };
    };
  };
  listApiKeyActivity: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ActivityPage"];
        };
      };
    };
  };
  listWebhooks: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookPage"];
        };
      };
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description A unique text for each new webhook or rotation. The same request with it within 24 hours gets the same webhook and secret, with `Idempotency-Replayed: true`. */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WebhookInput"];
      };
    };
    responses: {
      /** @description A webhook with its signing secret. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookWithSecret"];
        };
      };
    };
  };
  getWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the webhook. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A receiver of the organisation's changes. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Webhook"];
        };
      };
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the webhook. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; the response has no body. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  updateWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the webhook. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WebhookUpdate"];
      };
    };
    responses: {
      /** @description A receiver of the organisation's changes. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Webhook"];
        };
      };
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: {
        /** @description A unique text for each new webhook or rotation. The same request with it within 24 hours gets the same webhook and secret, with `Idempotency-Replayed: true`. */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Id of the webhook. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A webhook with its signing secret. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookWithSecret"];
        };
      };
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the webhook. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What the receiver responded to a test message. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookTest"];
        };
      };
    };
  };
  replayWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the webhook. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Replay"];
      };
    };
    responses: {
      /** @description A receiver of the organisation's changes. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Webhook"];
        };
      };
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Id of the webhook. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookDeliveryPage"];
        };
      };
    };
  };
}

export * from "./gateway.ts";
export { listen, portOf, type RequestHandler } from "./server.ts";

import { Event } from "../../functions/resources/event.ts";
import { ordinaryHandler } from "./ordinaryHandler.ts";

export const handler = ordinaryHandler(Event);

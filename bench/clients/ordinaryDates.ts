import { EventDate } from "../../functions/resources/eventDate.ts";
import { ordinaryHandler } from "./ordinaryHandler.ts";

export const handler = ordinaryHandler(EventDate);

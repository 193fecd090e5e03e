import * as z from "zod";

/** An amount of money in the smallest unit of its currency. */
export const Pence = z.int();

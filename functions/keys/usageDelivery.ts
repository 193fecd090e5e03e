/** For one delivery. A busy table may take few writes a second, and a repeated delivery writes again for what it has counted. */
export const consumerTimeoutMs = 5 * 60_000;

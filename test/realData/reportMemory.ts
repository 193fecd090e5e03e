/** Loaded into a process by `--import`: as its last act it tells the most memory that it held. */
process.once("exit", () => {
  process.stderr.write(`The most memory held: ${process.resourceUsage().maxRSS} KB\n`);
});

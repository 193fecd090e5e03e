/** Loaded into a process by `--import`; prints the process's maximum of memory when it exits. */
process.once("exit", () => {
  process.stderr.write(`Maximum memory: ${process.resourceUsage().maxRSS} KB\n`);
});

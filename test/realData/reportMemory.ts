/**
 * Loaded into a process by `--import`; prints the process's maximum of memory when it exits. The system's own maximum would be wrong: on Linux
 * it begins with the memory of the process that started this one.
 */
let maximum = 0;
const measure = () => {
  maximum = Math.max(maximum, process.memoryUsage.rss());
};
setInterval(measure, 10).unref();
process.on("exit", () => {
  measure();
  process.stderr.write(`Maximum memory: ${Math.round(maximum / 1024)} KB\n`);
});

/** CPU milliseconds that this process took so far: what a busy machine does not lengthen, as it does the time on the wall. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

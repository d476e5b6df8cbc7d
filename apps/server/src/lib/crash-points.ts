let armed: string | null = null

/** Arms one injection point by name (FAULT=…): the process kills itself when it gets there. Never in production. */
export function armCrashPoint(name: string | null) {
  armed = name
}

/**
 * A named point at which a test may kill the process with signal 9, to show that nothing is left half done.
 * Costs one comparison when nothing is armed.
 */
export function crashPoint(name: string) {
  if (armed === name) process.kill(process.pid, 'SIGKILL')
}

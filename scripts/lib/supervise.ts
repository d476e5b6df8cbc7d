import { type Child, type Exit, stopChild } from './children.ts'
import { watchNpm } from './npm.ts'

/** A terminal's Ctrl+C arrives once from the terminal and once from npm; this long it is one key press. */
const SAME_PRESS_MS = 500

const asExitCode = ({ code, signal }: Exit, asked: boolean) => (signal !== null ? (asked ? 0 : 1) : code)

/**
 * Runs children until the first of them ends or a signal asks for the end, then ends the others in order
 * (the first named first) and answers with the exit code to leave with.
 * The first signal is passed to the first child, which drains; a second one stops it without draining.
 */
export async function supervise(children: Child[]): Promise<number> {
  const [main, ...helpers] = children
  if (main === undefined) throw new Error('There is nothing to supervise.')
  let askedAt: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const again = askedAt !== undefined
      if (askedAt !== undefined && performance.now() - askedAt < SAME_PRESS_MS) return
      askedAt = performance.now()
      main.process.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
      if (again) console.error('Stopping at once.')
    })
  }
  const watch = watchNpm(() => {
    if (askedAt !== undefined) return
    askedAt = performance.now()
    main.process.kill('SIGTERM')
  })
  const first = await Promise.race(children.map(child => child.exited.then(exit => ({ child, exit }))))
  clearInterval(watch)
  const asked = askedAt !== undefined
  if (first.child !== main) {
    if (!asked) console.error(`${first.child.name} ended by itself (exit code ${first.exit.code}): stopping.`)
    const exit = asked ? await main.exited : await stopChild(main)
    await Promise.all(helpers.map(child => stopChild(child, 'SIGTERM', 5)))
    return asked ? asExitCode(exit, true) : 1
  }
  await Promise.all(helpers.map(child => stopChild(child, 'SIGTERM', 5)))
  return asExitCode(first.exit, asked)
}

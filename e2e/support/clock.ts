import { once } from 'node:events'
import { withServer } from './own-server.ts'
import { sandbox } from './places.ts'
import { test as base } from './test.ts'

const minutes = 60_000
const hours = 60 * minutes
export const after = { minutes, hours, days: 24 * hours }

export type Clocked = {
  /** Where the installation is whose clock this is. */
  at: string
  /** Turns its clock to so much later than it is, and back to now with nothing. */
  turn: (ms: number) => Promise<void>
}

/** An installation whose clock is turned: what ends by itself is seen to end. The tests of a file share it, one by one. */
export const test = base.extend<object, { clocked: Clocked }>({
  clocked: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern that nothing else is needed
    async ({}, use) => {
      const env = { SANDBOX: '1', SANDBOX_PORT: new URL(sandbox).port, TRUST_PROXY: 'loopback' }
      await withServer(
        env,
        async ({ origin, process: server }) => {
          const turn = async (ahead: number) => {
            const turned = once(server, 'message')
            server.send({ ahead })
            await turned
          }
          await use({ at: origin, turn })
        },
        ['./e2e/support/turned-clock.ts'],
      )
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ clocked }, use) => use(clocked.at),
})

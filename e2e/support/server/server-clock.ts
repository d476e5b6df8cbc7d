import { once } from 'node:events'
import { test as base } from '../test.ts'
import { sandboxUrl } from '../urls.ts'
import { withSeparateServer } from './separate-server.ts'

const minutes = 60_000
const hours = 60 * minutes
export const ms = { minutes, hours, days: 24 * hours }

export type ClockServer = {
  /** Where the installation is whose clock this is. */
  url: string
  /** Turns its clock to so much later than it is, and back to now with nothing. */
  setOffset: (ms: number) => Promise<void>
}

/** An installation whose clock is turned: what ends by itself is seen to end. The tests of a file share it, one by one. */
export const test = base.extend<object, { clockServer: ClockServer }>({
  clockServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern that nothing else is needed
    async ({}, use) => {
      const env = { SANDBOX: '1', SANDBOX_PORT: new URL(sandboxUrl).port, TRUST_PROXY: 'loopback' }
      await withSeparateServer(
        env,
        async ({ origin, process: server }) => {
          const setOffset = async (ahead: number) => {
            const turned = once(server, 'message')
            server.send({ ahead })
            await turned
          }
          await use({ url: origin, setOffset })
        },
        ['./e2e/support/server/clock-offset.preload.ts'],
      )
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ clockServer }, use) => use(clockServer.url),
})

import { once } from 'node:events'
import { test as base } from '../test.ts'
import { sandboxUrl } from '../urls.ts'
import { withSeparateServer } from './separate-server.ts'

const minutes = 60_000
const hours = 60 * minutes
export const ms = { minutes, hours, days: 24 * hours }

export type ClockServer = {
  url: string
  /** Sets the clock of the server ahead by `ms`; 0 resets it. */
  setOffset: (ms: number) => Promise<void>
}

/** A server with a movable clock, to test expiry. The tests of a file share it and run one after the other. */
export const test = base.extend<object, { clockServer: ClockServer }>({
  clockServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires an object pattern
    async ({}, use) => {
      const env = { SANDBOX: '1', SANDBOX_PORT: new URL(sandboxUrl).port, TRUST_PROXY: 'loopback' }
      await withSeparateServer(
        env,
        async ({ origin, process: server }) => {
          const setOffset = async (offset: number) => {
            const confirmed = once(server, 'message')
            server.send({ offset })
            await confirmed
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

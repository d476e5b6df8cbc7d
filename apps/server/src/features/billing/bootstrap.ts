import { setTimeout as pause } from 'node:timers/promises'
import type { Services } from '../../context.ts'
import { isPaymentsError } from '../../integrations/stripe/payments.ts'
import { requeueAttempts } from './attempts/lease.ts'
import { requeueClosings } from './closing/close-account.ts'
import { linkDemoAccounts } from './demo/demo.ts'
import { demoCode } from './demo/demo-code.ts'
import { ensureCatalogue } from './prices/catalogue.ts'
import { ensureWebhookEndpoint } from './webhooks/webhook-endpoint.ts'

const retryMs = 3000
/** The first page comes first; nobody has signed in by then. */
const demoAfterMs = 2000

/**
 * What billing does when a server starts: takes up the attempts that a stop cut off, and in the sandbox makes prices,
 * a promotion code to try, the address for notices and the demo accounts. A sandbox that is not up yet is waited for without holding up the
 * start.
 * @param alone no other process can have this database open
 * @param demo addresses of the demo people
 */
export async function bootstrapBilling(
  services: Services,
  { alone, demo }: { alone: boolean; demo: string[] },
): Promise<void> {
  await requeueAttempts(services, alone)
  await requeueClosings(services)
  if (!services.config.payments.sandboxUrl) return
  if (await setUp(services, demo)) return
  void waitForSandbox(services, demo)
}

async function waitForSandbox(services: Services, demo: string[]) {
  do await pause(retryMs, undefined, { ref: false })
  while (!(await setUp(services, demo)))
}

/** @returns false when the sandbox does not answer yet */
async function setUp(services: Services, demo: string[]): Promise<boolean> {
  const { role, port } = services.config
  try {
    await ensureCatalogue(services)
    await services.outside.payments.ensurePromotion(demoCode)
    if (role !== 'worker') await ensureWebhookEndpoint(services, `http://127.0.0.1:${port}`)
    if (role !== 'worker') void linkSoon(services, demo)
    return true
  } catch (error) {
    services.log.warn({ err: error }, 'the sandbox could not be set up')
    // Anything but silence will not get better by waiting.
    return !isPaymentsError(error, 'down')
  }
}

async function linkSoon(services: Services, demo: string[]) {
  await pause(demoAfterMs, undefined, { ref: false })
  await linkDemoAccounts(services, demo)
}

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
/** Demo accounts wait so that the first page loads fast; demo users do not sign in that early. */
const demoAfterMs = 2000

/**
 * Runs when a server starts: requeues open attempts and closed accounts. With the sandbox it also creates
 * prices, a demo promotion code, the webhook endpoint and the demo accounts. The start does not wait for a
 * sandbox that is not up yet.
 * @param alone no other process uses this database
 * @param demo e-mail addresses of the demo users
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
    await services.integrations.payments.ensurePromotion(demoCode)
    if (role !== 'worker') await ensureWebhookEndpoint(services, `http://127.0.0.1:${port}`)
    if (role !== 'worker') void linkSoon(services, demo)
    return true
  } catch (error) {
    services.log.warn({ err: error }, 'the sandbox could not be set up')
    // Any other error would repeat.
    return !isPaymentsError(error, 'down')
  }
}

async function linkSoon(services: Services, demo: string[]) {
  await pause(demoAfterMs, undefined, { ref: false })
  await linkDemoAccounts(services, demo)
}

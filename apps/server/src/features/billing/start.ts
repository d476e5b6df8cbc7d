import { setTimeout as pause } from 'node:timers/promises'
import type { World } from '../../context.ts'
import { isPaymentsError } from '../../integrations/stripe/payments.ts'
import { ensureCatalogue } from './catalogue.ts'
import { takeUpClosings } from './closing.ts'
import { linkDemo } from './demo.ts'
import { demoCode } from './demo-code.ts'
import { ensureEndpoint } from './endpoint.ts'
import { resumeAttempts } from './turn.ts'

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
export async function startBilling(
  world: World,
  { alone, demo }: { alone: boolean; demo: string[] },
): Promise<void> {
  await resumeAttempts(world, alone)
  await takeUpClosings(world)
  if (!world.config.payments.sandboxUrl) return
  if (await setUp(world, demo)) return
  void waitForSandbox(world, demo)
}

async function waitForSandbox(world: World, demo: string[]) {
  do await pause(retryMs, undefined, { ref: false })
  while (!(await setUp(world, demo)))
}

/** @returns false when the sandbox does not answer yet */
async function setUp(world: World, demo: string[]): Promise<boolean> {
  const { role, port } = world.config
  try {
    await ensureCatalogue(world)
    await world.outside.payments.ensurePromotion(demoCode)
    if (role !== 'worker') await ensureEndpoint(world, `http://127.0.0.1:${port}`)
    if (role !== 'worker') void linkSoon(world, demo)
    return true
  } catch (error) {
    world.log.warn({ err: error }, 'the sandbox could not be set up')
    // Anything but silence will not get better by waiting.
    return !isPaymentsError(error, 'down')
  }
}

async function linkSoon(world: World, demo: string[]) {
  await pause(demoAfterMs, undefined, { ref: false })
  await linkDemo(world, demo)
}

import { createHmac } from 'node:crypto'
import { wantedEvents } from '../../src/features/billing/webhooks/webhook-endpoint.ts'
import type { ownSandbox } from '../payments.ts'
import type { Process } from './processes.ts'

type Sandbox = Awaited<ReturnType<typeof ownSandbox>>
type Event = { id: string; type: string }
export type Tell = { order: 'as_sent' | 'backwards' | number; copies: 1 | 2; share: 'all' | 'half' | 'lost' }

export const webhookSecret = 'whsec_simulation'
const wanted = new Set<string>(wantedEvents)

function sign(body: string) {
  // The signature's age is measured by the real clock.
  const seconds = Math.floor(Date.now() / 1000)
  const mac = createHmac('sha256', webhookSecret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${mac}`
}

/**
 * The provider. Its events are delivered by hand, so that duplicates, order, delay and loss follow from the
 * seed.
 */
export function providerOf(sandbox: Sandbox) {
  let newest: string | null = null
  let waiting: Event[] = []
  let code: { id: string; code: string } | null = null
  let hasOtherPrice = false

  /** The provider deletes old events; if our last one is deleted, all others are new. */
  const after = (id: string) =>
    sandbox.list('/v1/events', { ending_before: id }).catch((error: unknown) => {
      if (!String(error).includes('resource_missing')) throw error
      return sandbox.list('/v1/events', {})
    })

  async function fetchNew() {
    for (;;) {
      const page = await (newest ? after(newest) : sandbox.list('/v1/events', {}))
      const events = page as unknown as Event[] // as: the provider's list of events
      newest = events[0]?.id ?? newest
      waiting.push(...events.filter(one => wanted.has(one.type)).reverse())
      if (events.length < 100) return
    }
  }

  async function deliver(event: Event, process: Process) {
    const body = JSON.stringify(event)
    const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': sign(body) }
    const answer = await process.runKillable(() =>
      process.call('POST', '/api/stripe/webhook', { body, headers }),
    )
    if (answer !== 'killed' && answer.status !== 200)
      throw new Error(`A notice was answered with ${answer.status}: ${answer.text}`)
  }

  return {
    /** Resets the provider and its clock. */
    async reset() {
      await sandbox.api('POST', '/sandbox/reset', { keep_catalogue: String(!hasOtherPrice) })
      newest = null
      waiting = []
      code = null
      hasOtherPrice = false
    },
    /** An active promotion code. */
    async code(): Promise<string> {
      code ??= await sandbox.code({ percent_off: '50' })
      return code.code
    },
    async endCode() {
      if (code) await sandbox.api('POST', `/v1/promotion_codes/${code.id}`, { active: 'false' })
      code = null
    },
    /** Raises the price of Scale for new subscriptions and changes. */
    async changePrice() {
      hasOtherPrice = true
      await sandbox.api('POST', '/v1/prices', {
        product: 'plinth_scale',
        currency: 'usd',
        unit_amount: '5900',
        lookup_key: 'plinth_scale_month',
        transfer_lookup_key: 'true',
        'recurring[interval]': 'month',
        'metadata[plan]': 'scale',
      })
    },
    passTime: (seconds: number) => sandbox.api('POST', '/sandbox/clock', { seconds: String(seconds) }),
    /** Delivers new events. Lost ones never arrive: the nightly job has to find their changes. */
    async deliverWebhooks({ order, copies, share }: Tell, processes: readonly Process[]) {
      await fetchNew()
      const parts = share === 'all' ? 1 : share === 'half' ? 2 : Number.POSITIVE_INFINITY
      const now = waiting.filter((_, at) => (at + 1) % parts === 0)
      const rest = waiting.filter(event => !now.includes(event))
      waiting = share === 'lost' ? [] : rest
      const many = copies === 2 ? now.flatMap(event => [event, event]) : now
      const toPaymentsError = arranged(many, order)
      for (const [at, event] of toPaymentsError.entries()) {
        const process = processes[at % processes.length]
        if (process) await deliver(event, process)
      }
    },
  }
}

/** A number seeds a random order. */
function arranged<T>(list: readonly T[], order: Tell['order']): T[] {
  if (order === 'as_sent') return [...list]
  if (order === 'backwards') return [...list].reverse()
  return list
    .map((item, at) => ({
      item,
      at: Math.imul((at + 1) * 2_654_435_761 + order * 40_503, 2_246_822_519) >>> 0,
    }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

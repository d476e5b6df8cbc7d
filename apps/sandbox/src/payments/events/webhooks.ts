import { createHmac } from 'node:crypto'
import type { SandboxContext } from '../../context.ts'
import { withoutPrivateFields } from '../../http/render-object.ts'
import type { StripeEvent } from '../../objects/billing-objects.ts'
import type { Delivery } from '../../objects/stored-objects.ts'

export interface WebhookFaults {
  /** Number of additional copies of each event. */
  duplicate: number
  /** Sends pending events newest first. */
  reorder: boolean
  delay_ms: number
  /** Number of delivery attempts that fail. */
  fail: number
  /** Number of deliveries that are lost without a retry. */
  lose: number
}

const noWebhookFaults: WebhookFaults = { duplicate: 0, reorder: false, delay_ms: 0, fail: 0, lose: 0 }

/** Three retries, as in Stripe's test mode, but after seconds instead of hours. */
const retryAfter = [500, 2_000, 10_000]
const timeoutMs = 10_000

const signature = (secret: string, body: string, at: number) =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`

export function createWebhooks(context: SandboxContext) {
  const faults = { ...noWebhookFaults }
  /** The last delivery of each endpoint: deliveries to one endpoint are sequential. */
  const chains = new Map<string, Promise<void>>()
  /** Deliveries that are running or queued. */
  const unfinished = new Set<string>()
  const timers = new Set<NodeJS.Timeout>()
  const idleWaiters: (() => void)[] = []
  let stop = new AbortController()

  async function post(url: string, secret: string, event: StripeEvent, stopped: AbortSignal) {
    const body = JSON.stringify(withoutPrivateFields(event), null, 2)
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (sandbox)',
      'stripe-signature': signature(secret, body, Math.floor(Date.now() / 1000)),
    }
    const limit = AbortSignal.any([AbortSignal.timeout(timeoutMs), stopped])
    const response = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal: limit })
    await response.arrayBuffer()
    return response.status
  }

  const wakeIdle = () => {
    for (const wake of idleWaiters.splice(0)) wake()
  }

  const runLater = (ms: number, run: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, ms)
    timers.add(timer)
  }

  const saveResult = (delivery: Delivery, event: StripeEvent | undefined, ok: boolean) => {
    if (ok) delivery.state = 'done'
    else if (delivery.state === 'pending' && delivery.attempts > retryAfter.length)
      delivery.state = 'given_up'
    context.store.save(delivery)
    if (event && delivery.state !== 'pending') {
      event.pending_webhooks = Math.max(0, event.pending_webhooks - 1)
      context.store.save(event)
    }
    context.store.flush()
  }

  async function deliver(delivery: Delivery, stopped: AbortSignal) {
    const endpoint = context.store.get('webhook_endpoint', delivery.endpoint)
    const event = context.store.get('event', delivery.event)
    if (!endpoint?.secret || !event || endpoint.status !== 'enabled') {
      delivery.state = 'given_up'
      return saveResult(delivery, event, false)
    }
    if (faults.delay_ms > 0) await new Promise<void>(resolve => runLater(faults.delay_ms, resolve))
    if (faults.lose > 0) {
      faults.lose -= 1
      delivery.state = 'lost'
      return saveResult(delivery, event, false)
    }
    delivery.attempts += 1
    let ok = false
    if (faults.fail > 0) {
      faults.fail -= 1
      delivery.lastError = 'failed on purpose'
    } else {
      const times = 1 + faults.duplicate
      for (let time = 0; time < times; time++)
        try {
          delivery.lastStatus = await post(endpoint.url, endpoint.secret, event, stopped)
          delivery.lastError = null
          ok = delivery.lastStatus >= 200 && delivery.lastStatus < 300
        } catch (error) {
          delivery.lastError = error instanceof Error ? error.message : String(error)
        }
    }
    if (stopped.aborted) return
    saveResult(delivery, event, ok)
    if (delivery.state === 'pending')
      runLater(retryAfter[delivery.attempts - 1] ?? 0, () => queue([delivery]))
  }

  function queue(deliveries: Delivery[]) {
    const { signal } = stop
    for (const delivery of deliveries) {
      const before = chains.get(delivery.endpoint) ?? Promise.resolve()
      const after = before
        .then(() => (signal.aborted ? undefined : deliver(delivery, signal)))
        .finally(() => {
          if (signal.aborted) return
          if (delivery.state !== 'pending') unfinished.delete(delivery.id)
          if (unfinished.size === 0) wakeIdle()
        })
      chains.set(delivery.endpoint, after)
    }
  }

  function close() {
    stop.abort()
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
    chains.clear()
    unfinished.clear()
    wakeIdle()
  }

  return {
    faults,

    /** Sends new events; called after each reply. */
    sendPending() {
      const fresh = context.outbox.splice(0)
      for (const one of fresh) unfinished.add(one.id)
      queue(faults.reorder ? fresh.reverse() : fresh)
    },

    resend(event: StripeEvent) {
      const again = context.store.all('delivery').filter(one => one.event === event.id)
      for (const delivery of again) {
        delivery.state = 'pending'
        delivery.attempts = 0
        unfinished.add(delivery.id)
        context.store.save(delivery)
      }
      queue(again)
    },

    /** Resolves when nothing is left to deliver, so that tests need not sleep. */
    idle: () =>
      unfinished.size + context.outbox.length === 0
        ? Promise.resolve()
        : new Promise<void>(resolve => idleWaiters.push(resolve)),

    /** Discards all deliveries and resets the faults. */
    clear() {
      close()
      stop = new AbortController()
      Object.assign(faults, noWebhookFaults)
    },

    close,
  }
}

export type Webhooks = ReturnType<typeof createWebhooks>

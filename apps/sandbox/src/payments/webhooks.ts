import { createHmac } from 'node:crypto'
import { plain } from '../http/wire.ts'
import type { Delivery } from '../kinds.ts'
import type { StripeEvent } from '../objects.ts'
import type { World } from '../world.ts'

export interface Mischief {
  /** Sends each event this many times more. */
  duplicate: number
  /** Sends what waits together newest first. */
  reorder: boolean
  delay_ms: number
  /** Lets the next so many deliveries get lost before they reach the endpoint. */
  fail: number
  /** Lets the next so many deliveries get lost for good: they are not tried again. */
  lose: number
}

const noMischief: Mischief = { duplicate: 0, reorder: false, delay_ms: 0, fail: 0, lose: 0 }

/** Real Stripe waits hours between tries; a test mode's three tries are kept, but not the hours. */
const retryAfter = [500, 2_000, 10_000]
const patience = 10_000

const signature = (secret: string, body: string, at: number) =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`

export function createWebhooks(world: World) {
  const mischief = { ...noMischief }
  /** What each endpoint has in hand: its deliveries go out one after the other. */
  const chains = new Map<string, Promise<void>>()
  /** Sent at, or waiting to be: the program is idle when there is none. */
  const inHand = new Set<string>()
  const timers = new Set<NodeJS.Timeout>()
  const idleWaiters: (() => void)[] = []
  let stop = new AbortController()

  async function post(url: string, secret: string, event: StripeEvent, stopped: AbortSignal) {
    const body = JSON.stringify(plain(event), null, 2)
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (sandbox)',
      'stripe-signature': signature(secret, body, Math.floor(Date.now() / 1000)),
    }
    const limit = AbortSignal.any([AbortSignal.timeout(patience), stopped])
    const response = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal: limit })
    await response.arrayBuffer()
    return response.status
  }

  const wakeIdle = () => {
    for (const wake of idleWaiters.splice(0)) wake()
  }

  const later = (ms: number, run: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, ms)
    timers.add(timer)
  }

  const settle = (delivery: Delivery, event: StripeEvent | undefined, ok: boolean) => {
    if (ok) delivery.state = 'done'
    else if (delivery.state === 'pending' && delivery.attempts > retryAfter.length)
      delivery.state = 'given_up'
    world.store.save(delivery)
    if (event && delivery.state !== 'pending') {
      event.pending_webhooks = Math.max(0, event.pending_webhooks - 1)
      world.store.save(event)
    }
    world.store.flush()
  }

  async function deliver(delivery: Delivery, stopped: AbortSignal) {
    const endpoint = world.store.get('webhook_endpoint', delivery.endpoint)
    const event = world.store.get('event', delivery.event)
    if (!endpoint?.secret || !event || endpoint.status !== 'enabled') {
      delivery.state = 'given_up'
      return settle(delivery, event, false)
    }
    if (mischief.delay_ms > 0) await new Promise<void>(resolve => later(mischief.delay_ms, resolve))
    if (mischief.lose > 0) {
      mischief.lose -= 1
      delivery.state = 'lost'
      return settle(delivery, event, false)
    }
    delivery.attempts += 1
    let ok = false
    if (mischief.fail > 0) {
      mischief.fail -= 1
      delivery.lastError = 'lost on purpose'
    } else {
      const times = 1 + mischief.duplicate
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
    settle(delivery, event, ok)
    if (delivery.state === 'pending') later(retryAfter[delivery.attempts - 1] ?? 0, () => queue([delivery]))
  }

  function queue(deliveries: Delivery[]) {
    const { signal } = stop
    for (const delivery of deliveries) {
      const before = chains.get(delivery.endpoint) ?? Promise.resolve()
      const after = before
        .then(() => (signal.aborted ? undefined : deliver(delivery, signal)))
        .finally(() => {
          if (signal.aborted) return
          if (delivery.state !== 'pending') inHand.delete(delivery.id)
          if (inHand.size === 0) wakeIdle()
        })
      chains.set(delivery.endpoint, after)
    }
  }

  function close() {
    stop.abort()
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
    chains.clear()
    inHand.clear()
    wakeIdle()
  }

  return {
    mischief,

    /** Sends what has happened since the last time; called when an answer has left. */
    pump() {
      const fresh = world.outbox.splice(0)
      for (const one of fresh) inHand.add(one.id)
      queue(mischief.reorder ? fresh.reverse() : fresh)
    },

    resend(event: StripeEvent) {
      const again = world.store.all('delivery').filter(one => one.event === event.id)
      for (const delivery of again) {
        delivery.state = 'pending'
        delivery.attempts = 0
        inHand.add(delivery.id)
        world.store.save(delivery)
      }
      queue(again)
    },

    /** Settles when nothing waits to be delivered, so that a test need not sleep. */
    idle: () =>
      inHand.size + world.outbox.length === 0
        ? Promise.resolve()
        : new Promise<void>(resolve => idleWaiters.push(resolve)),

    /** What is under way or waits is dropped, and nobody does mischief. */
    clear() {
      close()
      stop = new AbortController()
      Object.assign(mischief, noMischief)
    },

    close,
  }
}

export type Webhooks = ReturnType<typeof createWebhooks>

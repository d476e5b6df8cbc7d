import type { Config } from './config.ts'
import { newId } from './objects/ids.ts'
import type { Delivery, Setting, Stored } from './objects/stored-objects.ts'
import { emptyStripeObject } from './schema/empty-object.ts'
import { openStore, type Store } from './store.ts'

/** Settings, data and clock of the sandbox, passed to every function. */
export interface SandboxContext {
  config: Config
  store: Store
  /** Used in links; set when the server listens, because the port can be chosen by the system. */
  origin: string
  /** The current request, recorded in its events. */
  request: { id: string; idempotency_key: string | null } | null
  /** Deliveries that are not queued yet. */
  outbox: Delivery[]
  /** Clock and time while a clock is advanced. */
  movingClock: { clock: string | null; time: number } | null
  /** Number of resets. Work that started before a reset is discarded. */
  resetCount: number
}

export function createContext(config: Config): SandboxContext {
  const store = openStore(config.database)
  const outbox = store.all('delivery').filter(one => one.state === 'pending')
  return {
    config,
    store,
    origin: `http://localhost:${config.port}`,
    request: null,
    outbox,
    movingClock: null,
    resetCount: 0,
  }
}

export const readSetting = (context: SandboxContext, name: string): unknown =>
  context.store.get('setting', name)?.value

export function saveSetting(context: SandboxContext, name: string, value: unknown) {
  const row: Setting = { object: 'setting', id: name, created: 0, value }
  context.store.save(row)
}

/** The sandbox's clock: real time plus its offset. */
export const sandboxTime = (context: SandboxContext) =>
  Math.floor(Date.now() / 1000) + Number(readSetting(context, 'clock_offset') ?? 0)

/** Time in seconds of a test clock, or of the sandbox's clock without one. */
export function currentTime(context: SandboxContext, clock: string | null = null): number {
  if (context.movingClock && context.movingClock.clock === clock) return context.movingClock.time
  const frozen = clock === null ? undefined : context.store.get('test_helpers.test_clock', clock)
  return frozen ? frozen.frozen_time : sandboxTime(context)
}

/** A new Stripe object: empty as its schema requires, with these fields set. */
export function newObject<T extends Stored | object>(
  definition: string,
  prefix: string,
  fields: Partial<T>,
): T {
  // as: the empty object has every field that the SDK's type requires
  return { ...emptyStripeObject(definition), id: newId(prefix), ...fields } as T
}

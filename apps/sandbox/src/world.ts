import type { Config } from './config.ts'
import { newId } from './ids.ts'
import type { Delivery, Setting, Stored } from './kinds.ts'
import { skeleton } from './schema/skeleton.ts'
import { openStore, type Store } from './store.ts'

/** What every part of the sandbox is handed: its settings, its memory and its time. */
export interface World {
  config: Config
  store: Store
  /** The address in links; the port is known only once the server listens. */
  origin: string
  /** The request being served, for the events it causes. */
  request: { id: string; idempotency_key: string | null } | null
  /** Deliveries that nobody has taken up yet, so that sending need not search for them. */
  outbox: Delivery[]
  /** The time of the clock that is being moved, while it is. */
  moving: { clock: string | null; time: number } | null
  /** Another one after each reset: what was begun in an earlier one changes nothing any more. */
  era: number
}

export function createWorld(config: Config): World {
  const store = openStore(config.database)
  const outbox = store.all('delivery').filter(one => one.state === 'pending')
  return {
    config,
    store,
    origin: `http://localhost:${config.port}`,
    request: null,
    outbox,
    moving: null,
    era: 0,
  }
}

export const setting = (world: World, name: string): unknown => world.store.get('setting', name)?.value

export function keepSetting(world: World, name: string, value: unknown) {
  const row: Setting = { object: 'setting', id: name, created: 0, value }
  world.store.save(row)
}

/** The sandbox's own clock: real time plus what the demo has skipped. */
export const wallTime = (world: World) =>
  Math.floor(Date.now() / 1000) + Number(setting(world, 'clock_offset') ?? 0)

/** Now, as seconds, for things that follow this test clock, or the sandbox's own clock without one. */
export function now(world: World, clock: string | null = null): number {
  if (world.moving && world.moving.clock === clock) return world.moving.time
  const frozen = clock === null ? undefined : world.store.get('test_helpers.test_clock', clock)
  return frozen ? frozen.frozen_time : wallTime(world)
}

/** A new object in the shape of the wire: the schema's emptiest one with these fields set. */
export function make<T extends Stored | object>(definition: string, prefix: string, fields: Partial<T>): T {
  // the skeleton holds every field that the SDK's type requires; T names those of them we work with
  return { ...skeleton(definition), id: newId(prefix), ...fields } as T
}

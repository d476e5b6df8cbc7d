import type { World } from '../world.ts'
import { createCodes } from './codes.ts'
import { createIdentityFaults } from './faults.ts'
import { createKeys } from './keys.ts'

/** What the identity providers remember. */
export function createIdentity(world: World) {
  const codes = createCodes(world)
  const faults = createIdentityFaults()
  return {
    codes,
    faults,
    key: createKeys(world),
    clear() {
      codes.clear()
      faults.clear()
    },
  }
}

export type Identity = ReturnType<typeof createIdentity>

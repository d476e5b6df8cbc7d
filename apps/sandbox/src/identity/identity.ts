import type { SandboxContext } from '../context.ts'
import { createAuthorizationCodes } from './authorization-codes.ts'
import { createIdentityFaults } from './identity-faults.ts'
import { createSigningKeys } from './signing-keys.ts'

/** State of the identity providers. */
export function createIdentity(context: SandboxContext) {
  const codes = createAuthorizationCodes(context)
  const faults = createIdentityFaults()
  return {
    codes,
    faults,
    key: createSigningKeys(context),
    clear() {
      codes.clear()
      faults.clear()
    },
  }
}

export type Identity = ReturnType<typeof createIdentity>

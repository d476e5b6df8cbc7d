import type { SandboxContext } from '../context.ts'
import { createAuthorizationCodes } from './authorization-codes.ts'
import { createSigningKeys } from './signing-keys.ts'

/** State of the identity providers. */
export const createIdentity = (context: SandboxContext) => ({
  codes: createAuthorizationCodes(context),
  key: createSigningKeys(context),
})

export type Identity = ReturnType<typeof createIdentity>

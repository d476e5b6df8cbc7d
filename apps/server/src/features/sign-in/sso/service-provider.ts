import type { Config } from '../../../config.ts'

/** We, as every provider knows us: the address of our metadata is our name. */
export const serviceOf = ({ publicUrl }: Pick<Config, 'publicUrl'>) => ({
  entityId: `${publicUrl}/auth/saml/metadata`,
  acsUrl: `${publicUrl}/auth/saml/acs`,
})

/** Bound to the connection: a sealed key that is copied to another row does not open. */
export const samlKeyBinding = (connectionId: string) => `saml key ${connectionId}`

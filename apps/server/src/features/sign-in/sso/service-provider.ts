import type { Config } from '../../../config.ts'

/** Our entity id and callback. The entity id is the URL of our metadata. */
export const serviceOf = ({ publicUrl }: Pick<Config, 'publicUrl'>) => ({
  entityId: `${publicUrl}/auth/saml/metadata`,
  acsUrl: `${publicUrl}/auth/saml/acs`,
})

/** Binds an encrypted key to its connection: it does not decrypt in another row. */
export const samlKeyBinding = (connectionId: string) => `saml key ${connectionId}`

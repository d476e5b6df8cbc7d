import { api } from '../../lib/api/client.ts'
import type { FormCall } from '../../lib/form/Form.tsx'
import { type Path, paths } from '../../lib/paths.ts'
import type { Provider } from '../social/providers.ts'

/** The ways in besides email and password. What is not here is not shown: no dead buttons. */
export type Doors = {
  /** Sends a link that signs in. */
  magic?: FormCall<{ email: string }, unknown>
  forgot?: Path
  sso?: Path
  /** Undefined while it is not known whom one can sign in with. */
  social: readonly Provider[] | undefined
}

export const doors: Omit<Doors, 'social'> = {
  magic: api.auth.requestMagicLink,
  forgot: paths.forgotPassword,
  sso: paths.saml,
}

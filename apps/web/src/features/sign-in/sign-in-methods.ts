import { api } from '../../lib/api/client.ts'
import type { FormCall } from '../../lib/form/Form.tsx'
import { type Path, paths } from '../../lib/paths.ts'
import type { Provider } from './social/use-providers.ts'

/** Sign-in methods besides email and password. A missing one is not shown. */
export type SignInMethods = {
  /** Requests a magic link. */
  magic?: FormCall<{ email: string }, unknown>
  forgot?: Path
  sso?: Path
  /** Undefined until the list of providers has loaded. */
  social: readonly Provider[] | undefined
}

export const signInMethods: Omit<SignInMethods, 'social'> = {
  magic: api.auth.requestMagicLink,
  forgot: paths.forgotPassword,
  sso: paths.saml,
}

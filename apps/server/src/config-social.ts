import { type Provider, realProviders, sandboxProviders } from './integrations/oauth/providers.ts'

type Variables = Readonly<
  Partial<
    Record<
      | `${'GOOGLE' | 'GITHUB' | 'MICROSOFT'}_CLIENT_${'ID' | 'SECRET'}`
      | 'OIDC_ISSUER'
      | 'OIDC_CLIENT_ID'
      | 'OIDC_CLIENT_SECRET'
      | 'OIDC_NAME',
      string | undefined
    >
  >
>

/**
 * The social providers with a registered application; without any, the sandbox's, if it may be used.
 * @param need called for each variable that is missing or wrong
 * @param sandbox null where it does not run or where the server is reachable from other machines: it signs in without proof
 */
export function socialProviders(
  v: Variables,
  need: (ok: unknown, name: string, why: string) => void,
  sandbox: string | null,
): Provider[] {
  const own: Provider[] = []
  for (const id of ['google', 'microsoft', 'github'] as const) {
    const name = id.toUpperCase() as Uppercase<typeof id> // as: toUpperCase forgets which word it was given
    const [clientId, clientSecret] = [v[`${name}_CLIENT_ID`], v[`${name}_CLIENT_SECRET`]]
    if (clientId && clientSecret) own.push({ id, ...realProviders[id], clientId, clientSecret })
    else {
      need(!clientSecret, `${name}_CLIENT_ID`, `expected beside ${name}_CLIENT_SECRET`)
      need(!clientId, `${name}_CLIENT_SECRET`, `expected beside ${name}_CLIENT_ID`)
    }
  }
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME } = v
  if (issuer && clientId && clientSecret)
    own.push({
      id: 'oidc',
      name: OIDC_NAME ?? 'OpenID Connect',
      issuer,
      clientId,
      clientSecret,
      github: null,
    })
  else if (issuer || clientId || clientSecret || OIDC_NAME) {
    need(issuer, 'OIDC_ISSUER', 'expected beside the other OIDC_ variables')
    need(clientId, 'OIDC_CLIENT_ID', 'expected beside the other OIDC_ variables')
    need(clientSecret, 'OIDC_CLIENT_SECRET', 'expected beside the other OIDC_ variables')
  }
  return own.length || sandbox === null ? own : sandboxProviders(sandbox)
}

import { apiKeyBinding } from './features/api-keys/service.ts'
import { mailedLinkBinding } from './features/sign-in/mailed-link/mailed-link.ts'
import { signInWarningBinding } from './features/sign-in/password/warn-owner.ts'
import { socialFlowBinding } from './features/sign-in/social/oauth-state.ts'
import { socialSignInTokenBinding } from './features/sign-in/social/sign-in-token.ts'
import { samlKeyBinding } from './features/sign-in/sso/service-provider.ts'
import { samlSignInTokenBinding } from './features/sign-in/sso/sign-in/callback.ts'
import { twoFactorBinding } from './identity/try-code.ts'
import type { Jobs } from './jobs/queue.ts'
import type { SealedColumn } from './jobs/reseal.ts'

/** Jobs with an encrypted payload, and the additional data of the encryption. */
type SealedJob = { [N in keyof Jobs]: Jobs[N] extends { sealed: string } ? N : never }[keyof Jobs]
const jobs: Record<SealedJob, (id: string) => string> = {
  'mail.send': id => `mail ${id}`,
  'auth.mail_link': mailedLinkBinding,
  'auth.warn_owner': signInWarningBinding,
}
const isSealedJob = (name: string): name is SealedJob => Object.hasOwn(jobs, name)

const column = (
  table: string,
  name: string,
  rest: Pick<SealedColumn, 'boundTo' | 'lasting'> & { key: string[] },
): SealedColumn => ({
  table,
  read: name,
  write: `${name} = $1`,
  ...rest,
  key: Object.fromEntries(rest.key.map(each => [each, each])),
})

/** Everything in the database that is sealed under APP_SECRET. A test finds columns that are missing here. */
export const sealedColumns: readonly SealedColumn[] = [
  ...['sealed_secret', 'sealed_pending'].map(name =>
    column('two_factors', name, {
      key: ['user_id'],
      boundTo: ({ user_id = '' }) => twoFactorBinding(user_id),
      lasting: true,
    }),
  ),
  column('api_keys', 'sealed_key', {
    key: ['account_id', 'id'],
    boundTo: ({ account_id = '', id = '' }) => apiKeyBinding(account_id, id),
    lasting: true,
  }),
  column('sso_connections', 'sealed_key', {
    key: ['id'],
    boundTo: ({ id = '' }) => samlKeyBinding(id),
    lasting: true,
  }),
  column('idempotency_keys', 'sealed_body', {
    key: ['scope', 'key'],
    boundTo: ({ scope = '', key = '' }) => scope + key,
    lasting: false,
  }),
  column('social_flows', 'sealed', {
    key: ['id'],
    boundTo: ({ id = '' }) => socialFlowBinding(id),
    lasting: false,
  }),
  column('social_sign_in_tokens', 'sealed', {
    key: ['id'],
    boundTo: ({ id = '' }) => socialSignInTokenBinding(id),
    lasting: false,
  }),
  column('saml_sign_in_tokens', 'sealed_person', {
    key: ['id'],
    boundTo: ({ id = '' }) => samlSignInTokenBinding(id),
    lasting: false,
  }),
  {
    table: 'pgboss.job',
    read: "(data ->> 'sealed')",
    write: "data = jsonb_set(data, '{sealed}', to_jsonb($1::text))",
    key: { name: 'name', id: "(data ->> 'id')" },
    boundTo: ({ name = '', id = '' }) => (isSealedJob(name) ? jobs[name](id) : ''),
    where: `state in ('created', 'retry', 'active') and name in (${Object.keys(jobs)
      .map(name => `'${name}'`)
      .join(', ')})`,
    lasting: true,
  },
]

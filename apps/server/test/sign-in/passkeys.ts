import { freshEmail, type makeTestApp } from '../harness.ts'
import { openDevice } from './webauthn-authenticator.ts'

type Options = Parameters<typeof openDevice>[1]

/** Creates users with passkeys and reads their audit log. */
export function passkeyHelpers({ app, call, db, people }: Awaited<ReturnType<typeof makeTestApp>>) {
  const device = (options?: Options) => openDevice(app, options)
  return {
    device,
    /** A user with a registered passkey. */
    async userWithPasskey(options?: Options) {
      const user = await people.owner(freshEmail('keeper'))
      const own = device(options)
      return { user, own, ...(await own.register(user.token)) }
    },
    async auditOf(account: string, action: string) {
      const { rows } = await db.asOwnerOfJobs(
        'select user_id, target, metadata from audit_log where account_id = $1 and action = $2',
        [account, action],
      )
      return rows
    },
    listOf: async (token: string) => (await call('GET', '/api/user/passkeys', { token })).data,
  }
}

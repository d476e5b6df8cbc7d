import { randomUUID } from 'node:crypto'
import type { PlanId } from '@plinth/contract/plans'
import { newApiKey } from '../../src/lib/api-key.ts'
import { hashToken, newToken } from '../../src/lib/crypto.ts'
import { hashPassword } from '../../src/lib/passwords.ts'
import { freshEmail, type makeTestApp, password } from '../harness.ts'

export type TestRole = 'master' | 'owner' | 'admin' | 'developer' | 'user'
export type InsertedUser = {
  id: string
  account_id: string
  email: string
  token: string
  session_id: string
}

/**
 * Inserts accounts and users directly, which is much faster than signing up. For tests that need many of them.
 */
export function accountFactory({ services, clock }: Awaited<ReturnType<typeof makeTestApp>>) {
  const hash = hashPassword(password)

  async function account(plan: PlanId | null = 'startup', status = 'active', name = 'Placed') {
    const id = randomUUID()
    await services.asSystem('test', async tx => {
      await tx.insertInto('accounts').values({ id, name, plan }).execute()
      const row = { account_id: id, provider_status: status, status, synced_at: clock.now() }
      if (plan)
        await tx
          .insertInto('subscriptions')
          .values({ ...row, plan })
          .execute()
    })
    return id
  }

  /** A user with a fresh session. A master has the role `user` in the account. */
  async function person(
    account_id: string,
    role: TestRole,
    { verified = true, impersonator_id = null as string | null, name = 'Mara' } = {},
  ): Promise<InsertedUser> {
    const [id, session_id, token, email] = [randomUUID(), randomUUID(), newToken(), freshEmail(role)]
    const password_hash = await hash
    const at = clock.now()
    await services.asSystem('test', async tx => {
      await tx
        .insertInto('users')
        .values({
          ...{ id, email, first_name: name, last_name: 'Okafor', password_hash },
          verified_at: verified ? at : null,
          onboarded_at: at,
          support_enabled: impersonator_id !== null,
        })
        .execute()
      const membership = { account_id, user_id: id, role: role === 'master' ? 'user' : role }
      await tx.insertInto('memberships').values(membership).execute()
      if (role === 'master') await tx.insertInto('masters').values({ user_id: id }).execute()
      await tx
        .insertInto('sessions')
        .values({
          ...{ id: session_id, token_hash: hashToken(token), user_id: id, account_id, impersonator_id },
          ...{ method: 'password', sign_in_id: randomUUID(), second_factor: role === 'master' },
          ...{ created_at: at, authenticated_at: at, last_used_at: at },
          expires_at: new Date(at.getTime() + 86_400_000),
        })
        .execute()
    })
    return { id, account_id, email, token, session_id }
  }

  async function apiKey(of: Pick<InsertedUser, 'id' | 'account_id'>, scope: readonly string[]) {
    const [id, key] = [randomUUID(), newApiKey('test')]
    await services.asSystem('test', tx =>
      tx
        .insertInto('api_keys')
        .values({
          ...{ id, account_id: of.account_id, created_by: of.id, name: 'Placed', masked: 'plinth_test_a' },
          ...{ scope: scope.join(' '), search_text: 'placed', key_hash: hashToken(key) },
          created_at: clock.now(),
        })
        .execute(),
    )
    return { id, key }
  }

  return { account, person, apiKey }
}

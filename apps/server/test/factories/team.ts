import { CompiledQuery } from 'kysely'
import { freshEmail, type makeTestApp } from '../harness.ts'
import { usePlan } from './use-plan.ts'

export type By = { token: string }

/** Calls of the team feature, and direct database reads. */
export function teamHelpers({ call, people, services }: Awaited<ReturnType<typeof makeTestApp>>) {
  const ownerOn = async () => usePlan(services, await people.owner(), 'startup')
  const edit = (by: By, id: string, change: Record<string, unknown>) =>
    call('PATCH', '/api/user', { token: by.token, body: { id, ...change } })
  const remove = (by: By, id: string, body?: object) =>
    call('DELETE', `/api/user/${id}`, { token: by.token, ...(body ? { body } : {}) })
  const transfer = (by: By, user: string, more = {}) =>
    call('POST', '/api/account/owner', { token: by.token, body: { user, ...more } })

  const system = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
    (await services.asSystem('test', tx => tx.executeQuery<T>(CompiledQuery.raw(text, values)))).rows
  const rolesIn = async ({ account_id }: { account_id: string }) => {
    const text = 'select user_id, role from memberships where account_id = $1'
    const rows = await system<{ user_id: string; role: string }>(text, [account_id])
    return Object.fromEntries(rows.map(({ user_id, role }) => [user_id, role]))
  }
  const logged = (account_id: string, action: string) =>
    system('select user_id, target, metadata from audit_log where account_id = $1 and action = $2', [
      account_id,
      action,
    ])

  /** A user created by an owner, not verified yet. */
  async function created(owner: By & { account_id: string }, permission = 'user') {
    const email = freshEmail('made')
    await call('POST', '/api/invite', {
      token: owner.token,
      body: {
        email,
        permission,
        first_name: 'Bram',
        last_name: 'Koster',
        bypass_signup: true,
        password: 'given-password-1',
        confirm_password: 'given-password-1',
      },
    })
    const [row] = await system<{ id: string }>('select id from users where email = $1', [email])
    return { email, id: row?.id ?? '' }
  }
  return { ownerOn, edit, remove, transfer, system, rolesIn, logged, created }
}

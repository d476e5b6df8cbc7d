import type { Contract, HandlerInput, Reply } from '@plinth/contract'
import type { AuthedContext } from '../../context.ts'
import { Refusal } from '../../lib/refusal.ts'
import { editMember } from '../team/members.ts'
import { updateProfile } from './service.ts'

type Call = Contract['profile']['update']

/** One call for two nouns: oneself, or with an id somebody else in the account, of whom less can be changed (T-30). */
export async function update(
  ctx: AuthedContext,
  { id, permission, ...own }: HandlerInput<Call>['body'],
): Promise<Reply<Call>> {
  const oneself = id === undefined || id === ctx.actor.user_id
  if (oneself && permission !== undefined) {
    if (id === undefined) throw unknown('permission')
    throw new Refusal('member_fixed', { field: 'permission', text: 'team.own_role' })
  }
  if (oneself) return updateProfile(ctx, own)
  const { first_name, last_name, email, ...others } = own
  const [foreign] = Object.keys(others)
  if (foreign) throw unknown(foreign)
  const member: unknown = await editMember(ctx, { id, permission, first_name, last_name, email })
  return member as Reply<Call> // as: the contract's reply is either; see there
}

const unknown = (field: string) => new Refusal('unknown_field', { field, values: { field } })

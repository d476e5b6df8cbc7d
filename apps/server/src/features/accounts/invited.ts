import type { Context } from '../../context.ts'
import { Refusal } from '../../lib/refusal.ts'

export async function acceptInvite(_ctx: Context, _input: unknown): Promise<never> {
  throw new Refusal('invite_expired')
}

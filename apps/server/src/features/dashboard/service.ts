import type { AuthedContext } from '../../context.ts'
import { demoFigures } from './rules.ts'

/** Demo figures: the same for an account on every call of a day. */
export const demo = async (ctx: AuthedContext) => demoFigures(ctx.actor.account_id, ctx.now())

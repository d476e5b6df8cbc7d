import type { AuthedContext } from '../../context.ts'
import { demoFigures } from './rules.ts'

export const demo = async (ctx: AuthedContext) => demoFigures(ctx.actor.account_id, ctx.now())

import type { contract } from '@plinth/contract'
import type { Handlers, Server } from '../../../endpoint/mount.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { networkOf } from '../../../rate-limit/network.ts'
import { undoEmailChange } from '../email-change/undo.ts'
import { changePassword } from './change-password.ts'
import { readPicture } from './picture.ts'
import { readProfile, updateProfile } from './profile.ts'

/** Serves contract.profile for the caller; app.ts adds the update of another member. */
export const profileHandlers = {
  read: ctx => readProfile(ctx),
  update: (ctx, { body }) => updateProfile(ctx, body),
  changePassword: (ctx, { body }) => changePassword(ctx, body),
  undoEmail: (ctx, { body }) => undoEmailChange(ctx, body),
} satisfies Partial<Handlers<typeof contract.profile>>

/**
 * Serves pictures without a session, because an <img> sends no token: the address is the secret. The reply contains only
 * re-encoded pixels, and a key always has the same bytes.
 */
export function pictureRoutes({ app, services, limits }: Server) {
  app.get<{ Params: { file: string } }>('/api/avatar/:file', async (request, reply) => {
    await limits.consume('picture:network', networkOf(request.ip))
    const picture = await readPicture(services, request.params.file)
    if (!picture) throw new Refusal('not_found')
    return reply
      .headers({
        'content-type': picture.type,
        'content-disposition': `inline; filename="${picture.name}"`,
        // Private: a shared cache would still show a person who has left.
        'cache-control': 'private, max-age=31536000, immutable',
      })
      .send(picture.bytes)
  })
}

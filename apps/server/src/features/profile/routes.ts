import { contract } from '@plinth/contract'
import { mount, type Server } from '../../endpoint/mount.ts'
import { Refusal } from '../../lib/refusal.ts'
import { networkOf } from '../../rate-limit/network.ts'
import { undoEmailChange } from './email-undo.ts'
import { readPicture } from './files.ts'
import { changePassword } from './password.ts'
import { readProfile } from './service.ts'
import { update } from './update.ts'

export function profileRoutes(server: Server) {
  servePictures(server)
  mount(server, contract.profile, {
    read: ctx => readProfile(ctx),
    update: (ctx, { body }) => update(ctx, body),
    changePassword: (ctx, { body }) => changePassword(ctx, body),
    undoEmail: (ctx, { body }) => undoEmailChange(ctx, body),
  })
}

/**
 * Pictures by their address, which is a secret of its own: an <img> sends no token. Nothing in the answer comes from the
 * file but the pixels, and a key stands for the same bytes for ever.
 */
function servePictures({ app, services, limits }: Server) {
  app.get<{ Params: { file: string } }>('/api/avatar/:file', async (request, reply) => {
    await limits.consume('picture:network', networkOf(request.ip))
    const picture = await readPicture(services, request.params.file)
    if (!picture) throw new Refusal('not_found')
    return reply
      .headers({
        'content-type': picture.type,
        'content-disposition': `inline; filename="${picture.name}"`,
        // For the one browser: a shared cache would go on showing a person who has left.
        'cache-control': 'private, max-age=31536000, immutable',
      })
      .send(picture.bytes)
  })
}

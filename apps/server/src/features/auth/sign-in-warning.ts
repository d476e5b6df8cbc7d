import type { Context, Services } from '../../context.ts'
import { newId } from '../../lib/ids.ts'
import * as store from './store.ts'

const onceInHours = 24

/**
 * Many failures at one address: its owner is to hear of it. Whether it has one is looked up by the job, after the
 * answer, which is the same for every address (T-10); so is the job's row, sealed.
 */
export async function warnOwner(ctx: Context, email: string) {
  const id = newId(ctx.now().getTime())
  await ctx.asSystem('sign-in warning', tx =>
    ctx.enqueue(tx, 'auth.warn_owner', {
      id,
      sealed: ctx.encrypter.encrypt(email, signInWarningBinding(id)),
    }),
  )
}

/** The job: one mail a day at most, and none to an address that nobody has proven. */
export async function mailWarning(services: Services, { id, sealed }: { id: string; sealed: string }) {
  const email = services.encrypter.decrypt(sealed, signInWarningBinding(id))
  const now = services.now()
  await services.asSystem('sign-in warning', async tx => {
    const owner = await store.findVerifiedByEmail(tx, email)
    if (!owner) return
    const since = new Date(now.getTime() - onceInHours * 3_600_000)
    if (!(await store.takeWarning(tx, owner.id, now, since))) return
    await services.enqueueMail(tx, {
      kind: 'signin_attempts',
      to: email,
      locale: owner.locale,
      data: { name: owner.first_name, url: `${services.config.publicUrl}/forgotpassword` },
    })
  })
}

/** What the address is sealed for. */
export const signInWarningBinding = (id: string) => `warning ${id}`

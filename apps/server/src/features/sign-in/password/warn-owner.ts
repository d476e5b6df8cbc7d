import type { Context, Services } from '../../../context.ts'
import { findVerifiedUser } from '../../../identity/user-store.ts'
import { newId } from '../../../lib/ids.ts'
import { markWarned } from './store.ts'

const onceInHours = 24

/**
 * Enqueues a warning after many failed passwords for one address. The job looks the address up, after the reply, which is
 * the same for every address; the job's row is encrypted.
 */
export async function warnOwner(ctx: Context, email: string) {
  const id = newId(ctx.now().getTime())
  await ctx.asSystem('warn about failed sign-ins', tx =>
    ctx.enqueue(tx, 'auth.warn_owner', {
      id,
      sealed: ctx.encrypter.encrypt(email, signInWarningBinding(id)),
    }),
  )
}

/** The job: mails at most once a day, and only to a verified user. */
export async function mailWarning(services: Services, { id, sealed }: { id: string; sealed: string }) {
  const email = services.encrypter.decrypt(sealed, signInWarningBinding(id))
  const now = services.now()
  await services.asSystem('warn about failed sign-ins', async tx => {
    const owner = await findVerifiedUser(tx, email)
    if (!owner) return
    const since = new Date(now.getTime() - onceInHours * 3_600_000)
    if (!(await markWarned(tx, owner.id, now, since))) return
    await services.enqueueMail(tx, {
      kind: 'signin_attempts',
      to: email,
      locale: owner.locale,
      data: { name: owner.first_name, url: `${services.config.publicUrl}/forgotpassword` },
    })
  })
}

/** Binds the encrypted address to its job. */
export const signInWarningBinding = (id: string) => `warning ${id}`

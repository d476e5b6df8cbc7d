import type { CreationOptions } from '@plinth/contract'
import { api } from '../../../lib/api/client.ts'
import { attempt, handleFailure } from '../../../lib/api/failure.ts'
import { t } from '../../../lib/i18n/translate.ts'
import { attemptWithStepUp } from '../../../lib/step-up/with-step-up.ts'
import { toast } from '../../../ui/overlay/toast.ts'

/** Creates a passkey and registers it. Null when the user cancelled, or when an error was shown. */
export async function addPasskey() {
  const begun = await attemptWithStepUp(proof => api.passkeys.begin({ body: proof }))
  const credential = begun && (await createCredential(begun))
  return credential && attempt(api.passkeys.add({ body: { credential } }))
}

async function createCredential(options: CreationOptions) {
  try {
    const { createPasskey } = await import('../../../lib/passkeys/create-passkey.ts')
    return await createPasskey(options)
  } catch (error) {
    if (error instanceof DOMException)
      toast({ variant: 'error', title: t('account.passkeys.error.title'), description: reasonOf(error) })
    else handleFailure(error)
    return null
  }
}

function reasonOf({ name }: DOMException): string {
  if (name === 'InvalidStateError') return t('account.passkeys.error.already')
  if (name === 'ConstraintError' || name === 'NotSupportedError') return t('account.passkeys.error.unable')
  return t('account.passkeys.error.other')
}

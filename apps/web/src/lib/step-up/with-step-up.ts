import type { Answer } from '../api/client.ts'
import { attempt } from '../api/failure.ts'
import { dialog, openDialog } from '../dialog.ts'
import { proofFor } from '../form/proof-for.ts'
import { t } from '../i18n/translate.ts'
import type { Proof } from './proof.tsx'

type Call<T> = (proof: Proof) => Promise<Answer<T>>

/**
 * `attempt` for a call outside a form that may require a step-up: a dialog asks for the password or the code
 * and repeats the call with it. Returns null when the call failed or the user cancelled. Forms and the app's
 * dialog handle a step-up themselves.
 *
 * `const made = await attemptWithStepUp(proof => api.passkeys.begin({ body: { ...proof } }))`
 */
export async function attemptWithStepUp<T>(call: Call<T>): Promise<T | null> {
  const first = call({})
  const form = await first.then(() => null, proofFor)
  return form ? askForProof(form, call) : attempt(first)
}

function askForProof<T>(
  form: NonNullable<Awaited<ReturnType<typeof proofFor>>>,
  repeat: Call<T>,
): Promise<T | null> {
  return new Promise(resolve => {
    let data: T | null = null
    const call = ({ body }: { body: Proof }) => repeat(body)
    openDialog({
      title: t('global.proof.title'),
      buttonText: t('global.proof.button'),
      form,
      call,
      callback(answered: T) {
        data = answered
      },
    })
    // The dialog has no cancel callback: detect that it was closed or replaced.
    const stop = dialog.subscribe(() => {
      if (dialog.get().call === call) return
      stop()
      resolve(data)
    })
  })
}

import { ApiError } from '../api/error.ts'
import { t } from '../i18n/translate.ts'
import { password, text } from './inputs.tsx'
import type { Input } from './types.ts'

/** What a change of the account's guards takes when the sign-in is older than ten minutes: either of the two. */
export type Proof = { password?: string; code?: string }

/**
 * The field that a refused step-up asks for, named as in the call's body; null for every other failure, and for
 * somebody who has nothing to type.
 */
export function proofInputs(error: unknown): Record<string, Input> | null {
  if (!(error instanceof ApiError) || error.code !== 'proof_required') return null
  const help = error.message
  if (error.inputError === 'password') {
    const label = t('global.proof.password')
    return { password: password({ label, help, required: true, autoComplete: 'current-password' }) }
  }
  if (error.inputError === 'code') {
    const label = t('global.proof.code')
    const field = text({
      label,
      help,
      required: true,
      autoComplete: 'one-time-code',
      inputMode: 'numeric',
    })
    return { code: { ...field, secret: true, once: true } }
  }
  return null
}

import type { ApiError } from '../api/error.ts'
import { password, text } from '../form/inputs.tsx'
import type { Input } from '../form/types.ts'
import { t } from '../i18n/translate.ts'
import { passkeysSupported } from '../passkeys-supported.ts'
import { UsePasskey } from './UsePasskey.tsx'

/** Proof for security changes when the sign-in is older than ten minutes: one of the two. */
export type Proof = { password?: string; code?: string }

/**
 * The fields that a step-up requires, named like the body's fields, with a passkey button if the user has a
 * passkey. Null if the user has no way to confirm their identity.
 */
export function proofInputs(error: ApiError): Record<string, Input> | null {
  const typed = typedInputs(error)
  if (!error.passkey || !passkeysSupported()) return typed
  const passkey = passkeyInput(typed ? undefined : error.message)
  const instead = Object.entries(typed ?? {}).map(([name, input]) => [name, orPasskey(input)])
  return { ...Object.fromEntries(instead), passkey }
}

function typedInputs({ inputError, message: help }: ApiError): Record<string, Input> | null {
  if (inputError === 'password') {
    const label = t('global.proof.password')
    return { password: password({ label, help, required: true, autoComplete: 'current-password' }) }
  }
  if (inputError === 'code') {
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

/** Optional, and not sent, once a passkey was used. */
const orPasskey = (input: Input): Input => ({
  ...input,
  rules: { ...input.rules, instead: 'passkey' },
  send: value => value || undefined,
})

/** A passkey refreshes the session on the server, so nothing is sent with the form. */
const passkeyInput = (help: string | undefined): Input => ({
  label: t('global.proof.passkey'),
  help,
  rules: {},
  value: false,
  framed: false,
  secret: true,
  send: () => undefined,
  render: control => <UsePasskey control={control} />,
})

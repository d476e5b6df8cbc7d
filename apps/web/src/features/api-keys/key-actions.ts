import type { ApiKey } from '@plinth/contract'
import type { Answer } from '../../lib/api/client.ts'
import { api } from '../../lib/api/client.ts'
import { ApiError } from '../../lib/api/error.ts'
import { openDialog } from '../../lib/dialog.ts'
import { t } from '../../lib/i18n/translate.ts'
import { attemptWithStepUp } from '../../lib/step-up/with-step-up.ts'
import { toast } from '../../ui/overlay/toast.ts'
import { refreshKeys } from './hooks.ts'

type KeyName = Pick<ApiKey, 'id' | 'name'>
type DeletableKey = KeyName & Pick<ApiKey, 'active'>

/** A key that was deleted or hidden in another tab is no error: shows a toast and refetches the list. */
async function ignoreMissingKey<T>(call: Promise<Answer<T>>): Promise<Answer<T | null>> {
  try {
    return await call
  } catch (error) {
    const isMissing = error instanceof ApiError && error.status === 404
    const isHidden = error instanceof ApiError && error.code === 'key_hidden'
    if (!isMissing && !isHidden) throw error
    refreshKeys()
    toast({
      variant: 'info',
      title: isMissing ? t('api_keys.gone') : t('api_keys.hidden'),
      description: isMissing ? t('api_keys.gone_text') : undefined,
    })
    return { data: null, message: undefined }
  }
}

/** The whole key after a step-up; null when it can't be shown. */
export async function revealKey({ id }: KeyName): Promise<string | null> {
  const revealed = await attemptWithStepUp(proof =>
    ignoreMissingKey(api.apiKeys.reveal({ params: { id }, body: proof })),
  )
  return revealed?.[0]?.key ?? null
}

export function askToRevoke({ id, name }: KeyName): void {
  openDialog({
    title: t('api_keys.revoke.title', { name }),
    description: t('api_keys.revoke.text'),
    buttonText: t('api_keys.revoke.button'),
    danger: true,
    call: () => ignoreMissingKey(api.apiKeys.update({ params: { id }, body: { active: false } })),
    callback(revoked: ApiKey | null) {
      if (!revoked) return
      toast({ variant: 'success', title: t('api_keys.revoke.done', { name }) })
      refreshKeys()
    },
  })
}

/** @param done runs after the deletion, even if the keys were gone before */
export function askToDelete(keys: readonly DeletableKey[], done?: () => void): void {
  const count = keys.length
  const name = keys[0]?.name ?? ''
  // Revoked and expired keys are not in use, so the dialog does not warn of failing programs.
  const text = keys.some(({ active }) => active) ? 'text' : 'text_ended'
  openDialog({
    title: t('api_keys.delete.title', { count, name }),
    description: t(`api_keys.delete.${text}`, { count }),
    buttonText: t('api_keys.delete.button', { count }),
    danger: true,
    call: () => ignoreMissingKey(api.apiKeys.remove({ body: { id: keys.map(({ id }) => id) } })),
    callback(removed: object | null) {
      if (removed) toast({ variant: 'success', title: t('api_keys.delete.done', { count, name }) })
      // Leaves the page of a deleted key before the refetch.
      done?.()
      refreshKeys()
    },
  })
}

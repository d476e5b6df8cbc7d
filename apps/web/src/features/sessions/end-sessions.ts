import type { Device } from '@plinth/contract'
import { api } from '../../lib/api/client.ts'
import { ApiError } from '../../lib/api/error.ts'
import { handleFailure } from '../../lib/api/failure.ts'
import { changeAnswer, refresh } from '../../lib/data/query.ts'
import { t } from '../../lib/i18n/translate.ts'
import { toast } from '../../ui/overlay/toast.ts'

/** Removes the row at once. The refetch restores it when the call has failed. */
export async function endDevice({ id }: Device, name: string): Promise<void> {
  changeAnswer(api.sessions.list, devices => devices.filter(device => device.id !== id))
  try {
    await api.sessions.end({ params: { id } })
    toast({ variant: 'success', title: t('account.devices.ended', { name }) })
  } catch (error) {
    // The session had ended already.
    if (!(error instanceof ApiError && error.status === 404)) handleFailure(error)
  } finally {
    refresh(api.sessions.list)
  }
}

export async function endOthers(): Promise<void> {
  changeAnswer(api.sessions.list, devices => devices.filter(({ current }) => current))
  try {
    const { data } = await api.sessions.endOthers()
    toast({ variant: 'success', title: t('account.devices.others_ended', { count: data.ended }) })
  } catch (error) {
    handleFailure(error)
  } finally {
    refresh(api.sessions.list)
  }
}

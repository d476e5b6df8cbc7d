import { device, parse } from '../../lib/storage.ts'

/** The onboarding progress of one account, stored in this browser until the user signs out. */
export type Progress = { page: number; invited: string[] }

const keyOf = (account: string) => `welcome.${account}`

export function readProgress(account: string): Progress {
  const kept = parse(device.read(keyOf(account)))
  const { page, invited } = (kept ?? {}) as Partial<Record<keyof Progress, unknown>> // as: both are checked below
  return {
    page: typeof page === 'number' && Number.isInteger(page) && page > 0 ? page : 1,
    invited: Array.isArray(invited) ? invited.filter(email => typeof email === 'string') : [],
  }
}

export function keepProgress(account: string, change: Partial<Progress>): void {
  device.write(keyOf(account), JSON.stringify({ ...readProgress(account), ...change }))
}

export const dropProgress = (account: string): void => device.remove(keyOf(account))

import { tab } from './storage.ts'

const KEY = 'upgrade-reason'

/**
 * The server's reason for the upgrade, shown on the upgrade screen. In sessionStorage, because that screen
 * may load a new page.
 */
export const keepReason = (message: string): void => tab.write(KEY, message)

export const readReason = (): string | null => tab.read(KEY) || null

/** Shown once: a later visit has other reasons. */
export const forgetReason = (): void => tab.remove(KEY)

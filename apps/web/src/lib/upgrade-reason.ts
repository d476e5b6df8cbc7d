import { tab } from './storage.ts'

const KEY = 'upgrade-reason'

/** Why the upgrade screen comes next, in the server's words: in the tab, so that it outlives the loading of a page. */
export const keepReason = (message: string): void => tab.write(KEY, message)

export const readReason = (): string | null => tab.read(KEY) || null

/** Told once: a later visit has reasons of its own. */
export const forgetReason = (): void => tab.remove(KEY)

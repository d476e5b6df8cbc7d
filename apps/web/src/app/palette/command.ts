import type { IconType } from '../../ui/base/Icon.tsx'
import type { Findable } from './match.ts'

/** An entry of the command palette: a screen or an action. */
export type Command = Findable & { key: string; icon: IconType; run: () => void }

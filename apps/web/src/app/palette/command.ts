import type { IconType } from '../../ui/base/Icon.tsx'
import type { Findable } from './match.ts'

/** An entry of the search: a screen to go to, or something to do. */
export type Command = Findable & { key: string; icon: IconType; run: () => void }

import { view } from '../view.ts'

/** Fetched when somebody first wants it. */
export const paletteView = view(() => import('./Palette.tsx').then(m => m.Palette), ['account', 'palette'])

import { view } from '../view.ts'

/** Loaded on first use. */
export const paletteView = view(() => import('./Palette.tsx').then(m => m.Palette), ['account', 'palette'])

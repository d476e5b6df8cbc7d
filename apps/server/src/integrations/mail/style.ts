import type { CSSProperties } from 'react'

/** The product's colours in hex: mail programs support neither variables nor oklch. */
export const light = {
  bg: '#faf8f5',
  box: '#ffffff',
  line: '#e7e3dd',
  ink: '#1c1b18',
  ink2: '#4f4b45',
  ink3: '#6b675f',
  accent: '#13726a',
  onAccent: '#ffffff',
}

const dark = {
  bg: '#211f1d',
  box: '#282724',
  line: '#3f3d3a',
  ink: '#f0eeeb',
  ink2: '#c2bfba',
  ink3: '#aba7a2',
  accent: '#55afa3',
  onAccent: '#031a19',
}

export const ink: CSSProperties = { color: light.ink }
export const ink2: CSSProperties = { color: light.ink2 }
export const ink3: CSSProperties = { color: light.ink3 }

export const font = (size: number, line: number, weight = 400): CSSProperties => ({
  fontFamily: "Inter, -apple-system, 'Segoe UI', Arial, sans-serif",
  fontSize: size,
  lineHeight: `${line}px`,
  fontWeight: weight,
})

/** Overrides for dark mode and small screens; inline styles hold the light mode. */
export const css = `
body { -webkit-text-size-adjust: 100%; }
@media (prefers-color-scheme: dark) {
  .bg { background-color: ${dark.bg} !important; }
  .box { background-color: ${dark.box} !important; border-color: ${dark.line} !important; }
  .line { border-color: ${dark.line} !important; }
  .ink { color: ${dark.ink} !important; }
  .ink2 { color: ${dark.ink2} !important; }
  .ink3 { color: ${dark.ink3} !important; }
  .btn { background-color: ${dark.accent} !important; color: ${dark.onAccent} !important; }
  .cap { background-color: ${dark.accent} !important; }
  .slab { background-color: ${dark.ink} !important; }
}
@media (max-width: 520px) {
  .pad { padding: 28px 20px !important; }
  .btn { display: block !important; text-align: center !important; }
}
`

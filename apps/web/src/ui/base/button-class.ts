export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-quiet'
export type ButtonSize = 'sm' | 'md' | 'lg'

export interface ButtonLook {
  variant?: ButtonVariant
  size?: ButtonSize
  block?: boolean
  /** A square button with only an icon; requires an aria-label. */
  square?: boolean
}

export function buttonClass(look: ButtonLook = {}, extra?: string): string {
  const { variant = 'secondary', size = 'md', block, square } = look
  const names = ['btn', `btn--${variant}`]
  if (size !== 'md') names.push(`btn--${size}`)
  if (block) names.push('btn--block')
  if (square) names.push('btn--icon')
  if (extra) names.push(extra)
  return names.join(' ')
}

import Heart from 'lucide-react/icons/heart'
import type { Ref } from 'react'
import { Icon } from '../base/Icon.tsx'
import './feedback.css'

interface HeartProps {
  label: string
  open: boolean
  onPress: () => void
  ref?: Ref<HTMLButtonElement>
}

export function HeartButton({ label, open, onPress, ref }: HeartProps) {
  return (
    <button
      ref={ref}
      type="button"
      className="heart"
      aria-label={label}
      aria-expanded={open}
      onClick={onPress}
    >
      <Icon of={Heart} size={20} />
    </button>
  )
}

import LoaderCircle from 'lucide-react/icons/loader-circle'
import { Icon } from './Icon.tsx'

/** Announced with a label; decorative without one. */
export function Spinner({ size = 16, label }: { size?: 16 | 20; label?: string }) {
  if (!label) return <Icon of={LoaderCircle} size={size} className="spin" />
  return (
    <span role="status" className="row">
      <Icon of={LoaderCircle} size={size} className="spin" />
      <span className="sr">{label}</span>
    </span>
  )
}

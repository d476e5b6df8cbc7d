import { Spinner } from './Spinner.tsx'
import './overlay.css'

/** Covers the whole page while it is left for another, or while nothing on it may be pressed. */
export function LoadingOverlay({ label }: { label: string }) {
  return (
    <div className="overlay">
      <Spinner size={20} label={label} />
    </div>
  )
}

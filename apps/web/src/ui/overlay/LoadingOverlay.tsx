import { Spinner } from '../base/Spinner.tsx'
import './loading-overlay.css'

/** Covers the whole page while it is left for another, or while nothing on it may be pressed. */
export function LoadingOverlay({ label }: { label: string }) {
  return (
    <div className="overlay">
      <Spinner size={20} label={label} />
    </div>
  )
}

import { Spinner } from '../base/Spinner.tsx'
import './loading-overlay.css'

/** Covers the page while another one loads or an action must not be interrupted. */
export function LoadingOverlay({ label }: { label: string }) {
  return (
    <div className="overlay">
      <Spinner size={20} label={label} />
    </div>
  )
}

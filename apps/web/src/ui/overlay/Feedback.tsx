import X from 'lucide-react/icons/x'
import { type KeyboardEvent, type ReactNode, type Ref, useId } from 'react'
import { Icon, type IconType } from '../base/Icon.tsx'
import { isComposing } from '../base/is-composing.ts'
import './feedback.css'

interface PanelProps {
  title: string
  closeLabel: string
  onClose: () => void
  /** Called when it opens; callers move the focus into it. */
  ref?: Ref<HTMLElement>
  children: ReactNode
}

/** A non-modal panel; Escape closes it. */
export function FeedbackPanel({ title, closeLabel, onClose, ref, children }: PanelProps) {
  const id = useId()
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: Escape and the
          close button do the same */}
      <div className="feedback__scrim" onClick={onClose} />
      <section
        ref={ref}
        tabIndex={-1}
        className="feedback desk"
        aria-labelledby={id}
        onKeyDown={event => {
          if (event.key === 'Escape' && !isComposing(event.nativeEvent)) onClose()
        }}
      >
        <div className="row between">
          <span className="med" id={id}>
            {title}
          </span>
          <button type="button" className="x" aria-label={closeLabel} onClick={onClose}>
            <Icon of={X} />
          </button>
        </div>
        {children}
      </section>
    </>
  )
}

export interface Face {
  value: string
  label: string
  icon: IconType
}

interface FacesProps {
  label: string
  faces: readonly Face[]
  value: string | undefined
  onChange: (value: string) => void
}

/** A radio group of three faces; arrow keys change the selection. */
export function Faces({ label, faces, value, onChange }: FacesProps) {
  function arrow(event: KeyboardEvent<HTMLElement>, index: number) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const mirroredStep =
      getComputedStyle(event.currentTarget).direction === 'rtl' && event.key.match(/Left|Right/)
        ? -step
        : step
    const next = (index + mirroredStep + faces.length) % faces.length
    const face = faces[next]
    if (face) onChange(face.value)
    event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('[role=radio]')[next]?.focus()
  }
  const focusable = faces.some(face => face.value === value) ? value : faces[0]?.value
  return (
    <div className="faces" role="radiogroup" aria-label={label}>
      {faces.map((face, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a radio input cannot contain an icon and a label
        <button
          key={face.value}
          type="button"
          role="radio"
          className="face"
          aria-checked={face.value === value}
          tabIndex={face.value === focusable ? 0 : -1}
          onClick={() => onChange(face.value)}
          onKeyDown={event => arrow(event, index)}
        >
          <Icon of={face.icon} size={20} />
          {face.label}
        </button>
      ))}
    </div>
  )
}

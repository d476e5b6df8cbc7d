import { type ReactNode, useId } from 'react'
import { Slabs } from '../base/Badge.tsx'
import { FieldNote } from '../base/Field.tsx'
import './choice.css'
import './plan-picker.css'

export interface PlanOption {
  value: string
  label: ReactNode
  /** The number of filled slabs; without it none are shown. */
  slabs?: 1 | 2 | 3
  help?: ReactNode
  price?: ReactNode
  /** Billing period and tax note, below the price. */
  priceNote?: ReactNode
  badge?: ReactNode
  disabled?: boolean
}

export interface PlanPickerProps {
  legend: ReactNode
  options: readonly PlanOption[]
  value: string | undefined
  onChange: (value: string) => void
  name?: string
  disabled?: boolean
  help?: ReactNode
  error?: ReactNode
}

/** Radio cards, for plans and other choices with a price or description. */
export function PlanPicker(props: PlanPickerProps) {
  const { legend, options, value, onChange, disabled, help, error } = props
  const generated = useId()
  const name = props.name ?? generated
  const noteId = `${generated}-note`
  return (
    <fieldset className="field" disabled={disabled} aria-describedby={error || help ? noteId : undefined}>
      <legend className="sr">{legend}</legend>
      <div className="plans">
        {options.map(option => (
          <label className="plan" key={option.value}>
            <input
              className="radio"
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
            />
            <span>
              <span className="row">
                <span className="med">{option.label}</span>
                {option.slabs && <Slabs filled={option.slabs} />}
                {option.badge}
              </span>
              {option.help && <small>{option.help}</small>}
            </span>
            {option.price && (
              <span className="plan__price num">
                {option.price}
                {option.priceNote && <small>{option.priceNote}</small>}
              </span>
            )}
          </label>
        ))}
      </div>
      <FieldNote id={noteId} help={help} error={error} />
    </fieldset>
  )
}

/** Lines of label and amount; the last may be a total. */
export function Lines({
  lines,
}: {
  lines: ReadonlyArray<{ label: ReactNode; value: ReactNode; total?: boolean }>
}) {
  return (
    <dl className="lines">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no state and no other key
        <div key={index} className={line.total ? 'total' : undefined}>
          <dt>{line.label}</dt>
          <dd>{line.value}</dd>
        </div>
      ))}
    </dl>
  )
}

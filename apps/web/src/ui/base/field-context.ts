import { createContext, use } from 'react'

export interface FieldState {
  id: string
  describedBy: string | undefined
  invalid: boolean
  /** Touched and good: types that show icons draw the green check. */
  valid: boolean
  required: boolean
}

export const FieldContext = createContext<FieldState | null>(null)

type Given = {
  id?: string
  required?: boolean
  'aria-describedby'?: string
  'aria-invalid'?: boolean | 'true' | 'false' | 'grammar' | 'spelling'
}

/** What a control inside a Field must carry to be named and described by it. Outside a Field: what it was given. */
export function useFieldControl(given: Given) {
  const field = use(FieldContext)
  const describedBy = [given['aria-describedby'], field?.describedBy].filter(Boolean).join(' ')
  return {
    id: given.id ?? field?.id,
    'aria-describedby': describedBy || undefined,
    'aria-invalid': given['aria-invalid'] ?? (field?.invalid || undefined),
    // Not the `required` attribute: the browser's own bubbles would speak over our messages.
    'aria-required': (given.required ?? field?.required) || undefined,
  }
}

export const useFieldMark = (): 'good' | 'bad' | undefined => {
  const field = use(FieldContext)
  if (field?.invalid) return 'bad'
  return field?.valid ? 'good' : undefined
}

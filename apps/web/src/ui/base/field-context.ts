import { createContext, use } from 'react'

export interface FieldState {
  id: string
  describedBy: string | undefined
  invalid: boolean
  /** Touched and valid: some controls show a check. */
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

/** The attributes that connect a control to its Field. Outside a Field, returns the given ones. */
export function useFieldControl(given: Given) {
  const field = use(FieldContext)
  const describedBy = [given['aria-describedby'], field?.describedBy].filter(Boolean).join(' ')
  return {
    id: given.id ?? field?.id,
    'aria-describedby': describedBy || undefined,
    'aria-invalid': given['aria-invalid'] ?? (field?.invalid || undefined),
    // Not `required`, because the browser would show its own messages.
    'aria-required': (given.required ?? field?.required) || undefined,
  }
}

export const useFieldMark = (): 'good' | 'bad' | undefined => {
  const field = use(FieldContext)
  if (field?.invalid) return 'bad'
  return field?.valid ? 'good' : undefined
}

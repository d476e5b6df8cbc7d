import type { Values } from './FormField.tsx'

const TEXT_TYPES = new Set(['text', 'email', 'tel', 'url', 'search', 'password'])

/**
 * The text fields whose DOM value differs from the form's. Browsers and password managers can fill fields
 * without an event, so the form compares both before it validates or renders.
 */
export function filledUnnoticed(
  form: HTMLFormElement,
  values: Values,
  except?: EventTarget,
): [string, string][] {
  return [...form.elements].flatMap(field => {
    if (field === except || !isTextField(field)) return []
    const known = values[field.name]
    const differs = typeof known === 'string' && withoutBlanks(known) !== withoutBlanks(field.value)
    return differs ? [[field.name, field.value]] : []
  })
}

let announcing = false
/**
 * Dispatches the missing input event for parts of a field that the form has no value for, such as the inputs
 * of a card. React ignores the event when the value is unchanged.
 */
export function announceParts(form: HTMLFormElement, values: Values, except?: EventTarget): void {
  if (announcing) return
  announcing = true
  for (const field of form.elements)
    if (field !== except && isTextField(field) && !Object.hasOwn(values, field.name))
      field.dispatchEvent(new Event('input', { bubbles: true }))
  announcing = false
}

const isTextField = (field: Element): field is HTMLInputElement | HTMLTextAreaElement =>
  field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && TEXT_TYPES.has(field.type))

/** Input elements change line breaks and surrounding whitespace themselves. */
const withoutBlanks = (text: string) => text.replace(/\s+/g, '')

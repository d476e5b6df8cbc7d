import type { Values } from './FormField.tsx'

const TEXT_TYPES = new Set(['text', 'email', 'tel', 'url', 'search', 'password'])

/**
 * The text fields of a form that show something else than the form's values. Browsers and password managers may fill
 * fields without any event, so a form must look before it validates or draws its fields again.
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
 * Parts of a field that the form has no value for, such as the boxes of a card, get the event that was left out. React
 * drops it where the field shows what it knows.
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

/** Fields change line breaks and blanks at the ends by themselves. */
const withoutBlanks = (text: string) => text.replace(/\s+/g, '')

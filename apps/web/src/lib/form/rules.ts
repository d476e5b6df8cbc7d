import { hasNonAsciiLocalPart, parseEmail } from '@plinth/contract/email'
import { hasSpecialCharacter, isNumber, isPhone, isUrl } from '@plinth/contract/patterns'
import { either } from '../i18n/either.ts'
import { t } from '../i18n/translate.ts'
import type { RuleName, Rules } from './types.ts'

type Values = Record<string, unknown>

/** The message for a value that breaks a rule of its field, or null. */
export function complaint(value: unknown, rules: Rules, label: string, values: Values = {}): string | null {
  if (rules.instead && values[rules.instead]) return null
  const broken = isEmpty(value) ? whyEmpty(value, rules, label) : whyBroken(value, rules, values)
  if (broken) return rules.messages?.[broken.rule] ?? broken.message
  return rules.check?.(value, values) ?? null
}

type Broken = { rule: RuleName; message: string } | null

function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === ''
  return (
    value === null || value === undefined || value === false || (Array.isArray(value) && value.length === 0)
  )
}

function whyEmpty(_value: unknown, rules: Rules, label: string): Broken {
  if (!rules.required) return null
  if (rules.accept || rules.maxFiles)
    return { rule: 'required', message: t('global.form.file.error.required') }
  return {
    rule: 'required',
    message: t('global.form.error.required', { label: label || t('global.form.field') }),
  }
}

function whyBroken(value: unknown, rules: Rules, values: Values): Broken {
  if (Array.isArray(value)) {
    return value.some(part => part instanceof File)
      ? whyFiles(
          value.filter(part => part instanceof File),
          rules,
        )
      : whyOptions(value.length, rules)
  }
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = String(value)
  return (
    whyFormat(text, rules) ??
    whyNumber(text, rules) ??
    whyLength(text, rules) ??
    whyPassword(text, rules, values)
  )
}

function whyFormat(text: string, { format }: Rules): Broken {
  // The server trims values before it validates them.
  const trimmed = text.trim()
  if (format === 'email' && !parseEmail(text)) {
    const key = hasNonAsciiLocalPart(text) ? 'global.form.error.email_name' : 'global.form.error.email'
    return { rule: 'email', message: t(key) }
  }
  if (format === 'number' && !isNumber(trimmed))
    return { rule: 'number', message: t('global.form.error.number') }
  if (format === 'phone' && !isPhone(trimmed)) return { rule: 'phone', message: t('global.form.error.phone') }
  if (format === 'url' && !isUrl(trimmed)) return { rule: 'url', message: t('global.form.error.url') }
  return null
}

function whyNumber(text: string, { min, max }: Rules): Broken {
  const low = min !== undefined && Number(text) < min
  const high = max !== undefined && Number(text) > max
  if (!low && !high) return null
  if (min !== undefined && max !== undefined) {
    return { rule: 'between', message: t('global.form.error.between', { min, max }) }
  }
  return low && min !== undefined
    ? { rule: 'min', message: t('global.form.error.min', { min }) }
    : { rule: 'max', message: t('global.form.error.max', { max: max ?? 0 }) }
}

function whyLength(text: string, { minLength, maxLength }: Rules): Broken {
  if (minLength !== undefined && text.length < minLength) {
    return { rule: 'minLength', message: t('global.form.error.min_length', { minLength }) }
  }
  if (maxLength !== undefined && text.length > maxLength) {
    return { rule: 'maxLength', message: t('global.form.error.max_length', { maxLength }) }
  }
  return null
}

function whyPassword(text: string, { complex, matches }: Rules, values: Values): Broken {
  if (complex && !hasSpecialCharacter(text)) {
    return { rule: 'complex', message: t('global.form.error.password.complexity') }
  }
  if (matches && text.normalize() !== String(values[matches] ?? '').normalize()) {
    return { rule: 'matches', message: t('global.form.error.password.mismatch') }
  }
  return null
}

function whyOptions(count: number, { minOptions, maxOptions }: Rules): Broken {
  const least = minOptions ?? 0
  const most = maxOptions ?? Number.POSITIVE_INFINITY
  if (count >= least && count <= most) return null
  const max = Number.isFinite(most) ? most : count
  return { rule: 'options', message: t('global.form.error.options', { min: least, max }) }
}

function whyFiles(files: File[], { accept, maxFiles }: Rules): Broken {
  const wrong = accept ? files.filter(file => !accept.includes(file.type)) : []
  if (wrong.length > 0) {
    const type = [...new Set(wrong.map(subtypeOf))].join(', ').toUpperCase()
    return {
      rule: 'fileType',
      message: t('global.form.file.error.excluded', { type, accepted: acceptedOf(accept ?? []) }),
    }
  }
  if (maxFiles !== undefined && files.length > maxFiles) {
    return { rule: 'fileCount', message: t('global.form.file.error.max', { count: maxFiles }) }
  }
  return null
}

/** The accepted types as users know them, each once (JPG and JPEG are the same). */
function acceptedOf(types: readonly string[]): string {
  const kinds = new Set(
    types.map(type => (type.split('/')[1] ?? type).toUpperCase().replace(/^JPG$/, 'JPEG')),
  )
  return either([...kinds])
}

/** If the browser knows no media type, use the file extension. */
const subtypeOf = ({ type, name }: File) => type.split('/')[1] || name.split('.').at(-1) || name

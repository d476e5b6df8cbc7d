import { z } from 'zod'
import { hasText } from '../lib/i18n.ts'
import { Refusal } from '../lib/refusal.ts'

/** Parses input; the first error becomes a refusal that names its field. */
export function parse(schema: z.ZodType, value: unknown): unknown {
  const torn = tornField(value)
  if (torn !== undefined) throw new Refusal('invalid_input', { field: torn, text: 'form.characters' })
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const mixed = whyMixed(schema, value)
  if (mixed) throw mixed
  const issue = reasonOf(parsed.error.issues[0])
  if (!issue) throw new Refusal('invalid_input')
  if (issue.code === 'unrecognized_keys') throw unknownField(issue.keys[0] ?? '')
  const field = typeof issue.path[0] === 'string' ? issue.path[0] : undefined
  const text = hasText(issue.message) ? issue.message : 'refusals.invalid_input'
  throw new Refusal('invalid_input', {
    field,
    text,
    values: numbers(issue),
  })
}

/** The field of a body in which a text has half a character (a lone surrogate): none of ours may hold one. */
function tornField(body: unknown): string | undefined {
  if (typeof body !== 'object' || !body) return undefined
  return Object.entries(body).find(([name, value]) => name.isWellFormed() && isTorn(value))?.[0]
}

/** No schema takes anything nested as deeply as this. */
const deepest = 20

function isTorn(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return !value.isWellFormed()
  if (typeof value !== 'object' || !value || depth > deepest) return false
  return Object.entries(value).some(([name, inner]) => !name.isWellFormed() || isTorn(inner, depth + 1))
}

function unknownField(name: string): Refusal {
  const field = name.slice(0, 60)
  return new Refusal('unknown_field', { field, values: { field } })
}

/** For a union: the errors of the first option that knows every sent field, otherwise those of the first option. */
function reasonOf(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  if (issue?.code !== 'invalid_union' || issue.path.length > 0) return issue
  const arms = issue.errors
  const meant = arms.find(reasons => reasons.every(({ code }) => code !== 'unrecognized_keys')) ?? arms[0]
  return meant?.[0] ?? issue
}

/**
 * Of a body that is a choice of several none may know every field that was sent. Then a field that none of them knows is
 * the reason, or else two that each are known and don't go together.
 */
function whyMixed(schema: z.ZodType, value: unknown): Refusal | null {
  if (!(schema instanceof z.ZodUnion) || typeof value !== 'object' || !value || Array.isArray(value))
    return null
  const known = schema.options.map(arm => (arm instanceof z.ZodObject ? Object.keys(arm.shape) : []))
  const sent = Object.keys(value)
  const beyond = (keys: readonly string[] = []) => sent.find(field => !keys.includes(field))
  if (known.some(keys => beyond(keys) === undefined)) return null
  const nobodys = beyond(known.flat())
  if (nobodys !== undefined) return unknownField(nobodys)
  const field = beyond(known[0]) ?? ''
  const other = beyond(known.find(keys => keys.includes(field))) ?? ''
  return new Refusal('invalid_input', { field, text: 'form.either', values: { field, other } })
}

function numbers(issue: z.core.$ZodIssue): Record<string, number> {
  const found: Record<string, number> = {}
  if (issue.code === 'too_big') found.maxLength = Number(issue.maximum)
  if (issue.code === 'too_small') found.minLength = Number(issue.minimum)
  if (issue.code === 'custom' && typeof issue.params?.minLength === 'number')
    found.minLength = issue.params.minLength
  return found
}

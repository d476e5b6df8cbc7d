import { z } from 'zod'
import { hasNonAsciiLocalPart, parseEmail } from './email.ts'
import { hasSpecialCharacter, limits } from './patterns.ts'
import { planIds } from './plans.ts'
import { assignableRoles, roles } from './roles.ts'
import { hasVisibleText, normalizePassword, trimBlanks } from './text.ts'

/**
 * Field schemas with two or more users. A schema's error is a locale key (`form.…`); the server translates it and
 * reports it at the field.
 */
// Names contain no control or direction characters, line ends or lone surrogates. Joiners between letters are
// allowed: Persian, Sinhala and emoji need them.
const joined = String.raw`(?<=[\p{L}\p{M}\p{So}\p{Sk}\ufe0f])[\u200c\u200d](?=[\p{L}\p{So}])`
const controls = new RegExp(String.raw`(?!${joined})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]`, 'u')

// PostgreSQL refuses these in text or JSON.
const unstorable = /[\p{Cc}\p{Cs}]/u

/** Text that the database can store. Every stored string uses this schema or a stricter one. */
export const safeText = (max: number) =>
  z
    .string({ error: 'form.required' })
    .max(max, { error: 'form.max_length' })
    .refine(value => !unstorable.test(value), { error: 'form.characters' })

/** Text of several lines. */
export const longText = (max: number, missing = 'form.required') =>
  z
    .string({ error: missing })
    .max(max, { error: 'form.max_length' })
    .refine(value => !unstorable.test(value.replace(/[\r\n\t]/g, '')), { error: 'form.characters' })

const text = (max: number) =>
  safeText(max).refine(value => !controls.test(value), { error: 'form.characters' })

/** A name: trimmed, not empty, without control or direction characters. */
export const name = text(limits.name)
  .transform(value => value.normalize('NFC').trim())
  // Check the length again: normalization turns some characters into two.
  .pipe(
    z
      .string()
      .refine(hasVisibleText, { error: 'form.required', abort: true })
      .max(limits.name, { error: 'form.max_length' }),
  )
  .meta({ minLength: 1, description: 'Trimmed. No line breaks, no control characters.' })

export const email = z
  .string({ error: 'form.required' })
  .min(1, { error: 'form.required' })
  .max(limits.email, { error: 'form.email' })
  .transform((value, context) => {
    const normal = parseEmail(value)
    if (normal) return normal
    context.addIssue({
      code: 'custom',
      message: hasNonAsciiLocalPart(value) ? 'form.email_name' : 'form.email',
    })
    return z.NEVER
  })
  .meta({
    format: 'email',
    description:
      'Stored and compared in lower case, an international domain as A-labels. Only ASCII before the @.',
  })

/** A password for sign-in: Unicode is normalized, nothing is trimmed, and only the length is checked. */
export const enteredPassword = z
  .string({ error: 'form.required' })
  .min(1, { error: 'form.required' })
  .max(limits.password_max, { error: 'form.max_length' })
  .transform(normalizePassword)
  .meta({ minLength: 1, maxLength: limits.password_max })

export const newPassword = enteredPassword
  .refine(value => value.length >= limits.password_min, {
    error: 'form.min_length',
    params: { minLength: limits.password_min },
  })
  .refine(hasSpecialCharacter, { error: 'form.password.complexity' })
  .meta({
    minLength: limits.password_min,
    maxLength: limits.password_max,
    format: 'password',
    description: 'With at least one character that is neither letter, digit nor space.',
  })

/** Forms send a new password twice; API clients may send it once. */
export const passwordsMatch = (body: { password: string; confirm_password?: string }) =>
  body.confirm_password === undefined || body.confirm_password === body.password
export const passwordMismatch = { error: 'form.password.mismatch', path: ['confirm_password'] }

/** A one-time code or a backup code. Spaces, hyphens and lower case are accepted. */
export const enteredCode = z
  .string({ error: 'form.required' })
  .min(1, { error: 'form.required' })
  .max(64, { error: 'form.max_length' })

/** Step-up proof: a security change needs one of the two when the sign-in is older than ten minutes. */
export const proofFields = { password: enteredPassword.optional(), code: enteredCode.optional() }

/** The secret from a link or an earlier reply. */
export const token = z
  .string({ error: 'form.required' })
  .transform(trimBlanks)
  .pipe(safeText(limits.token).min(1, { error: 'form.required' }))
  .meta({ minLength: 1, maxLength: limits.token })

/** A whole number in a query string, where every value is text. */
export const queryInteger = (min: number, max: number) =>
  z.preprocess(
    (value: string) => (/^[1-9]\d*$/.test(value) ? Number(value) : value),
    z.int({ error: 'form.invalid' }).min(min, { error: 'form.invalid' }).max(max, { error: 'form.invalid' }),
  )

export const id = z.uuid({ error: 'form.invalid' }).toLowerCase()
export const planId = z.enum(planIds, { error: 'form.plan' })
export const assignableRole = z.enum(assignableRoles, { error: 'form.invalid' })
export const role = z.enum(roles)
export const locale = z.string().max(10)
export const emptyObject = z.strictObject({})
export const time = z.iso.datetime()

/** The accounts of a user. */
export const ownAccounts = z.array(
  z.object({
    id: z.uuid(),
    name: z.string().meta({ examples: ['Northquay Studio'] }),
    permission: role,
    since: time.meta({ description: 'When the user joined. Distinguishes accounts with the same name.' }),
  }),
)

/** The data about the signed-in user that the browser keeps. */
export const sessionUser = z.object({
  token: z.string().optional(),
  id: z.uuid(),
  account_id: z.uuid(),
  name: z.string(),
  verified: z.boolean(),
  /** A new address is not verified yet; the old one stays in use. */
  email_pending: z.boolean(),
  plan: z.string().nullable(),
  onboarded: z.boolean(),
  subscription: z.string().nullable(),
  permission: role,
  second_factor_required: z.boolean().meta({
    description: 'A master without a second factor: other calls are refused until one is set up.',
  }),
  dark_mode: z.boolean(),
  dark_mode_chosen: z.boolean().meta({
    description: 'False until dark_mode is set once: until then the screens follow the operating system.',
  }),
  avatar: z.string().nullable(),
  locale,
  duplicate_user: z.boolean(),
  /** End of the support session; null when support does not act as the user. */
  support_until: time.nullable(),
  accounts: ownAccounts,
})
export type SessionUser = z.infer<typeof sessionUser>

/**
 * The reply of every sign-in method: the session user with the new session's token, or a challenge token for
 * POST /api/auth/otp when a second factor is required.
 */
export const newSession = sessionUser.extend({ token: z.string() }).meta({ id: 'SessionUser' })
export const signInReply = z.union([
  newSession,
  z.object({ token: z.string(), '2fa_required': z.literal(true) }).meta({ id: 'SecondFactorRequired' }),
])
export type SignInReply = z.infer<typeof signInReply>

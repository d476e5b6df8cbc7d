import { z } from 'zod'
import { hasForeignName, typedEmail } from './email.ts'
import { hasSpecialCharacter, limits } from './patterns.ts'
import { planIds } from './plans.ts'
import { givenRoles, roles } from './roles.ts'
import { opaqueText, showsSomething, trimPasted } from './text.ts'

/**
 * Field schemas used twice or more. A schema's error is a key of the locales (`form.…`); the server translates it
 * with the field's label and leads it to the field.
 */
// Control and direction characters, line ends, halves of characters: nothing that belongs in a name. Joiners between
// letters do: Persian, Sinhala and emoji are written with them.
const joined = String.raw`(?<=[\p{L}\p{M}\p{So}\p{Sk}\ufe0f])[\u200c\u200d](?=[\p{L}\p{So}])`
const controls = new RegExp(String.raw`(?!${joined})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]`, 'u')

// What a database can't keep as text or as JSON.
const unstorable = /[\p{Cc}\p{Cs}]/u

/** Text that a database takes as it is. Every string that reaches one is made of this, if nothing stricter checks it. */
export const safeText = (max: number) =>
  z
    .string({ error: 'form.required' })
    .max(max, { error: 'form.max_length' })
    .refine(value => !unstorable.test(value), { error: 'form.characters' })

/** A text of several lines, as people write them. */
export const longText = (max: number, missing = 'form.required') =>
  z
    .string({ error: missing })
    .max(max, { error: 'form.max_length' })
    .refine(value => !unstorable.test(value.replace(/[\r\n\t]/g, '')), { error: 'form.characters' })

const text = (max: number) =>
  safeText(max).refine(value => !controls.test(value), { error: 'form.characters' })

/** A person's or a thing's name: trimmed, not empty, without control or direction characters. */
export const name = text(limits.name)
  .transform(value => value.normalize('NFC').trim())
  // Measured again: some characters become two when they are normalised.
  .pipe(
    z
      .string()
      .refine(showsSomething, { error: 'form.required', abort: true })
      .max(limits.name, { error: 'form.max_length' }),
  )
  .meta({ minLength: 1, description: 'Trimmed. No line breaks, no control characters.' })

export const email = z
  .string({ error: 'form.required' })
  .min(1, { error: 'form.required' })
  .max(limits.email, { error: 'form.email' })
  .transform((value, context) => {
    const normal = typedEmail(value)
    if (normal) return normal
    context.addIssue({ code: 'custom', message: hasForeignName(value) ? 'form.email_name' : 'form.email' })
    return z.NEVER
  })
  .meta({
    format: 'email',
    description:
      'Kept and compared in lower case, an international domain as A-labels. ASCII alone before the @.',
  })

/** A password as typed, never trimmed or folded; equal texts have one spelling. Only its length is checked: for sign-in. */
export const typedPassword = z
  .string({ error: 'form.required' })
  .min(1, { error: 'form.required' })
  .max(limits.password_max, { error: 'form.max_length' })
  .transform(opaqueText)
  .meta({ minLength: 1, maxLength: limits.password_max })

export const newPassword = typedPassword
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

/** A new password is typed twice where a person types it; who sends it once has nothing to compare. */
export const sameTwice = (body: { password: string; confirm_password?: string }) =>
  body.confirm_password === undefined || body.confirm_password === body.password
export const mismatch = { error: 'form.password.mismatch', path: ['confirm_password'] }

/** A one-time code or a backup code as typed: spaces, hyphens and small letters are forgiven. */
export const typedCode = z
  .string({ error: 'form.required' })
  .min(1, { error: 'form.required' })
  .max(64, { error: 'form.max_length' })

/** What a change of the account's guards takes when the sign-in is older than ten minutes: either of the two. */
export const proof = { password: typedPassword.optional(), code: typedCode.optional() }

/** The secret of a link or an earlier reply. */
export const token = z
  .string({ error: 'form.required' })
  .transform(trimPasted)
  .pipe(safeText(limits.token).min(1, { error: 'form.required' }))
  .meta({ minLength: 1, maxLength: limits.token })
/** A whole number in a query, where every value arrives as text. */
export const queryInteger = (min: number, max: number) =>
  z.preprocess(
    (value: string) => (/^[1-9]\d*$/.test(value) ? Number(value) : value),
    z.int({ error: 'form.invalid' }).min(min, { error: 'form.invalid' }).max(max, { error: 'form.invalid' }),
  )

export const id = z.uuid({ error: 'form.invalid' }).toLowerCase()
export const planId = z.enum(planIds, { error: 'form.plan' })
export const givenRole = z.enum(givenRoles, { error: 'form.invalid' })
export const role = z.enum(roles)
export const locale = z.string().max(10)
export const nothing = z.strictObject({})
export const time = z.iso.datetime()

/** The accounts of a user. */
export const ownAccounts = z.array(
  z.object({
    id: z.uuid(),
    name: z.string().meta({ examples: ['Northquay Studio'] }),
    permission: role,
    since: time.meta({ description: 'Since when they are in it: tells accounts of one name apart.' }),
  }),
)

/** The session user (product.md, section 3): what the browser keeps of who is signed in. */
export const sessionUser = z.object({
  token: z.string().optional(),
  id: z.uuid(),
  account_id: z.uuid(),
  name: z.string(),
  verified: z.boolean(),
  /** A new address waits for its proof; everything else goes on with the old one. */
  email_pending: z.boolean(),
  plan: z.string().nullable(),
  onboarded: z.boolean(),
  subscription: z.string().nullable(),
  permission: role,
  second_factor_required: z.boolean().meta({
    description: 'A master without a second factor: nothing else is open until one is set up.',
  }),
  dark_mode: z.boolean(),
  dark_mode_chosen: z.boolean().meta({
    description:
      'False until dark_mode is set once: until then the screens follow the system they are shown on.',
  }),
  avatar: z.string().nullable(),
  locale,
  duplicate_user: z.boolean(),
  /** While support acts as the user: when that ends. */
  support_until: time.nullable(),
  accounts: ownAccounts,
})
export type SessionUser = z.infer<typeof sessionUser>

/**
 * The answer to every way in: the session user with the new session's token; or, where the second factor is due, a
 * challenge, which opens nothing but POST /api/auth/otp.
 */
export const newSession = sessionUser.extend({ token: z.string() }).meta({ id: 'SessionUser' })
export const signedIn = z.union([
  newSession,
  z.object({ token: z.string(), '2fa_required': z.literal(true) }).meta({ id: 'SecondFactorRequired' }),
])
export type SignedIn = z.infer<typeof signedIn>

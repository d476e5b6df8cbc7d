import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import {
  email,
  givenRole,
  id,
  locale,
  mismatch,
  name,
  newPassword,
  nothing,
  ownAccounts,
  proof,
  role,
  signedIn,
  time,
  token,
  typedCode,
  typedPassword,
} from './fields.ts'
import { memberFields } from './team.ts'

const profileFields = z
  .object({
    id: z.uuid(),
    name: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    pending_email: z
      .string()
      .nullable()
      .meta({ description: 'A new address that waits for its proof. Until then the old one signs in.' }),
    avatar: z
      .string()
      .nullable()
      .meta({ description: 'The address of the picture, here: whoever knows it can see it.' }),
    verified: z.boolean().meta({
      description:
        'False also in the answer to the call that names a new address, which has to be proven next.',
    }),
    has_password: z.boolean(),
    '2fa_enabled': z.boolean(),
    dark_mode: z.boolean(),
    support_enabled: z.boolean(),
    locale,
    permission: role,
    account_id: z.uuid(),
    account_name: z.string().optional(),
    owners: z.array(z.string()).optional().meta({
      description:
        'Names of the owners: only where a plan or a payment is missing, which they alone can mend.',
    }),
    default_account: z.uuid().nullable(),
    duplicate_user: z.boolean(),
    onboarded: z.boolean(),
    date_created: z.string(),
    status: z.enum(['registered', 'verified']),
    last_login: time.nullable().meta({ description: 'To the open account.' }),
    plan: z.string().nullable(),
    subscription: z.string().nullable(),
    accounts: ownAccounts,
  })
  .meta({ id: 'User' })

/** One file, or null to take the picture away. What it is called and says it is counts for nothing. */
const picture = z
  .union([z.file(), z.null(), z.literal('').transform(() => undefined)], { error: 'form.invalid' })
  .meta({
    description:
      'A PNG or JPEG file of at most 5 MB, sent as multipart; null takes the picture away, an empty text leaves it.',
  })

export const profile = endpoints({
  read: {
    method: 'GET',
    path: '/api/user',
    summary: "The signed-in user's own profile; account_name for owners.",
    needs: 'user',
    stage: 'session',
    reply: profileFields,
  },
  update: {
    method: 'PATCH',
    path: '/api/user',
    summary:
      'Changes the fields that are sent: one’s own, or with id a member’s, whose name and address only as long as they have not proven it. A new address waits until it is proven; the present one, sent again, gives that up.',
    needs: 'user',
    sensitive: true,
    stage: 'session',
    limit: 'write',
    files: true,
    refuses: [
      'permission_required',
      'verification_required',
      'email_not_changeable',
      'account_unknown',
      'proof_required',
      'password_wrong',
      'code_wrong',
      'file_too_large',
      'file_type',
      'picture_broken',
      'picture_too_large',
      'storage_full',
      'not_found',
      'member_fixed',
    ],
    body: z
      .strictObject({
        id: id.optional().meta({
          description:
            'Of somebody else in the account, whom an administrator edits; then only' +
            ' first_name, last_name, email and permission.',
        }),
        permission: givenRole.optional().meta({ description: 'With id alone.' }),
        first_name: name.optional(),
        last_name: name.optional(),
        avatar: picture.optional(),
        email: email.optional(),
        account_name: name.optional(),
        default_account: z
          .union([id, z.null(), z.literal('').transform(() => null)], { error: 'form.invalid' })
          .optional()
          .meta({ description: 'Opened at the next sign-in. Null or an empty text: none in particular.' }),
        dark_mode: z.boolean({ error: 'form.invalid' }).optional(),
        onboarded: z.boolean({ error: 'form.invalid' }).optional(),
        support_enabled: z.boolean({ error: 'form.invalid' }).optional(),
        locale: z.enum(['en', 'de'], { error: 'form.invalid' }).optional(),
        ...proof,
      })
      .meta({ examples: [{ first_name: 'Mara', last_name: 'Okafor', locale: 'en', dark_mode: true }] }),
    // as: whoever sends no id, which is everybody but the team's dialog, gets the profile
    reply: z.union([profileFields, memberFields]) as z.ZodType as typeof profileFields,
  },
  changePassword: {
    method: 'PUT',
    path: '/api/user/password',
    summary:
      'Changes the password, or creates one. Every other session ends, and this one goes on under a new token.',
    needs: 'user',
    sensitive: true,
    stage: 'verified',
    limit: 'write',
    refuses: [
      'password_wrong',
      'password_same',
      'password_common',
      'password_personal',
      'proof_required',
      'code_wrong',
    ],
    body: z
      .strictObject({
        oldpassword: typedPassword
          .optional()
          .meta({ description: 'Needed by whoever has a password, whatever has_password says.' }),
        has_password: z
          .boolean({ error: 'form.invalid' })
          .optional()
          .meta({ description: 'What the form showed. Not believed.' }),
        newpassword: newPassword,
        confirm_password: typedPassword.optional(),
        code: typedCode.optional(),
      })
      .refine(
        body => body.confirm_password === undefined || body.confirm_password === body.newpassword,
        mismatch,
      ),
    reply: signedIn,
  },
  undoEmail: {
    method: 'POST',
    path: '/api/auth/email/undo',
    summary:
      'Brings the old address back with the link that was mailed to it. Every session ends, and the password with them.',
    needs: 'public',
    sensitive: true,
    limit: 'token',
    refuses: ['link_expired'],
    body: z.strictObject({ token }),
    reply: nothing,
  },
})

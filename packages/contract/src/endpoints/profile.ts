import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import {
  assignableRole,
  email,
  emptyObject,
  enteredCode,
  enteredPassword,
  id,
  locale,
  name,
  newPassword,
  ownAccounts,
  passwordMismatch,
  proofFields,
  role,
  signInReply,
  time,
  token,
} from '../fields.ts'
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
      .meta({ description: 'A new address that is not verified yet. Until then the old one signs in.' }),
    avatar: z
      .string()
      .nullable()
      .meta({ description: 'Path of the picture. It is public to anyone who knows the path.' }),
    verified: z.boolean().meta({
      description:
        'Also false in the reply to a call that changes the address, until the new one is verified.',
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
        'Names of the owners. Sent only when a plan or payment is missing, because only owners can add it.',
    }),
    default_account: z.uuid().nullable(),
    duplicate_user: z.boolean(),
    onboarded: z.boolean(),
    date_created: z.string(),
    status: z.enum(['registered', 'verified']),
    last_login: time.nullable().meta({ description: 'Last sign-in to the open account.' }),
    plan: z.string().nullable(),
    subscription: z.string().nullable(),
    accounts: ownAccounts,
  })
  .meta({ id: 'User' })

/** One file, or null to remove the picture. The server ignores its name and declared type. */
const picture = z
  .union([z.file(), z.null(), z.literal('').transform(() => undefined)], { error: 'form.invalid' })
  .meta({
    description:
      'A PNG or JPEG file of at most 5 MB, sent as multipart. Null removes the picture; an empty text keeps it.',
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
      'Changes the given fields of the signed-in user or, with id, of a member. Name and address of a member can be changed until the address is verified. A new address takes effect when it is verified; sending the present address cancels the change.',
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
            'Id of a member that an administrator edits; allows only first_name, last_name, email and permission.',
        }),
        permission: assignableRole.optional().meta({ description: 'Only with id.' }),
        first_name: name.optional(),
        last_name: name.optional(),
        avatar: picture.optional(),
        email: email.optional(),
        account_name: name.optional(),
        default_account: z
          .union([id, z.null(), z.literal('').transform(() => null)], { error: 'form.invalid' })
          .optional()
          .meta({ description: 'Opened at the next sign-in. Null or an empty text: no default.' }),
        dark_mode: z.boolean({ error: 'form.invalid' }).optional(),
        onboarded: z.boolean({ error: 'form.invalid' }).optional(),
        support_enabled: z.boolean({ error: 'form.invalid' }).optional(),
        locale: z.enum(['en', 'de'], { error: 'form.invalid' }).optional(),
        ...proofFields,
      })
      .meta({ examples: [{ first_name: 'Mara', last_name: 'Okafor', locale: 'en', dark_mode: true }] }),
    // as: calls without an id get the profile, and only the team dialog sends an id
    reply: z.union([profileFields, memberFields]) as z.ZodType as typeof profileFields,
  },
  changePassword: {
    method: 'PUT',
    path: '/api/user/password',
    summary: 'Changes or creates the password. Ends all other sessions and gives this one a new token.',
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
        oldpassword: enteredPassword
          .optional()
          .meta({ description: 'Required for a user with a password, regardless of has_password.' }),
        has_password: z
          .boolean({ error: 'form.invalid' })
          .optional()
          .meta({ description: 'The state that the form showed. Ignored.' }),
        newpassword: newPassword,
        confirm_password: enteredPassword.optional(),
        code: enteredCode.optional(),
      })
      .refine(
        body => body.confirm_password === undefined || body.confirm_password === body.newpassword,
        passwordMismatch,
      ),
    reply: signInReply,
  },
  undoEmail: {
    method: 'POST',
    path: '/api/auth/email/undo',
    summary:
      'Restores the old address with the link mailed to it. Ends all sessions and removes the password.',
    needs: 'public',
    sensitive: true,
    limit: 'token',
    refuses: ['link_expired'],
    body: z.strictObject({ token }),
    reply: emptyObject,
  },
})

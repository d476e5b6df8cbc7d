import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import {
  assignableRole,
  emptyObject,
  id,
  name,
  newPassword,
  newSession,
  passwordMismatch,
  passwordsMatch,
  proofFields,
  role,
  signInReply,
  time,
  token,
} from '../fields.ts'
import { paging } from '../paging.ts'
import { limits } from '../patterns.ts'
import { sentQuote } from '../quote.ts'

const inviteFields = {
  id: z
    .uuid()
    .meta({ description: 'Id of the invite in lists. The mailed link contains a different, secret id.' }),
  email: z.string(),
  permission: assignableRole,
  date_sent: time,
}

/** The result for one address of the request. */
const sent = z
  .object({
    ...inviteFields,
    id: inviteFields.id.nullable().meta({ description: 'Id of the invite; null when none was sent.' }),
    date_sent: time.nullable(),
    result: z.enum(['sent', 'resent', 'created', 'already_member', 'permission_required', 'too_many']).meta({
      description:
        '`created`: a user with the given password. `already_member`, `permission_required` (invited with a role that you can’t assign) and `too_many` (mails to that address): nothing was sent.',
    }),
  })
  .meta({ id: 'SentInvite' })
export type SentInvite = z.infer<typeof sent>

const invite = z
  .object({
    ...inviteFields,
    status: z.literal('invited'),
    expired: z.boolean().meta({
      description:
        'The link is older than a week, or its sender can no longer invite. An expired invite holds no seat and can be sent again.',
    }),
  })
  .meta({ id: 'Invite' })

export const memberFields = z
  .object({
    id: z.uuid(),
    you: z.boolean(),
    name: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    avatar: z.string().nullable(),
    permission: role,
    verified: z.boolean(),
    status: z.enum(['registered', 'verified']),
    last_login: time.nullable().meta({ description: 'Last sign-in to this account.' }),
    date_created: time.meta({ description: 'When the member joined.' }),
    editable: z.boolean().meta({
      description:
        'Name and address can be changed: the address is not verified, and the user has no other account.',
    }),
  })
  .meta({ id: 'Member' })
export type Member = z.infer<typeof memberFields>
export type Invite = z.infer<typeof invite>

const seats = z
  .object({
    used: z.int().nullable().meta({ description: 'Seats of members; null when there is no limit.' }),
    held: z.int().nullable().meta({ description: 'Seats of open invites; null when there is no limit.' }),
    limit: z.int().nullable().meta({ description: 'Seats of the plan; null when there is no limit.' }),
  })
  .meta({ id: 'Seats' })

/** The form also sends hidden, empty fields. */
const unusedPassword = z
  .string({ error: 'form.required' })
  .max(limits.password_max, { error: 'form.max_length' })

const secret = token.meta({ description: 'The secret of the mailed link, its query parameter id.' })

export const teamSorts = ['name', 'email', 'last_login', 'permission', 'status'] as const

export const team = endpoints({
  list: {
    method: 'GET',
    path: '/api/account/users',
    summary:
      'Lists members and invites of the account, 100 rows a page. `page` has the cursors of the other pages.',
    needs: 'admin',
    paged: true,
    query: z.strictObject({
      ...paging(teamSorts),
      status: z
        .enum(['verified', 'registered', 'invited'], { error: 'form.invalid' })
        .optional()
        .meta({ description: 'Only rows of this status.' }),
    }),
    reply: z.object({
      users: z.array(memberFields),
      invites: z.array(invite),
      order: z.array(z.uuid()).meta({ description: 'The ids of both lists in the requested order.' }),
      only_owner: z
        .boolean()
        .meta({ description: 'The caller is the only owner and can’t leave the account.' }),
      seats,
    }),
  },
  remove: {
    method: 'DELETE',
    path: '/api/user/:id',
    summary:
      'Removes a member from the account and ends their sessions in it. A user without another account is deleted. Removing oneself needs proof.',
    needs: 'admin',
    sensitive: true,
    limit: 'write',
    refuses: [
      'not_found',
      'permission_required',
      'last_owner',
      'password_wrong',
      'proof_required',
      'code_wrong',
    ],
    params: z.strictObject({ id }),
    body: z.strictObject(proofFields).optional(),
    reply: z.object({
      signout: z.boolean(),
      session: newSession.optional(),
    }),
  },
  signOut: {
    method: 'DELETE',
    path: '/api/user/:id/sessions',
    summary: 'Ends all sessions of a member in this account. A master can sign any user out of all accounts.',
    needs: 'admin',
    sensitive: true,
    limit: 'write',
    refuses: ['not_found', 'permission_required'],
    params: z.strictObject({ id }),
    reply: z.object({ ended: z.int().meta({ description: 'How many sessions ended.' }) }),
  },
  transfer: {
    method: 'POST',
    path: '/api/account/owner',
    summary:
      'Makes a member an owner. You become an administrator unless you stay an owner. Both get a mail.',
    needs: 'owner',
    sensitive: true,
    limit: 'write',
    refuses: [
      'not_found',
      'permission_required',
      'member_unverified',
      'proof_required',
      'password_wrong',
      'code_wrong',
    ],
    body: z.strictObject({
      user: id.meta({ description: 'A member with a verified address.' }),
      stay: z.boolean({ error: 'form.invalid' }).default(false).meta({ description: 'Stay an owner too.' }),
      ...proofFields,
    }),
    reply: z.object({ permission: role.meta({ description: 'Your new role.' }) }),
  },
  permissions: {
    method: 'GET',
    path: '/api/user/permissions',
    summary: 'The roles that you can assign in an invite, keyed by name. Never owner.',
    needs: 'user',
    reply: z.record(z.string(), z.object({ label: z.string() })).meta({
      examples: [
        {
          admin: { label: 'Administrator' },
          developer: { label: 'Developer' },
          user: { label: 'User' },
        },
      ],
    }),
  },
  invite: {
    method: 'POST',
    path: '/api/invite',
    summary:
      'Invites one or several addresses and returns a result for each. With bypass_signup it creates a user for one new address, with a password that the user has to change.',
    needs: 'admin',
    sensitive: true,
    limit: 'invite',
    idempotent: true,
    refuses: ['already_member', 'limit_reached', 'price_changed', 'password_common', 'password_personal'],
    body: z
      .strictObject({
        email: z
          .string({ error: 'form.required' })
          .min(1, { error: 'form.required' })
          .max(limits.email * limits.invite_emails, { error: 'form.max_length' })
          .meta({
            description: `Up to ${limits.invite_emails} addresses, separated by commas. An address with an invite gets a new link.`,
            examples: ['ines@northquay.example, jonas@northquay.example'],
          }),
        permission: assignableRole
          .default('user')
          .meta({ description: 'One of the roles that GET /api/user/permissions lists for you.' }),
        first_name: name.optional().meta({ description: 'Only with a single address.' }),
        last_name: name.optional(),
        bypass_signup: z
          .boolean({ error: 'form.invalid' })
          .default(false)
          .meta({ description: 'Creates the user at once. Needs both names and a password.' }),
        password: unusedPassword
          .optional()
          .meta({ description: 'Only with bypass_signup; otherwise ignored.' }),
        confirm_password: unusedPassword.optional(),
        quote: sentQuote,
      })
      .superRefine((body, context) => {
        if (!body.bypass_signup) return
        for (const field of ['first_name', 'last_name', 'password', 'confirm_password'] as const)
          if (!body[field]) context.addIssue({ code: 'custom', message: 'form.required', path: [field] })
        if (!body.password) return
        for (const { message, ...issue } of newPassword.safeParse(body.password).error?.issues ?? [])
          context.addIssue({
            code: 'custom',
            message,
            path: ['password'],
            ...(issue.code === 'custom' && issue.params ? { params: issue.params } : {}),
          })
        if (!passwordsMatch({ ...body, password: body.password }))
          context.addIssue({ code: 'custom', message: passwordMismatch.error, path: passwordMismatch.path })
      }),
    reply: z.array(sent),
  },
  withdraw: {
    method: 'DELETE',
    path: '/api/invite/:id',
    summary: 'Withdraws an invite: its link stops working and its seat is free.',
    needs: 'admin',
    limit: 'write',
    refuses: ['not_found', 'permission_required'],
    params: z.strictObject({ id }),
    reply: emptyObject,
  },
  previewInvite: {
    method: 'POST',
    path: '/api/invite/look',
    summary:
      'Returns the account of an invite and whether the address has a user. Needs the secret of the link.',
    needs: 'public',
    limit: 'token',
    refuses: ['invite_expired', 'invite_used'],
    body: z.strictObject({ invite_id: secret }),
    reply: z.object({
      account_name: z.string(),
      inviter: z.string(),
      permission: z.string().meta({ description: 'The role’s name in the language of the call.' }),
      email: z.string(),
      first_name: z.string(),
      last_name: z.string(),
      has_user: z.boolean().meta({ description: 'Users sign in to join; others sign up.' }),
      signed_in: z.enum(['no', 'as_invited', 'as_other']),
    }),
  },
  accept: {
    method: 'POST',
    path: '/api/invite/accept',
    summary:
      'Joins the account of an invite as the signed-in user. The invite must be for the user’s address, which is verified by this. Returns a session in that account.',
    needs: 'user',
    stage: 'session',
    limit: 'write',
    idempotent: true,
    opensSession: true,
    refuses: [
      'invite_expired',
      'invite_other_address',
      'account_full',
      'sso_alone',
      'sign_in_again',
      'verification_required',
    ],
    body: z.strictObject({ invite_id: secret }),
    reply: signInReply,
  },
})

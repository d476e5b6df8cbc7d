import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import {
  givenRole,
  id,
  mismatch,
  name,
  newPassword,
  newSession,
  nothing,
  proof,
  role,
  sameTwice,
  signedIn,
  time,
  token,
} from './fields.ts'
import { paging } from './paging.ts'
import { limits } from './patterns.ts'
import { sentQuote } from './quote.ts'

const inviteFields = {
  id: z
    .uuid()
    .meta({ description: 'Names the invite in lists. The mailed link carries another, secret one.' }),
  email: z.string(),
  permission: givenRole,
  date_sent: time,
}

/** What became of one address of a list. */
const sent = z
  .object({
    ...inviteFields,
    id: inviteFields.id.nullable().meta({ description: 'Of the invite; null where none was sent.' }),
    date_sent: time.nullable(),
    result: z.enum(['sent', 'resent', 'created', 'already_member', 'permission_required', 'too_many']).meta({
      description:
        '`created`: a user, with a password that you chose. `already_member`, `permission_required` (invited with a permission that you can’t give) and `too_many` (mails to that address): nothing was sent.',
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
        'Its link no longer works, because a week is over or its sender can no longer invite: it holds no seat, and can be sent again.',
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
    last_login: time.nullable().meta({ description: 'To this account.' }),
    date_created: time.meta({ description: 'When they joined.' }),
    editable: z.boolean().meta({
      description: 'Name and address can be changed: not proven yet, and in no other account.',
    }),
  })
  .meta({ id: 'Member' })
export type Member = z.infer<typeof memberFields>
export type Invite = z.infer<typeof invite>

const seats = z
  .object({
    used: z.int().nullable().meta({ description: 'Not counted where there is no limit.' }),
    held: z.int().nullable().meta({ description: 'By invites that can still be accepted.' }),
    limit: z.int().nullable().meta({ description: 'Of the plan; null is no limit.' }),
  })
  .meta({ id: 'Seats' })

/** A form sends its fields also when they are hidden and empty. */
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
      'Who is in the account and who is invited to it. Whole up to 100 rows; beyond that a page at a time, with `page` leading on.',
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
      order: z
        .array(z.uuid())
        .meta({ description: 'The ids of both lists in the order that was asked for.' }),
      only_owner: z
        .boolean()
        .meta({ description: 'The caller is the only owner, and can’t leave the account.' }),
      seats,
    }),
  },
  remove: {
    method: 'DELETE',
    path: '/api/user/:id',
    summary:
      'Takes somebody out of the account: signed out of it at once, and gone altogether when it was their only one. Oneself, with the proof that closing takes.',
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
    body: z.strictObject(proof).optional(),
    reply: z.object({
      signout: z.boolean(),
      session: newSession.optional(),
    }),
  },
  signOut: {
    method: 'DELETE',
    path: '/api/user/:id/sessions',
    summary:
      'Signs a member out of this account on every device. A master can name any user, who is signed out of all accounts.',
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
      'Makes a member an owner. You become an administrator, unless you stay an owner beside them. Both are told by mail.',
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
      user: id.meta({ description: 'A member who has proven their address.' }),
      stay: z
        .boolean({ error: 'form.invalid' })
        .default(false)
        .meta({ description: 'Remain an owner, too.' }),
      ...proof,
    }),
    reply: z.object({ permission: role.meta({ description: 'Your own from now on.' }) }),
  },
  permissions: {
    method: 'GET',
    path: '/api/user/permissions',
    summary: 'The roles that you can give in an invite, keyed by name. Never the owner.',
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
      'Invites one or several addresses, and answers what became of each. With bypass_signup it makes a user of one new address, with a password that they have to change.',
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
            description: `Up to ${limits.invite_emails} addresses, separated by commas. One that was invited before gets a new link.`,
            examples: ['ines@northquay.example, jonas@northquay.example'],
          }),
        permission: givenRole
          .default('user')
          .meta({ description: 'One of the roles that GET /api/user/permissions lists for you.' }),
        first_name: name.optional().meta({ description: 'Of the one person invited.' }),
        last_name: name.optional(),
        bypass_signup: z
          .boolean({ error: 'form.invalid' })
          .default(false)
          .meta({ description: 'Makes the user at once. Needs both names and a password.' }),
        password: unusedPassword.optional().meta({ description: 'With bypass_signup alone; else not read.' }),
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
        if (!sameTwice({ ...body, password: body.password }))
          context.addIssue({ code: 'custom', message: mismatch.error, path: mismatch.path })
      }),
    reply: z.array(sent),
  },
  withdraw: {
    method: 'DELETE',
    path: '/api/invite/:id',
    summary: 'Withdraws an invite: its link opens nothing any more, and its seat is free.',
    needs: 'admin',
    limit: 'write',
    refuses: ['not_found', 'permission_required'],
    params: z.strictObject({ id }),
    reply: nothing,
  },
  look: {
    method: 'POST',
    path: '/api/invite/look',
    summary: 'What an invite is to, and whether its address has a user already. Only for who has its link.',
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
      has_user: z.boolean().meta({ description: 'They sign in and join; everybody else signs up.' }),
      signed_in: z.enum(['no', 'as_invited', 'as_other']),
    }),
  },
  accept: {
    method: 'POST',
    path: '/api/invite/accept',
    summary:
      'Joins the account of an invite as the signed-in user, whose address it must be to. Verifies the address if it was not yet. Answers the session that goes on, in that account.',
    needs: 'user',
    stage: 'session',
    limit: 'write',
    idempotent: true,
    opens: true,
    refuses: [
      'invite_expired',
      'invite_other_address',
      'account_full',
      'sso_alone',
      'sign_in_again',
      'verification_required',
    ],
    body: z.strictObject({ invite_id: secret }),
    reply: signedIn,
  },
})

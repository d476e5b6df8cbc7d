import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { enteredCode, proofFields, signInReply, time, token } from '../fields.ts'

const askedCode = enteredCode.meta({ examples: ['135791'] })
const backupCode = z
  .string()
  .meta({ description: 'Replaces the app for one sign-in. Shown only in this reply.' })

export const twoFactor = endpoints({
  read: {
    method: 'GET',
    path: '/api/user/2fa',
    summary: 'Whether and since when two-factor sign-in is on, and whether the backup code is unused.',
    needs: 'user',
    stage: 'verified',
    allowedBeforeSecondFactor: true,
    support: false,
    reply: z.object({
      '2fa_enabled': z.boolean(),
      enabled_at: time.nullable(),
      has_backup_code: z.boolean(),
    }),
  },
  change: {
    method: 'PUT',
    path: '/api/user/2fa',
    summary:
      'On: creates a secret for an authenticator app, which takes effect when a code of it is verified. Off: takes effect at once.',
    needs: 'user',
    sensitive: true,
    stage: 'verified',
    allowedBeforeSecondFactor: true,
    limit: 'write',
    refuses: ['proof_required', 'password_wrong', 'code_wrong', 'too_many_requests'],
    body: z.strictObject({ '2fa_enabled': z.boolean({ error: 'form.invalid' }), ...proofFields }),
    reply: z.object({
      '2fa_enabled': z.boolean(),
      qr_code: z.string().meta({ description: 'An image as a data URL.' }).optional(),
      secret: z.string().meta({ description: 'The same secret as base32 text.' }).optional(),
    }),
  },
  verify: {
    method: 'POST',
    path: '/api/user/2fa/verify',
    summary:
      'Turns the second factor on with a code of the new secret. Ends all other sessions and gives this one a new token.',
    needs: 'user',
    sensitive: true,
    stage: 'verified',
    allowedBeforeSecondFactor: true,
    limit: 'write',
    refuses: ['code_wrong', 'two_factor_not_begun'],
    body: z.strictObject({ code: askedCode }),
    reply: z.object({
      backup_code: backupCode,
      token: z.string(),
    }),
  },
  renewBackupCode: {
    method: 'POST',
    path: '/api/user/2fa/backup-code',
    summary: 'Creates a new backup code. The previous one stops working.',
    needs: 'user',
    sensitive: true,
    stage: 'verified',
    limit: 'write',
    refuses: ['proof_required', 'password_wrong', 'code_wrong', 'too_many_requests', 'two_factor_off'],
    body: z.strictObject(proofFields),
    reply: z.object({ backup_code: backupCode }),
  },
  signIn: {
    method: 'POST',
    path: '/api/auth/otp',
    summary:
      'The second step of a sign-in: an authenticator code or the backup code, with the challenge token of the first step.',
    needs: 'public',
    sensitive: true,
    limit: 'otp',
    refuses: ['code_wrong', 'challenge_expired'],
    body: z.strictObject({ code: askedCode, jwt: token }),
    reply: signInReply,
  },
})

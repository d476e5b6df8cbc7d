import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { proof, signedIn, time, token, typedCode } from './fields.ts'

const askedCode = typedCode.meta({ examples: ['135791'] })
const backupCode = z
  .string()
  .meta({ description: 'Signs in once without the app. Shown here and never again.' })

export const twoFactor = endpoints({
  read: {
    method: 'GET',
    path: '/api/user/2fa',
    summary:
      'Whether and since when a code is asked for at sign-in, and whether the backup code is still there.',
    needs: 'user',
    stage: 'verified',
    enrols: true,
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
      'On: makes a secret for an authenticator app, which counts once a code of it is verified; one that was in force stays so until then. Off: at once.',
    needs: 'user',
    sensitive: true,
    stage: 'verified',
    enrols: true,
    limit: 'write',
    refuses: ['proof_required', 'password_wrong', 'code_wrong', 'too_many_requests'],
    body: z.strictObject({ '2fa_enabled': z.boolean({ error: 'form.invalid' }), ...proof }),
    reply: z.object({
      '2fa_enabled': z.boolean(),
      qr_code: z.string().meta({ description: 'An image as a data URL.' }).optional(),
      secret: z.string().meta({ description: 'The same as text, in base32.' }).optional(),
    }),
  },
  verify: {
    method: 'POST',
    path: '/api/user/2fa/verify',
    summary:
      'Turns the second factor on with a code of the new secret. Every other session ends, and this one goes on under a new token.',
    needs: 'user',
    sensitive: true,
    stage: 'verified',
    enrols: true,
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
    summary: 'Makes a new backup code. The one before stops working, used or not.',
    needs: 'user',
    sensitive: true,
    stage: 'verified',
    limit: 'write',
    refuses: ['proof_required', 'password_wrong', 'code_wrong', 'too_many_requests', 'two_factor_off'],
    body: z.strictObject(proof),
    reply: z.object({ backup_code: backupCode }),
  },
  signIn: {
    method: 'POST',
    path: '/api/auth/otp',
    summary:
      'The second step of a sign-in: a code of the app, or the backup code, for the challenge that the first step answered.',
    needs: 'public',
    sensitive: true,
    limit: 'otp',
    refuses: ['code_wrong', 'challenge_expired'],
    body: z.strictObject({ code: askedCode, jwt: token }),
    reply: signedIn,
  },
})

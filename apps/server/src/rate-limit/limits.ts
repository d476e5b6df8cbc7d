/**
 * All limits with their reasons; docs/operations.md lists the same numbers. A rate limit counts calls, a login limit
 * counts failed passwords.
 */

/** Calls that a subject (a network, an address, a user) may make within a time. */
type RateLimit = { points: number; seconds: number }

export const rateLimits = {
  // Sign-in methods without a guessable secret: enough for an office behind one address.
  'sign_in:network': { points: 60, seconds: 300 },
  // Several people of one office may sign up; each sign-up costs a hash and a mail.
  'sign_up:network': { points: 30, seconds: 3600 },
  // Calls that send mail, signed in or not.
  'mail:network': { points: 30, seconds: 3600 },
  // Mails to one address. A single network can use up only a part, so that a stranger can't block the owner's mails.
  'mail:address_network': { points: 5, seconds: 3600 },
  'mail:address': { points: 20, seconds: 3600 },
  // Verification mails requested in a session; sign-ups by strangers don't count here.
  'resend:address_network': { points: 5, seconds: 3600 },
  'resend:address': { points: 20, seconds: 3600 },
  // Sign-in and reset links; the reply is the same when the limit is exceeded. A browser that the owner has signed in
  // with has a limit of its own, so that strangers can't use up the owner's links.
  'link:address_network': { points: 4, seconds: 3600 },
  'link:address': { points: 24, seconds: 3600 },
  'link:address_browser': { points: 4, seconds: 3600 },
  // Mails that one user causes, to any address.
  'mail:user': { points: 20, seconds: 3600 },
  // Tokens in links have 256 bits and can't be guessed; the limit keeps look-ups cheap.
  'token:network': { points: 60, seconds: 600 },
  // A whole company may share one network. Guesses are also limited for each challenge and user.
  'otp:network': { points: 600, seconds: 600 },
  // Tokens from social callbacks: one for each social sign-in.
  'sign_in_token:network': { points: 300, seconds: 300 },
  // Right passwords of one user: enough for a person and their scripts, too few for a loop.
  'sign_in:user': { points: 60, seconds: 3600 },
  // Each visit to the sign-in page starts one, and a whole company may share one network.
  'passkey:network': { points: 300, seconds: 300 },
  // Attempts to pay by card: more are tests of stolen cards.
  'billing:user': { points: 30, seconds: 600 },
  // Price previews charge nothing and must not use up the payment attempts.
  'preview:user': { points: 120, seconds: 600 },
  // Promotion codes looked up, right or wrong.
  'promotion:user': { points: 30, seconds: 3600 },
  // Far above a person's clicks, below a script in a loop.
  'write:user': { points: 600, seconds: 600 },
  // Calls of one API key.
  'calls:key': { points: 1000, seconds: 60 },
  // Messages to support, of one user and of all users together.
  'help:user': { points: 5, seconds: 3600 },
  'help:all': { points: 300, seconds: 3600 },
  'feedback:user': { points: 10, seconds: 3600 },
  // An export reads all of the account's data.
  'export:user': { points: 10, seconds: 3600 },
  // Calls with up to 20 product events each, per day.
  'event:user': { points: 200, seconds: 86_400 },
  // Uploaded pictures; each is processed in a process of its own.
  'picture:user': { points: 30, seconds: 600 },
  // Downloaded pictures: a team page shows 50, and a whole company may share one network.
  'picture:network': { points: 2000, seconds: 300 },
  // CSP reports: enough to see a fault, too few to fill the log.
  'report:network': { points: 60, seconds: 600 },
  // A stolen session must not be used to guess the password.
  'step_up:user': { points: 10, seconds: 900 },
  // Enough to invite a team at once, too few for a mailing list.
  'invite:user': { points: 60, seconds: 3600 },
  // Social sign-in loads two pages, and a whole company may share one network.
  'social:network': { points: 300, seconds: 300 },
  // Single sign-on has three steps, and a whole company may share one network.
  'sso:network': { points: 600, seconds: 300 },
} as const satisfies Record<string, RateLimit>

export type RateLimitKey = keyof typeof rateLimits

/** The longest pause after failed passwords. */
export const longestPauseSeconds = 900
/**
 * The longest pause of an address for a network that has not failed there in the last hour. Without it, a few networks
 * that keep guessing would lock the owner out of a new browser. An attacker with a new network for each guess gets 120
 * guesses an hour at one address.
 */
export const gracePauseSeconds = 30

/** Failed passwords. After the free ones, each failure doubles the pause before the next attempt. */
type LoginLimit = {
  free: number
  /** Free failures while `globalLoginLimit` is exceeded. */
  freeUnderAttack: number
  /** How long failures count. */
  seconds: number
  /** The longest pause for clients without failures of their own at the address. */
  graceSeconds: number
}

/** A browser the owner has signed in with counts only under `address_browser`; any other browser under the other three. */
export const loginLimits = {
  // Only the browser's own failures count: strangers can't slow down the owner.
  'sign_in:address_browser': {
    free: 5,
    freeUnderAttack: 5,
    seconds: 3600,
    graceSeconds: longestPauseSeconds,
  },
  // Typing errors of one person. One network gets 18 guesses an hour.
  'sign_in:address_network': {
    free: 5,
    freeUnderAttack: 2,
    seconds: 3600,
    graceSeconds: longestPauseSeconds,
  },
  // More than one network can reach alone, so that a single stranger does not slow down the owner.
  'sign_in:address': { free: 30, freeUnderAttack: 10, seconds: 3600, graceSeconds: gracePauseSeconds },
  // One network at many addresses: an office has fewer typing errors.
  'sign_in:network': { free: 60, freeUnderAttack: 10, seconds: 3600, graceSeconds: longestPauseSeconds },
} as const satisfies Record<string, LoginLimit>
export type LoginLimitName = keyof typeof loginLimits

/** Failures of all unknown browsers together, above which `freeUnderAttack` applies. It causes no pause itself. */
export const globalLoginLimit = { name: 'sign_in:all', failures: 3000, seconds: 600 } as const

/** Failures at one address from unknown browsers after which its owner gets a mail, at most once a day. */
export const warnOwnerAfter = 10

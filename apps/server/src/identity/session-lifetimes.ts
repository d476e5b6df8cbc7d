const minutes = 60
const hours = 60 * minutes
const days = 24 * hours

/**
 * How long sessions live, in seconds: without a call, and in all (security.md, V7.1.1). Masters reach every account, so
 * what they leave open closes soon. Support that acts as a user has half an hour (session-user.ts).
 */
export const lifetimes = {
  user: { idle: 7 * days, absolute: 30 * days },
  master: { idle: 15 * minutes, absolute: 8 * hours },
} as const

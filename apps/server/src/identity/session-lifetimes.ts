const minutes = 60
const hours = 60 * minutes
const days = 24 * hours

/**
 * Session lifetimes in seconds: without a call, and in total. Sessions of masters are short because masters reach
 * every account. Sessions of support have their own limit (session-user.ts).
 */
export const lifetimes = {
  user: { idle: 7 * days, absolute: 30 * days },
  master: { idle: 15 * minutes, absolute: 8 * hours },
} as const

/**
 * Every limit on how often something may be done, with its reason; docs/operations.md shows the same numbers. What may
 * not be guessed has brakes, which count failures alone; all the rest draws on budgets of calls.
 */

type Budget = { points: number; seconds: number }

/** How many calls a subject (a network, an address, a user) may make in a time. */
export const budgets = {
  // Ways in that hold no guessable secret: enough for an office behind one address, too few for a flood.
  'sign_in:network': { points: 60, seconds: 300 },
  // An office that starts together; each sign-up costs a hash and a mail.
  'sign_up:network': { points: 30, seconds: 3600 },
  // Who sends mails from one network, signed in or not (T-72).
  'mail:network': { points: 30, seconds: 3600 },
  // What a mailbox can be made to receive: a lost mail and a second try from one network, and from all of them together
  // no bombing (T-72). One stranger uses up a part of it, never all (T-11).
  'mail:address_network': { points: 5, seconds: 3600 },
  'mail:address': { points: 20, seconds: 3600 },
  // A verification mail once more, asked for in a session: sign-ups by strangers take nothing of it.
  'resend:address_network': { points: 5, seconds: 3600 },
  'resend:address': { points: 20, seconds: 3600 },
  // Links that sign in or set a password, beside the other mails; who asks is not told (T-10). What all networks together
  // can ask for protects the mailbox from bombing, and nothing else: a browser that its owner has signed in with has a
  // part of its own, so that strangers can't use up the owner's (T-11).
  'link:address_network': { points: 4, seconds: 3600 },
  'link:address': { points: 24, seconds: 3600 },
  'link:address_browser': { points: 4, seconds: 3600 },
  // What one signed-in person can have sent, to whomever.
  'mail:user': { points: 20, seconds: 3600 },
  // Secrets of links have 256 bits; the budget keeps the look-ups cheap.
  'token:network': { points: 60, seconds: 600 },
  // Second steps: a whole company is behind one address. What may be guessed is limited for each challenge and user.
  'otp:network': { points: 600, seconds: 600 },
  // The token that a social callback handed over: as many as can get one.
  'handover:network': { points: 300, seconds: 300 },
  // Right passwords of one user: what a person and their scripts need, not a session a second.
  'sign_in:user': { points: 60, seconds: 3600 },
  // Each visit to the sign-in page begins one, and a whole company is behind one address in the morning.
  'passkey:network': { points: 300, seconds: 300 },
  // Card tries: more are testing stolen cards.
  'billing:user': { points: 30, seconds: 600 },
  // Price previews try no card: comparing plans must not use up the calls that pay or cancel.
  'preview:user': { points: 120, seconds: 600 },
  // Looking up promotion codes, right or wrong: a person tries a few, a program would try words.
  'promotion:user': { points: 30, seconds: 3600 },
  // A person's clicks are far below, a script in a loop is not.
  'write:user': { points: 600, seconds: 600 },
  // Calls of one API key: a busy program is below, one in a loop is not.
  'calls:key': { points: 1000, seconds: 60 },
  // Messages to support: of one person, and of everybody together, so that no crowd fills the mailbox (T-71).
  'help:user': { points: 5, seconds: 3600 },
  'help:all': { points: 300, seconds: 3600 },
  // Nobody changes their mind more often (T-81).
  'feedback:user': { points: 10, seconds: 3600 },
  // Each reads everything there is; nobody needs the same file again and again.
  'export:user': { points: 10, seconds: 3600 },
  // Calls with product events in a day, of up to 20 each: far more than anybody clicks (T-81).
  'event:user': { points: 200, seconds: 86_400 },
  // Each is drawn anew by a process of its own.
  'picture:user': { points: 30, seconds: 600 },
  // Pictures that are looked at: a page of a team shows 50 once, and a whole company is behind one address.
  'picture:network': { points: 2000, seconds: 300 },
  // Reports that browsers send by themselves: enough to see a fault, too few to fill the log.
  'report:network': { points: 60, seconds: 600 },
  // A stolen session must not guess the password behind it (V7.5.1).
  'step_up:user': { points: 10, seconds: 900 },
  // A team is invited in one go; a mailing list is not.
  'invite:user': { points: 60, seconds: 3600 },
  // The page loads of social sign-in: two each, and again a whole company. The third step is a sign-in like others.
  'social:network': { points: 300, seconds: 300 },
  // Single sign-on: three steps each, and a whole company behind one address in the morning. None of them guesses.
  'sso:network': { points: 600, seconds: 300 },
} as const satisfies Record<string, Budget>

export type BudgetName = keyof typeof budgets
export const isBudget = (name: string): name is BudgetName => name in budgets

/** Failed tries at a password. `free` ones cost nothing; after them each waits twice as long as the one before. */
type Brake = {
  free: number
  /** What is free while the whole product is under attack: everybody's first try stays one. */
  tight: number
  /** How long failures count. */
  seconds: number
}

/**
 * A stranger may slow down the networks they guess from: by minutes. Two of them already set off the brake of an
 * address; it holds up browsers that the owner never used for half a minute after a guess, and the owner's own not at
 * all (T-11).
 */
export const brakes = {
  // A browser that this user has signed in with answers to nothing but its own failures: no stranger can hold it up.
  'sign_in:address_browser': { free: 5, tight: 5, seconds: 3600 },
  // Typos of one person; from one network no more than 18 guesses an hour come through.
  'sign_in:address_network': { free: 5, tight: 2, seconds: 3600 },
  // Several networks at one address. More than one network alone can reach; two can, which is why networks that have
  // not failed there wait no longer than freshPauseSeconds.
  'sign_in:address': { free: 30, tight: 10, seconds: 3600 },
  // One network at many addresses: an office mistypes less than that.
  'sign_in:network': { free: 60, tight: 10, seconds: 3600 },
} as const satisfies Record<string, Brake>

/** Failures of all unknown browsers together. Beyond them the tight numbers hold: a slower start, never a lock. */
export const crowd = { name: 'sign_in:all', free: 3000, seconds: 600 } as const

/**
 * How long the brake of an address holds up a network that has not failed there in the last hour. Networks that have
 * wait their full pauses: a few of them that go on guessing would else keep the owner out of a new browser for good.
 * With ever new networks 120 guesses an hour come through at one address, all of them together.
 */
export const freshPauseSeconds = 30

/** The longest pause: a guesser is stopped by minutes, and a person can wait them out. */
export const longestPauseSeconds = 900
/** How long a try past the free ones keeps its keys to itself: longer than a hash takes in a full queue. */
export const holdSeconds = 10
/** Failures on one address from unknown browsers until its owner hears of it, at most once a day (V6.3.5). */
export const warnAfter = 10

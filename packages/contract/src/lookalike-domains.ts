/** Allowed scripts: all characters of a label must be of one of them. */
const scripts = [
  /^[\p{scx=Latin}\p{N}-]+$/u,
  /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}a-z0-9-]+$/u,
  /^[\p{scx=Hang}\p{scx=Han}a-z0-9-]+$/u,
  /^[\p{scx=Cyrl}0-9-]+$/u,
  /^[\p{scx=Grek}0-9-]+$/u,
  /^[\p{scx=Arab}0-9-]+$/u,
  /^[\p{scx=Hebr}0-9-]+$/u,
  /^[\p{scx=Deva}0-9-]+$/u,
  /^[\p{scx=Thai}0-9-]+$/u,
]

/** Cyrillic and Greek letters that look like Latin ones. */
const drawnAsLatin = /^[асԁеһіјӏорԛѕѵԝхуτοαινυρκχγωη0-9-]+$/u

/**
 * Whether a domain label looks like another one: it mixes scripts, or all its letters are non-Latin letters that look
 * Latin.
 */
export const isLookalike = (label: string): boolean =>
  drawnAsLatin.test(label) ? /[^0-9-]/.test(label) : !scripts.some(script => script.test(label))

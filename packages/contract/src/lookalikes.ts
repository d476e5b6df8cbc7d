/** The scripts that a label is written in as a whole. */
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

/** Cyrillic and Greek letters that are drawn as Latin ones. */
const drawnAsLatin = /^[асԁеһіјӏорԛѕѵԝхуτοαινυρκχγωη0-9-]+$/u

/**
 * Whether a label of a domain, as people read it, can pass for another: its letters are of several scripts, or all of
 * them are letters of another script that are drawn as Latin ones.
 */
export const isLookalike = (label: string): boolean =>
  drawnAsLatin.test(label) ? /[^0-9-]/.test(label) : !scripts.some(script => script.test(label))

export type Verdict = 'aim' | 'pass' | 'short' | 'missing'
export type Figure = {
  row: string
  what: string
  /** Null: what the row measures is not there yet. */
  value: number | null
  unit: string
  better: 'more' | 'less'
  budget: number
  aim: number
  verdict: Verdict
  /** The figures behind it. */
  details: Record<string, number | string>
}
type Given = Omit<Figure, 'verdict'>

const meets = (value: number, line: number, better: Given['better']) =>
  better === 'more' ? value >= line : value <= line

/** A figure with its verdict. It is compared as measured, not as rounded. */
export function judge(given: Given): Figure {
  const { value, better } = given
  const verdict: Verdict =
    value === null || Number.isNaN(value)
      ? 'missing'
      : meets(value, given.aim, better)
        ? 'aim'
        : meets(value, given.budget, better)
          ? 'pass'
          : 'short'
  return { ...given, verdict }
}

const show = (value: number | string) =>
  typeof value === 'string'
    ? value
    : Number.isInteger(value) || Math.abs(value) >= 1000
      ? String(Math.round(value))
      : String(Number(value.toPrecision(3)))

/** One line for a figure as it is measured. */
export function line({ what, value, unit, better, budget, aim, verdict, details }: Figure): string {
  const sign = better === 'more' ? '>=' : '<='
  const measured = value === null ? '-' : `${show(value)}${unit}`
  const behind = Object.entries(details).map(([name, each]) => `${name} ${show(each)}`)
  return `${what.padEnd(58)} ${measured.padStart(9)}  ${`${sign} ${budget}${unit}`.padEnd(11)} ${`aim ${aim}${unit}`.padEnd(11)} ${verdict.padEnd(7)}  ${behind.join(', ')}`
}

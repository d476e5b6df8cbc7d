import { planIds, planOf } from '@plinth/contract/plans'

const firstNames =
  'Anneke Rafael Priya Jonah Claire Haru Marta Owen Leila Tomás Ines Bram Sofia Yusuf Greta Noor Elio Kaya Milan Ada'.split(
    ' ',
  )
const lastNames =
  'Lindqvist Duarte Krishnan Okafor Beaumont Tanaka Novak Hughes Farah Reyes Costa Visser Rossi Demir Weber Haddad Moreau Aydin Kovac Byrne'.split(
    ' ',
  )
const companies =
  'fjordworks.example oliveandslate.example tallyroom.example millrace.example kintsugi.example saltmarsh.example northlight.example'.split(
    ' ',
  )
const months = 12
const people = 200

/** Demo figures of a small company's year, the same for an account all day. Money in minor units. */
export function demoFigures(accountId: string, now: Date) {
  const random = randomFrom(accountId)
  const previous = growing(random, 1_800_000, 0.035)
  const current = growing(random, (previous.at(-1) ?? 0) * 1.04, 0.045)
  return {
    stats: [
      {
        label: 'revenue',
        value: current.at(-1) ?? 0,
        unit: 'money' as const,
        icon: 'wallet',
        change: change(current.at(-1), current.at(-2)),
      },
      {
        label: 'active_users',
        value: 9000 + random(6000),
        unit: 'count' as const,
        icon: 'users',
        change: `+${(1 + random(60) / 10).toFixed(1)}%`,
      },
      {
        label: 'new_sign_ups',
        value: 200 + random(250),
        unit: 'count' as const,
        icon: 'user-plus',
        change: `+${(2 + random(120) / 10).toFixed(1)}%`,
      },
      {
        label: 'trials_converted',
        value: 20 + random(50),
        unit: 'count' as const,
        icon: 'activity',
        change: `-${(1 + random(60) / 10).toFixed(1)}%`,
      },
    ],
    revenue: { months: lastMonths(now), current, previous, currency: planOf('free').currency },
    users: Array.from({ length: people }, (_, index) => person(random, index, now)),
  }
}

function person(random: (below: number) => number, index: number, now: Date) {
  const first = pick(firstNames, index + random(3))
  const last = pick(lastNames, Math.floor(index / firstNames.length) + index * 7)
  const plan = pick(planIds, random(planIds.length))
  const day = new Date(
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()) - index * 36 * 3_600_000,
  )
  const paidMonths = 1 + Math.floor(index / 20)
  return {
    id: `demo-${index + 1}`,
    name: `${first} ${last}`,
    email: `${plain(first)}.${plain(last)}${Math.floor(index / 100) || ''}@${pick(companies, index)}`,
    plan,
    date_joined: day.toISOString(),
    revenue: planOf(plan).price * (planOf(plan).interval === 'year' ? 1 : paidMonths) * (1 + random(4)),
  }
}

const plain = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()

function growing(random: (below: number) => number, start: number, rate: number): number[] {
  let value = start
  return Array.from({ length: months }, () => {
    value *= 1 + rate + (random(60) - 30) / 1000
    return Math.round(value / 5000) * 5000
  })
}

function change(now = 0, before = 1): string {
  const percent = ((now - before) / before) * 100
  return `${percent < 0 ? '-' : '+'}${Math.abs(percent).toFixed(1)}%`
}

function lastMonths(now: Date): string[] {
  return Array.from({ length: months }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (months - 1 - index), 1))
      .toISOString()
      .slice(0, 10),
  )
}

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T // as: the remainder is always within

/** A small seeded generator (xorshift32): demo data must not change between two calls. */
function randomFrom(seed: string): (below: number) => number {
  let state = 2_166_136_261
  for (const character of seed) state = Math.imul(state ^ character.charCodeAt(0), 16_777_619)
  return below => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

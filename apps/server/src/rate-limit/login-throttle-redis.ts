import type { Db } from '../db/open.ts'
import { inTime, type RedisClient } from '../lib/redis.ts'
import { crowd, freshPauseSeconds, holdSeconds, longestPauseSeconds } from './limits.ts'
import { findCandidates } from './login-throttle-database.ts'
import type { BrakeStore } from './login-throttle-store.ts'

/**
 * The same as the functions of the database (migrations 0014 to 0054), as scripts. A key is a hash: `n` failures, `free` ones,
 * `till` when it pauses, `fresh` till when for those without failures, `ends` when its failures are forgotten; times in milliseconds of the caller's clock.
 */
const take = `
local now, hold, crowdFree, count = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), #KEYS - 1
local shared = tonumber(ARGV[#ARGV])
local own = redis.call('hmget', KEYS[1], 'n', 'ends')
local fresh = not (own[1] and tonumber(own[1]) > 0 and tonumber(own[2]) > now)
local wait = 0
for i = 1, count do
  local pause = redis.call('hmget', KEYS[i], 'till', 'fresh')
  local till = tonumber(pause[1] or 0)
  if fresh and i == shared then till = math.min(till, tonumber(pause[2] or till)) end
  wait = math.max(wait, till - now)
end
if wait > 0 then return {wait} end
local seen = redis.call('hmget', KEYS[count + 1], 'n', 'ends')
local crowded = seen[1] and tonumber(seen[1]) > crowdFree and tonumber(seen[2]) > now
local answer = {0}
for i = 1, count do
  local free = tonumber(ARGV[3 * i + (crowded and 2 or 1)])
  local long = tonumber(ARGV[3 * i + 3])
  if tonumber(redis.call('hget', KEYS[i], 'ends') or 0) <= now then
    redis.call('del', KEYS[i])
    redis.call('hset', KEYS[i], 'ends', now + long)
  end
  local n = redis.call('hincrby', KEYS[i], 'n', 1)
  local till = math.max(tonumber(redis.call('hget', KEYS[i], 'till') or 0), now + hold)
  redis.call('hset', KEYS[i], 'free', free, 'till', n > free and till or 0, 'fresh', n > free and now + hold or 0)
  redis.call('pexpire', KEYS[i], long + ${longestPauseSeconds * 1000})
  answer[2 * i] = n
  answer[2 * i + 1] = n > free and 1 or 0
end
return answer`

const fail = `
local now, longest, count = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
for i = 1, count do
  local seen = redis.call('hmget', KEYS[i], 'n', 'free', 'ends')
  local past = tonumber(seen[1] or 0) - tonumber(seen[2] or 0)
  if past > 0 then
    local till = now + math.min(2 ^ math.min(past - 1, 20) * 1000, longest)
    redis.call('hset', KEYS[i], 'till', till, 'fresh', math.min(till, now + tonumber(ARGV[5])), 'ends', math.max(tonumber(seen[3] or 0), till))
  end
end
if #KEYS > count then
  local crowd, long = KEYS[#KEYS], tonumber(ARGV[4])
  if tonumber(redis.call('hget', crowd, 'ends') or 0) <= now then
    redis.call('del', crowd)
    redis.call('hset', crowd, 'ends', now + long)
  end
  redis.call('hincrby', crowd, 'n', 1)
  redis.call('pexpire', crowd, long)
end`

const releaseScript = `
local count = tonumber(ARGV[1])
for i = 1, count do
  if redis.call('exists', KEYS[i]) == 1 then
    if tonumber(redis.call('hget', KEYS[i], 'n')) > 0 then redis.call('hincrby', KEYS[i], 'n', -1) end
    if ARGV[i + 1] == '1' then redis.call('hset', KEYS[i], 'till', 0) end
  end
end
if #KEYS > count then redis.call('del', KEYS[#KEYS]) end`

const draw = `
local points, now, seconds = redis.call('hmget', KEYS[1], 'points', 'ends'), tonumber(ARGV[1]), tonumber(ARGV[2])
local n, ends = tonumber(points[1] or 0), tonumber(points[2] or 0)
if ends <= now then n, ends = 0, now + seconds * 1000 end
redis.call('hset', KEYS[1], 'points', n + 1, 'ends', ends)
redis.call('pexpire', KEYS[1], seconds * 1000)
return {n + 1, ends - now}`

const prefix = 'brake:'

/** @param db knows whom an address may sign in */
export function brakesInRedis(redis: RedisClient, db: Pick<Db, 'query'>): BrakeStore {
  const run = (script: string, keys: string[], values: (number | string)[]) =>
    inTime(redis.eval(script, { keys: keys.map(key => prefix + key), arguments: values.map(String) }))
  async function release(keys: string[], held: string[], cleared: string | null) {
    const flags = keys.map(key => (held.includes(key) ? 1 : 0))
    await run(releaseScript, [...keys, ...(cleared ? [cleared] : [])], [keys.length, ...flags])
  }
  return {
    async begin(guess, [known, ...unknown], { key, free }, shared) {
      const found = await findCandidates(db, guess)
      const keys = found.knows_browser ? [known] : unknown
      const numbers = keys.flatMap(braked => [braked.free, braked.tight, braked.seconds * 1000])
      const answer = await run(
        take,
        [...keys.map(braked => braked.key), key],
        [
          guess.now.getTime(),
          holdSeconds * 1000,
          free,
          ...numbers,
          keys.findIndex(braked => braked.key === shared) + 1,
        ],
      )
      const [wait = 0, ...counts] = answer as number[] // as: what the script above returns
      if (wait > 0) return { ...found, taken: { wait: wait / 1000 } }
      const seen = keys.map((braked, n) => [
        braked.key,
        { failures: counts[2 * n] ?? 0, held: counts[2 * n + 1] === 1 },
      ])
      return { ...found, taken: { counts: Object.fromEntries(seen) } }
    },
    async fail(now, keys, crowdKey) {
      await run(
        fail,
        [...keys, ...(crowdKey ? [crowdKey] : [])],
        [
          now.getTime(),
          longestPauseSeconds * 1000,
          keys.length,
          crowd.seconds * 1000,
          freshPauseSeconds * 1000,
        ],
      )
    },
    release: (keys, held) => release(keys, held, null),
    async succeed(now, keys, held, cleared, { key, seconds }) {
      const [answer] = await Promise.all([
        run(draw, [key], [now.getTime(), seconds]),
        release(keys, held, cleared),
      ])
      const [points = 0, wait = 0] = answer as number[] // as: what the script above returns
      return { points, wait }
    },
  }
}

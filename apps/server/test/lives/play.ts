import { freshEmail, password } from '../harness.ts'
import { readLedger } from './ledger.ts'
import { type Life, open, pass, type Repeat } from './life.ts'
import type { Process } from './processes.ts'
import { cards, type Mishap, type Step } from './steps.ts'

type Answer = Awaited<ReturnType<Process['call']>> | 'killed'
type Asked = { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string; body?: Record<string, unknown> }
type Called = Extract<Step, { process: 0 | 1 }>

/** Does one step. What can't be done as things stand is not done: the diary says so. */
export async function play(life: Life, step: Step): Promise<void> {
  life.diary.push(JSON.stringify(step))
  const { town } = life
  switch (step.do) {
    case 'pass':
      await pass(life, step.hours)
      return byTheClock(life)
    case 'tell':
      return town.provider.tell(step, town.processes)
    case 'bank':
      if (life.question) await atTheBank(life, step.outcome)
      return
    case 'provider':
      return atTheProvider(life, step.what)
    case 'market':
      if (step.what === 'code_ends') return town.provider.endCode()
      await town.provider.changePrice()
      for (const process of town.processes) process.services.outside.payments.clearPriceCache()
      return
    case 'return':
      if (!life.account) await open(life)
      return
    case 'use':
      return use(life, step, step.quantity)
    case 'close':
      return close(life, step)
    case 'work':
      return work(life, step)
    case 'night':
      return night(life, step)
    case 'look':
      return look(life, step, step.at)
    case 'join':
      return join(life, step)
    case 'quote':
      return quote(life, step)
    case 'leave':
      return leave(life, step)
    default:
      return pay(life, step)
  }
}

/** Whatever the clock starts, once; then what is due. */
export async function byTheClock(life: Life) {
  const { jobs, processes } = life.town
  life.problems.push(...(await jobs.byTheClock({ process: processes[0] })))
  life.problems.push(...(await jobs.drain({ process: processes[0] })))
}

const killer = ({ town }: Life, { process, mishap }: Called) => ({
  process: town.processes[process],
  ...(mishap.kind === 'killed' && { dies: mishap.at }),
})

/** What is due is done, as far as it gets. */
async function work(life: Life, step: Called) {
  await planted(life, step.mishap, () => life.town.jobs.drain(killer(life, step)))
}

async function night(life: Life, step: Called) {
  const problems = await planted(life, step.mishap, () => life.town.jobs.byTheClock(killer(life, step)))
  if (step.mishap.kind !== 'fault') life.problems.push(...problems)
}

function repeatOf(step: Called, life: Life): Repeat | null {
  const path = '/api/account/plan'
  switch (step.do) {
    case 'choose':
      return { method: 'POST', path, body: { plan: step.plan } }
    case 'change':
      return { method: 'PATCH', path, body: { plan: step.plan } }
    case 'upgrade':
      return { method: 'POST', path: '/api/account/upgrade', body: { plan: step.plan } }
    case 'replace_card':
      return { method: 'PATCH', path: '/api/account/card', body: {} }
    case 'pay_quoted':
      return life.quoted && { ...life.quoted, body: { ...life.quoted.body } }
    default:
      return null
  }
}

/** A call that may cost something; a question of the bank is kept for later. */
async function pay(life: Life, step: Called) {
  const asked = step.do === 'come_back' ? await comingBack(life, step.outcome) : repeatOf(step, life)
  if (!asked || !life.account) return
  if ('card' in step && step.card) asked.body.token = await life.town.sandbox.card(cards[step.card])
  const answers = await called(life, step, asked)
  for (const answer of answers) {
    if (answer === 'killed' || answer.status !== 200) continue
    const { requires_payment_action, client_secret, kind } = answer.data
    if (requires_payment_action) life.question = { secret: client_secret, kind, repeat: asked }
  }
}

/** Reads a price as the screen of a call shows it. */
async function quote(life: Life, step: Extract<Called, { do: 'quote' }>) {
  const call = repeatOf({ ...step, do: step.call, card: 'good' }, life)
  if (!call || !life.account) return
  const code = step.code && step.call !== 'replace_card' ? await life.town.provider.code() : null
  if (code) call.body.promotion_code = code
  const preview = `plan/preview?plan=${step.plan}${code ? `&promotion_code=${code}` : ''}`
  const path = `/api/account/${step.call === 'replace_card' ? 'subscription' : preview}`
  for (const answer of await called(life, step, { method: 'GET', path })) {
    if (answer === 'killed' || answer.status !== 200) continue
    const shown = step.call === 'replace_card' ? answer.data.card_quote : answer.data.quote
    if (shown) life.quoted = { ...call, body: { ...call.body, quote: shown } }
  }
}

async function look(life: Life, step: Called, at: string) {
  if (life.account) await called(life, step, { method: 'GET', path: `/api/account/${at}` })
}

/** Back from the bank, or without having been there, with the name of the payment. */
async function comingBack(life: Life, outcome: 'complete' | 'fail' | 'none'): Promise<Repeat | null> {
  const { question } = life
  if (!question) return null
  if (outcome !== 'none') await atTheBank(life, outcome)
  life.question = null
  const { repeat, kind, secret } = question
  const { payment_intent: _payment, setup_intent: _setup, ...body } = repeat.body
  return { ...repeat, body: { ...body, [`${kind}_intent`]: secret.split('_secret_')[0] } }
}

async function atTheBank({ town, question, diary }: Life, outcome: 'complete' | 'fail') {
  if (!question) return
  // The question may be moot: withdrawn, or answered in the other tab.
  await town.sandbox
    .bank(question.secret, outcome)
    .catch((error: unknown) => diary.push(`  ${String(error)}`))
}

/** Makes a call, with what goes wrong meanwhile; twice, it is made in both processes at once. */
async function called(life: Life, step: Called, { method, path, body }: Asked): Promise<Answer[]> {
  const { town, account } = life
  const token = account?.token ?? ''
  const one = (process: Process, dies?: number) =>
    process.doing(() => process.call(method, path, { token, ...(body && { body }) }), dies)
  const [first, second] = [town.processes[step.process], town.processes[1 - step.process]]
  const { mishap } = step
  const answers = await planted(life, mishap, () =>
    Promise.all([
      one(first, mishap.kind === 'killed' ? mishap.at : undefined),
      ...(mishap.kind === 'twice' && second ? [one(second)] : []),
    ]),
  )
  for (const answer of answers) judge(life, `${method} ${path}`, answer, mishap)
  // Whoever held on to the account is missed after some seconds.
  if (answers.includes('killed')) await pass(life, 30 / 3600)
  return answers
}

async function planted<T>({ town }: Life, mishap: Mishap, run: () => Promise<T>): Promise<T> {
  if (mishap.kind !== 'fault') return run()
  const { match, fault, times, after } = mishap
  await town.sandbox.fault(match, fault, times, after)
  // Only here: on a busy machine an answer that nothing holds back may take as long.
  for (const process of town.processes) process.hurry(fault === 'timeout')
  try {
    return await run()
  } finally {
    for (const process of town.processes) process.hurry(false)
    await town.sandbox.clearFaults()
  }
}

/** Every answer is clear: never a bug, and never the provider's fault when it had none. */
function judge(life: Life, what: string, answer: Answer, mishap: Mishap) {
  if (answer === 'killed') return void life.diary.push('  killed')
  life.diary.push(`  ${answer.status} ${answer.text.slice(0, 160)}`)
  const { code } = answer.body
  if (answer.status === 500) life.problems.push(`${what} answered 500`)
  if (answer.status >= 400 && typeof code !== 'string')
    life.problems.push(`${what} answered no code: ${answer.text}`)
  if (code === 'payment_provider_down' && mishap.kind !== 'fault')
    life.problems.push(`${what} found the provider down, which it was not`)
}

async function join(life: Life, step: Called) {
  if (!life.account) return
  const email = freshEmail('member')
  const body = {
    email,
    permission: 'user',
    first_name: 'Bram',
    last_name: 'Koster',
    bypass_signup: true,
    password,
    confirm_password: password,
  }
  await called(life, step, { method: 'POST', path: '/api/invite', body })
  const rows = await life.town.system('select id from users where email = $1', [email])
  if (rows[0]?.id) life.members.push(rows[0].id)
}

async function leave(life: Life, step: Called) {
  const member = life.members.shift()
  if (member && life.account) await called(life, step, { method: 'DELETE', path: `/api/user/${member}` })
}

async function use(life: Life, step: Called, quantity: number) {
  if (life.account) await called(life, step, { method: 'POST', path: '/api/usage', body: { quantity } })
}

async function atTheProvider(life: Life, what: 'cancel' | 'cancel_later' | 'keep') {
  const { system, sandbox } = life.town
  if (!life.account) return
  const rows = await system(
    "select provider_sub_id as id from subscriptions where account_id = $1 and status <> 'canceled'",
    [life.account.id],
  )
  const id = rows[0]?.id
  if (!id) return
  const [method, fields] =
    what === 'cancel'
      ? (['DELETE', {}] as const)
      : (['POST', { cancel_at_period_end: String(what === 'cancel_later') }] as const)
  await sandbox
    .api(method, `/v1/subscriptions/${id}`, fields)
    // It has ended meanwhile, which we may not have been told.
    .catch((error: unknown) => life.diary.push(`  ${String(error)}`))
}

async function close(life: Life, step: Called) {
  if (!life.account) return
  const { id } = life.account
  for (const invoice of (await readLedger(life)).invoices) life.invoiced.add(String(invoice.id))
  const answers = await called(life, step, { method: 'DELETE', path: '/api/account', body: { password } })
  const [row] = await life.town.system('select id from accounts where id = $1', [id])
  // Whatever was answered, or not any more.
  if (row) return
  if (!answers.some(answer => answer === 'killed' || answer.status === 200))
    life.problems.push('the account is closed, and nobody was told')
  life.closed.push(id)
  life.account = null
  life.question = null
  life.quoted = null
}

import { freshEmail, password } from '../harness.ts'
import { readLedger } from './ledger.ts'
import type { Process } from './processes.ts'
import { passTime, type Repeat, type Simulation, signUp } from './simulation.ts'
import { cards, type Mishap, type Step } from './steps.ts'

type Answer = Awaited<ReturnType<Process['call']>> | 'killed'
type Asked = { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string; body?: Record<string, unknown> }
type Called = Extract<Step, { process: 0 | 1 }>

/** Runs one step. Skips a step that is impossible in the current state. */
export async function runStep(sim: Simulation, step: Step): Promise<void> {
  sim.log.push(JSON.stringify(step))
  const { env } = sim
  switch (step.do) {
    case 'pass':
      await passTime(sim, step.hours)
      return runScheduled(sim)
    case 'tell':
      return env.provider.deliverWebhooks(step, env.processes)
    case 'bank':
      if (sim.question) await answerBank(sim, step.outcome)
      return
    case 'provider':
      return actAtProvider(sim, step.what)
    case 'market':
      if (step.what === 'code_ends') return env.provider.endCode()
      await env.provider.changePrice()
      for (const process of env.processes) process.services.integrations.payments.clearPriceCache()
      return
    case 'return':
      if (!sim.account) await signUp(sim)
      return
    case 'use':
      return use(sim, step, step.quantity)
    case 'close':
      return close(sim, step)
    case 'work':
      return work(sim, step)
    case 'night':
      return night(sim, step)
    case 'look':
      return readScreen(sim, step, step.at)
    case 'join':
      return join(sim, step)
    case 'quote':
      return quote(sim, step)
    case 'leave':
      return leave(sim, step)
    default:
      return pay(sim, step)
  }
}

/** Runs scheduled jobs once, then due jobs. */
export async function runScheduled(sim: Simulation) {
  const { jobs, processes } = sim.env
  sim.problems.push(...(await jobs.runScheduled({ process: processes[0] })))
  sim.problems.push(...(await jobs.runDue({ process: processes[0] })))
}

const killer = ({ env }: Simulation, { process, mishap }: Called) => ({
  process: env.processes[process],
  ...(mishap.kind === 'killed' && { dies: mishap.at }),
})

/** Runs due jobs, as far as the mishap lets them. */
async function work(sim: Simulation, step: Called) {
  await withFault(sim, step.mishap, () => sim.env.jobs.runDue(killer(sim, step)))
}

async function night(sim: Simulation, step: Called) {
  const problems = await withFault(sim, step.mishap, () => sim.env.jobs.runScheduled(killer(sim, step)))
  if (step.mishap.kind !== 'fault') sim.problems.push(...problems)
}

function repeatOf(step: Called, sim: Simulation): Repeat | null {
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
      return sim.quoted && { ...sim.quoted, body: { ...sim.quoted.body } }
    default:
      return null
  }
}

/** Makes a call that may charge; stores a question of the bank for later. */
async function pay(sim: Simulation, step: Called) {
  const asked = step.do === 'come_back' ? await returnFromBank(sim, step.outcome) : repeatOf(step, sim)
  if (!asked || !sim.account) return
  if ('card' in step && step.card) asked.body.token = await sim.env.sandbox.card(cards[step.card])
  const answers = await callApi(sim, step, asked)
  for (const answer of answers) {
    if (answer === 'killed' || answer.status !== 200) continue
    const { requires_payment_action, client_secret, kind } = answer.data
    if (requires_payment_action) sim.question = { secret: client_secret, kind, repeat: asked }
  }
}

/** Reads a price as the screen does. */
async function quote(sim: Simulation, step: Extract<Called, { do: 'quote' }>) {
  const call = repeatOf({ ...step, do: step.call, card: 'good' }, sim)
  if (!call || !sim.account) return
  const code = step.code && step.call !== 'replace_card' ? await sim.env.provider.code() : null
  if (code) call.body.promotion_code = code
  const preview = `plan/preview?plan=${step.plan}${code ? `&promotion_code=${code}` : ''}`
  const path = `/api/account/${step.call === 'replace_card' ? 'subscription' : preview}`
  for (const answer of await callApi(sim, step, { method: 'GET', path })) {
    if (answer === 'killed' || answer.status !== 200) continue
    const shown = step.call === 'replace_card' ? answer.data.card_quote : answer.data.quote
    if (shown) sim.quoted = { ...call, body: { ...call.body, quote: shown } }
  }
}

async function readScreen(sim: Simulation, step: Called, at: string) {
  if (sim.account) await callApi(sim, step, { method: 'GET', path: `/api/account/${at}` })
}

/** Repeats the call with the payment object, with or without a confirmation. */
async function returnFromBank(
  sim: Simulation,
  outcome: 'complete' | 'fail' | 'none',
): Promise<Repeat | null> {
  const { question } = sim
  if (!question) return null
  if (outcome !== 'none') await answerBank(sim, outcome)
  sim.question = null
  const { repeat, kind, secret } = question
  const { payment_intent: _payment, setup_intent: _setup, ...body } = repeat.body
  return { ...repeat, body: { ...body, [`${kind}_intent`]: secret.split('_secret_')[0] } }
}

async function answerBank({ env, question, log }: Simulation, outcome: 'complete' | 'fail') {
  if (!question) return
  // The payment may be canceled, or confirmed in another tab.
  await env.sandbox.bank(question.secret, outcome).catch((error: unknown) => log.push(`  ${String(error)}`))
}

/** Makes a call with its mishap; `twice` makes it in both processes at once. */
async function callApi(sim: Simulation, step: Called, { method, path, body }: Asked): Promise<Answer[]> {
  const { env, account } = sim
  const token = account?.token ?? ''
  const one = (process: Process, dies?: number) =>
    process.runKillable(() => process.call(method, path, { token, ...(body && { body }) }), dies)
  const [first, second] = [env.processes[step.process], env.processes[1 - step.process]]
  const { mishap } = step
  const answers = await withFault(sim, mishap, () =>
    Promise.all([
      one(first, mishap.kind === 'killed' ? mishap.at : undefined),
      ...(mishap.kind === 'twice' && second ? [one(second)] : []),
    ]),
  )
  for (const answer of answers) checkReply(sim, `${method} ${path}`, answer, mishap)
  // The lease of a dead process expires after some seconds.
  if (answers.includes('killed')) await passTime(sim, 30 / 3600)
  return answers
}

async function withFault<T>({ env }: Simulation, mishap: Mishap, run: () => Promise<T>): Promise<T> {
  if (mishap.kind !== 'fault') return run()
  const { match, fault, times, after } = mishap
  await env.sandbox.fault(match, fault, times, after)
  // Only with a planted timeout: on a busy machine normal replies may take as long.
  for (const process of env.processes) process.useShortTimeout(fault === 'timeout')
  try {
    return await run()
  } finally {
    for (const process of env.processes) process.useShortTimeout(false)
    await env.sandbox.clearFaults()
  }
}

/** Every reply is clear: never a 500, and never `payment_provider_down` without a fault. */
function checkReply(sim: Simulation, what: string, answer: Answer, mishap: Mishap) {
  if (answer === 'killed') return void sim.log.push('  killed')
  sim.log.push(`  ${answer.status} ${answer.text.slice(0, 160)}`)
  const { code } = answer.body
  if (answer.status === 500) sim.problems.push(`${what} answered 500`)
  if (answer.status >= 400 && typeof code !== 'string')
    sim.problems.push(`${what} answered no code: ${answer.text}`)
  if (code === 'payment_provider_down' && mishap.kind !== 'fault')
    sim.problems.push(`${what} found the provider down, which it was not`)
}

async function join(sim: Simulation, step: Called) {
  if (!sim.account) return
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
  await callApi(sim, step, { method: 'POST', path: '/api/invite', body })
  const rows = await sim.env.system('select id from users where email = $1', [email])
  if (rows[0]?.id) sim.members.push(rows[0].id)
}

async function leave(sim: Simulation, step: Called) {
  const member = sim.members.shift()
  if (member && sim.account) await callApi(sim, step, { method: 'DELETE', path: `/api/user/${member}` })
}

async function use(sim: Simulation, step: Called, quantity: number) {
  if (sim.account) await callApi(sim, step, { method: 'POST', path: '/api/usage', body: { quantity } })
}

async function actAtProvider(sim: Simulation, what: 'cancel' | 'cancel_later' | 'keep') {
  const { system, sandbox } = sim.env
  if (!sim.account) return
  const rows = await system(
    "select provider_sub_id as id from subscriptions where account_id = $1 and status <> 'canceled'",
    [sim.account.id],
  )
  const id = rows[0]?.id
  if (!id) return
  const [method, fields] =
    what === 'cancel'
      ? (['DELETE', {}] as const)
      : (['POST', { cancel_at_period_end: String(what === 'cancel_later') }] as const)
  await sandbox
    .api(method, `/v1/subscriptions/${id}`, fields)
    // It may have ended without a webhook.
    .catch((error: unknown) => sim.log.push(`  ${String(error)}`))
}

async function close(sim: Simulation, step: Called) {
  if (!sim.account) return
  const { id } = sim.account
  for (const invoice of (await readLedger(sim)).invoices) sim.invoiced.add(String(invoice.id))
  const answers = await callApi(sim, step, { method: 'DELETE', path: '/api/account', body: { password } })
  const [row] = await sim.env.system('select id from accounts where id = $1', [id])
  // The row decides, not the reply.
  if (row) return
  if (!answers.some(answer => answer === 'killed' || answer.status === 200))
    sim.problems.push('the account is closed, but no reply said so')
  sim.closed.push(id)
  sim.account = null
  sim.question = null
  sim.quoted = null
}

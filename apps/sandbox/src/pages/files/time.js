const byId = id => document.getElementById(id)
const element = (name, className, text) => {
  const made = document.createElement(name)
  if (className) made.className = className
  if (text !== undefined) made.textContent = text
  return made
}
/** Changes the text only when it differs: a live region announces every write. */
const say = (node, text) => {
  if (node.textContent !== text) node.textContent = text
}
const timeOf = seconds => new Date(seconds * 1000)
const read = async path => {
  const answer = await fetch(path).catch(() => null)
  return answer?.ok ? answer.json() : null
}
const send = (path, body, method = 'POST') =>
  fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
    .then(async answer => (answer.ok ? null : ((await answer.json()).error?.message ?? 'That did not work.')))
    .catch(() => 'The sandbox does not answer.')

const steps = [...document.querySelectorAll('[data-step]')]
let moving = false

async function showClock() {
  const clock = await read('/sandbox/clock')
  if (!clock) return
  const now = timeOf(clock.now)
  byId('now').dateTime = now.toISOString()
  byId('now').textContent = now.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'short' })
  const next = clock.next_renewal === null ? null : timeOf(clock.next_renewal)
  const when = next?.toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' })
  say(
    byId('next'),
    next
      ? `The next renewal is due on ${when}, and paid an hour later.`
      : 'No subscription renews on this clock yet.',
  )
  for (const button of steps) button.disabled = moving || (button.dataset.step.includes('to') && !next)
}

for (const button of steps)
  button.addEventListener('click', async () => {
    moving = true
    const refused = await send('/sandbox/clock', JSON.parse(button.dataset.step))
    moving = false
    say(byId('clock-state'), refused ?? `Moved: ${button.textContent.toLowerCase()}.`)
    await refresh()
  })

/** One row with a switch. `set` returns an error message or nothing. */
function addSwitch(list, { name, note }, set, state) {
  const label = element('label', 'switch')
  const input = element('input')
  input.type = 'checkbox'
  input.setAttribute('role', 'switch')
  const text = element('span', 'switch__note', note)
  const left = element('span', 'switch__left')
  text.append(' ', left)
  const title = element('span', 'switch__name', name)
  // The title is the switch's name; the note and the remaining count are its description.
  title.id = `${list.id}-${list.children.length}`
  text.id = `${title.id}-note`
  input.setAttribute('aria-labelledby', title.id)
  input.setAttribute('aria-describedby', text.id)
  label.append(title, input, text)
  const row = element('li')
  row.append(label)
  list.append(row)
  input.addEventListener('change', async () => {
    const refused = await set(input.checked)
    say(state, refused ?? `${name}: ${input.checked ? 'on' : 'off'}.`)
    await refresh()
  })
  return (on, more = '') => {
    input.checked = on
    left.textContent = more
  }
}

const leftText = count => (count > 0 ? `${count} to come` : '')

// A list, because an object would put integer keys first.
const faults = [
  ['500', 'Server error', 'Answers 500 and does nothing.'],
  ['429', 'Too many requests', 'Answers 429 and does nothing.'],
  ['409', 'Conflict', 'Answers 409, as if the object were locked.'],
  ['timeout', 'No answer', 'Keeps the call waiting for 30 seconds, then hangs up.'],
  ['reset', 'Connection reset', 'Hangs up before anything is done.'],
  ['drop_after_commit', 'Lost reply', 'Does the work, then hangs up without an answer.'],
  ['garbage', 'Garbage', 'Replies 200 with HTML instead of JSON.'],
]
const showFault = faults.map(([kind, name, note]) => [
  kind,
  addSwitch(
    byId('fault-list'),
    { name, note },
    on =>
      on
        ? send('/sandbox/faults', {
            match: byId('fault-match').value.trim(),
            kind,
            times: Number(byId('fault-times').value) || 1,
          })
        : send(`/sandbox/faults?kind=${kind}`, null, 'DELETE'),
    byId('fault-state'),
  ),
])

async function showFaults() {
  const stored = await read('/sandbox/faults')
  if (!stored) return
  for (const [kind, show] of showFault) {
    const own = stored.data.filter(fault => fault.kind === kind)
    show(own.length > 0, leftText(own.reduce((sum, fault) => sum + fault.times, 0)))
  }
}

const losses = () => Number(byId('lose-times').value) || 1
const webhookFaults = {
  duplicate: ['Twice', 'Every event is sent twice.', () => 1],
  reorder: ['Backwards', 'Pending events are sent newest first.', () => true],
  delay_ms: ['Late', 'Every event is delayed by 5 seconds.', () => 5_000],
  fail: ['Lost at first', 'The next events fail once and arrive at the retry.', losses],
  lose: ['Lost for good', 'The next events never arrive unless they are sent again.', losses],
}
const showWebhookFaults = Object.entries(webhookFaults).map(([field, [name, note, value]]) => [
  field,
  addSwitch(
    byId('webhook-list'),
    { name, note },
    on => send('/sandbox/webhooks', { [field]: on ? value() : typeof value() === 'boolean' ? false : 0 }),
    byId('webhook-state'),
  ),
])

async function showWebhooks() {
  const state = await read('/sandbox/webhooks')
  if (!state) return
  for (const [field, show] of showWebhookFaults)
    show(Boolean(state[field]), field === 'fail' || field === 'lose' ? leftText(state[field]) : '')
}

const ways = {
  done: ['delivered', 'success'],
  pending: ['on its way', 'neutral'],
  given_up: ['given up', 'danger'],
  lost: ['lost', 'danger'],
}

function wayOf({ url, state, attempts, last_status: status, last_error: error }) {
  const [text, kind] = ways[state]
  const badge = element('span', `badge badge--${kind}`, attempts > 1 ? `${text}, try ${attempts}` : text)
  badge.title = [url, status && `status ${status}`, error].filter(Boolean).join(' · ')
  return badge
}

const rows = new Map()

function rowOf(event) {
  const row = element('li', 'event')
  const created = timeOf(event.created)
  const time = element(
    'time',
    'event__time num',
    created.toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'short' }),
  )
  time.dateTime = created.toISOString()
  const what = element('div', 'event__what')
  what.append(
    element('span', 'event__type', event.type),
    element('span', 'event__id', event.subject.id ?? ''),
  )
  const state = element('div', 'event__ways')
  row.append(time, what, state)
  if (event.deliveries.length > 0) {
    const resend = element('button', 'btn btn--secondary', 'Resend')
    resend.type = 'button'
    resend.setAttribute('aria-label', `Resend ${event.type} of ${event.subject.id ?? 'an object'}`)
    resend.addEventListener('click', async () => {
      const refused = await send('/sandbox/webhooks', { resend: event.id })
      say(byId('event-state'), refused ?? `${event.type} is on its way again.`)
      await refresh()
    })
    row.append(resend)
  }
  return row
}

function showEvent(event) {
  const row = rows.get(event.id) ?? rowOf(event)
  rows.set(event.id, row)
  const state = row.children[2]
  const shown = JSON.stringify(event.deliveries)
  if (state.dataset.shown === shown) return row
  state.dataset.shown = shown
  state.replaceChildren(
    ...(event.deliveries.length > 0
      ? event.deliveries.map(wayOf)
      : [element('span', 'badge', 'nobody listens')]),
  )
  return row
}

async function showEvents() {
  const events = await read('/sandbox/events')
  if (!events) return
  const list = byId('event-list')
  const wanted = events.data.map(showEvent)
  // Moving a row would lose its focus, so existing rows stay in place.
  for (const row of [...list.children]) if (!wanted.includes(row)) row.remove()
  for (const [index, row] of wanted.entries())
    if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null)
  list.hidden = wanted.length === 0
  byId('empty').hidden = wanted.length > 0
}

const refresh = () => Promise.all([showClock(), showFaults(), showWebhooks(), showEvents()])

setInterval(() => document.hidden || refresh(), 2000)
await refresh()

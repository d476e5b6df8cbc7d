const byId = id => document.getElementById(id)
const list = byId('list')
const panel = byId('panel')
const tabs = [...document.querySelectorAll('[role=tab]')]
const rows = new Map()

// Long mails scroll inside the panel, so it needs keyboard focus.
panel.tabIndex = 0

let mails = []
let open = null
let tab = 'tab-html'

const element = (name, attributes = {}, text) => {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  if (text !== undefined) made.textContent = text
  return made
}

const timeOf = date => {
  const then = new Date(date)
  const today = then.toDateString() === new Date().toDateString()
  return then.toLocaleString(
    undefined,
    today ? { hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' },
  )
}

function rowOf(mail) {
  const known = rows.get(mail.id)
  if (known) return known
  const link = element('a', { class: 'mail', href: `#${mail.id}` })
  link.append(
    element('span', { class: 'mail__to' }, mail.to.join(', ')),
    element('time', { class: 'mail__time', datetime: mail.date }, timeOf(mail.date)),
    element('span', { class: 'mail__subject' }, mail.subject || '(no subject)'),
    element('span', { class: 'mail__preview' }, mail.preview),
  )
  const row = element('li')
  row.append(link)
  rows.set(mail.id, row)
  return row
}

function showList() {
  const words = byId('search').value.trim().toLowerCase()
  const shown = mails.filter(mail => `${mail.to.join(' ')} ${mail.subject}`.toLowerCase().includes(words))
  const wanted = shown.map(rowOf)
  // Moving a row would lose its focus, so existing rows stay in place.
  for (const row of [...list.children]) if (!wanted.includes(row)) row.remove()
  for (const [index, row] of wanted.entries())
    if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null)
  const found = shown.length === 1 ? '1 mail' : `${shown.length} mails`
  if (byId('count').textContent !== found) byId('count').textContent = found
  byId('empty').hidden = shown.length > 0
  byId('empty-title').textContent = words ? 'No mail matches' : 'No mail yet'
  byId('empty-text').textContent = words
    ? 'No recipient or subject contains these words.'
    : 'All mails of the product appear here. The page updates itself.'
  byId('clear').hidden = mails.length === 0
  for (const [id, row] of rows) {
    if (id === open?.id) row.firstChild.setAttribute('aria-current', 'true')
    else row.firstChild.removeAttribute('aria-current')
  }
}

async function refresh() {
  if (document.hidden) return
  const answer = await fetch('/sandbox/inbox/summaries').catch(() => null)
  if (!answer?.ok) return
  const { data } = await answer.json()
  if (data.length === mails.length && data[0]?.id === mails[0]?.id) return
  mails = data
  showList()
}

function linked(text) {
  const pre = element('pre')
  let from = 0
  for (const match of text.matchAll(/https?:\/\/[^\s<>"')\]]+/g)) {
    pre.append(text.slice(from, match.index))
    pre.append(element('a', { class: 'link', href: match[0], target: '_blank', rel: 'noreferrer' }, match[0]))
    from = match.index + match[0].length
  }
  pre.append(text.slice(from))
  return pre
}

function headersOf(mail) {
  const made = element('dl', { class: 'headers' })
  for (const { key, value } of mail.headers) made.append(element('dt', {}, key), element('dd', {}, value))
  return made
}

function frameOf(mail) {
  return element('iframe', {
    title: `The mail as HTML: ${mail.subject}`,
    src: `/sandbox/inbox/${mail.id}/html`,
    sandbox: 'allow-scripts allow-popups allow-popups-to-escape-sandbox',
  })
}

function showPart() {
  for (const one of tabs) {
    const chosen = one.id === tab
    one.setAttribute('aria-selected', String(chosen))
    one.tabIndex = chosen ? 0 : -1
  }
  panel.setAttribute('aria-labelledby', tab)
  const part =
    tab === 'tab-html'
      ? frameOf(open)
      : tab === 'tab-text'
        ? linked(open.text || 'This mail has no text part.')
        : headersOf(open)
  panel.replaceChildren(part)
}

async function showMail() {
  const id = location.hash.slice(1)
  const answer = id ? await fetch(`/sandbox/inbox/${encodeURIComponent(id)}`).catch(() => null) : null
  if (location.hash.slice(1) !== id) return
  open = answer?.ok ? await answer.json() : null
  document.body.toggleAttribute('data-open', open !== null)
  byId('reading').hidden = open === null
  byId('nothing').hidden = open !== null
  document.title = open ? `${open.subject} · Plinth sandbox` : 'Inbox · Plinth sandbox'
  showList()
  if (!open) return
  byId('subject').textContent = open.subject || '(no subject)'
  byId('from').textContent = open.from
  byId('to').textContent = open.to.join(', ')
  byId('date').textContent = new Date(open.date).toLocaleString()
  tab = open.html ? 'tab-html' : 'tab-text'
  showPart()
  if (matchMedia('(max-width: 720px)').matches) byId('subject').focus()
}

for (const one of tabs)
  one.addEventListener('click', () => {
    tab = one.id
    showPart()
  })

document.querySelector('[role=tablist]').addEventListener('keydown', event => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (!step) return
  const next = tabs[(tabs.findIndex(one => one.id === tab) + step + tabs.length) % tabs.length]
  next.focus()
  next.click()
})

list.addEventListener('keydown', event => {
  const row = document.activeElement?.closest('li')
  const next =
    event.key === 'ArrowDown'
      ? row?.nextElementSibling
      : event.key === 'ArrowUp'
        ? row?.previousElementSibling
        : null
  if (!next) return
  event.preventDefault()
  next.firstElementChild.focus()
})

byId('search').addEventListener('input', showList)
document.querySelector('form').addEventListener('submit', event => event.preventDefault())
byId('clear').addEventListener('click', async () => {
  await fetch('/sandbox/inbox', { method: 'DELETE' })
  mails = []
  location.hash = ''
  showList()
  byId('search').focus()
})
document.querySelector('.back').addEventListener('click', event => {
  event.preventDefault()
  const from = open?.id
  location.hash = ''
  addEventListener('hashchange', () => queueMicrotask(() => rows.get(from)?.firstChild.focus()), {
    once: true,
  })
})

addEventListener('hashchange', showMail)
addEventListener('visibilitychange', refresh)
setInterval(refresh, 2000)
await refresh()
showList()
await showMail()

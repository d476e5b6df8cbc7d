const rows = document.getElementById('rows')
const shown = new Set()

const element = (name, className, text) => {
  const made = document.createElement(name)
  if (className) made.className = className
  if (text !== undefined) made.textContent = text
  return made
}

function rowOf(entry) {
  const row = element('tr')
  row.id = entry.id
  const call = element('td')
  const details = element('details')
  details.append(element('summary', 'mono', `${entry.method} ${entry.path}`))
  const { params, error, idempotency_key, replayed, fault, id } = entry
  details.append(
    element('pre', '', JSON.stringify({ id, idempotency_key, replayed, fault, params, error }, null, 2)),
  )
  call.append(details)
  const status = element('td')
  status.append(
    element(
      'span',
      `badge badge--${entry.status < 400 ? 'success' : 'danger'}`,
      String(entry.status ?? 'none'),
    ),
  )
  row.append(element('td', 'num', new Date(entry.at).toLocaleTimeString()), call, status)
  return row
}

async function refresh() {
  if (document.hidden) return
  const answer = await fetch('/sandbox/log').catch(() => null)
  if (!answer?.ok) return
  const { data } = await answer.json()
  for (const entry of data)
    if (!shown.has(entry.id) && entry.status !== null) {
      shown.add(entry.id)
      rows.prepend(rowOf(entry))
    }
  document.getElementById('empty').hidden = shown.size > 0
  document.getElementById('wrap').hidden = shown.size === 0
}

setInterval(refresh, 2000)
await refresh()

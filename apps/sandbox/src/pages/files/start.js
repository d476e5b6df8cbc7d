const byId = id => document.getElementById(id)
const cell = (text, className) => {
  const made = document.createElement('td')
  made.textContent = text
  if (className) made.className = className
  return made
}

async function showClock() {
  const { now } = await (await fetch('/sandbox/clock')).json()
  byId('now').textContent = new Date(now * 1000).toLocaleString(undefined, {
    dateStyle: 'long',
    timeStyle: 'short',
  })
}

for (const button of document.querySelectorAll('[data-days]')) {
  button.addEventListener('click', async () => {
    const answer = await fetch('/sandbox/clock', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ days: Number(button.dataset.days) }),
    })
    byId('state').textContent = answer.ok ? 'The clock has moved.' : 'The clock did not move.'
    await showClock()
  })
  button.disabled = false
}

const { data } = await (await fetch('/sandbox/cards')).json()
for (const card of data) {
  const row = document.createElement('tr')
  row.append(cell(card.number.replaceAll(/(\d{4})(?=\d)/g, '$1 '), 'mono'), cell(card.note))
  byId('rows').append(row)
}
await showClock()

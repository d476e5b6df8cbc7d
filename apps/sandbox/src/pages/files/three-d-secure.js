const main = document.querySelector('main')
const state = document.querySelector('[role=status]')
const buttons = [...document.querySelectorAll('[data-outcome]')]
const { intent, secret, origins } = main.dataset

/** Posts the outcome to the embedding page; the browser drops messages to other origins. */
function tellParent(outcome) {
  const allowed = origins.split(' ')
  const shower = location.ancestorOrigins?.[0]
  for (const origin of allowed.includes(shower) ? [shower] : allowed)
    parent.postMessage({ type: 'plinth-3ds', intent, outcome }, origin)
}

async function choose(outcome) {
  for (const button of buttons) button.disabled = true
  state.textContent = 'One moment'
  const answer = await fetch(`/sandbox/3ds/${intent}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_secret: secret, outcome }),
  }).catch(() => null)
  if (!answer?.ok) {
    for (const button of buttons) button.disabled = false
    state.textContent = 'The bank did not answer. Try again.'
    return
  }
  state.textContent =
    outcome === 'complete' ? 'Confirmed. You can go back now.' : 'Refused. You can go back now.'
  if (parent !== window) tellParent(outcome)
}

for (const button of buttons) {
  button.addEventListener('click', () => choose(button.dataset.outcome))
  button.disabled = false
}
if (parent !== window) addEventListener('keydown', event => event.key === 'Escape' && tellParent('cancel'))

// Puts a button beside each piece of code of the API page that copies it. The page reads as well without.
for (const figure of document.querySelectorAll('.code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  const say = word => {
    button.textContent = word
    button.setAttribute('aria-label', `${word}: ${figure.querySelector('figcaption')?.textContent ?? ''}`)
  }
  say('Copy')
  const code = figure.querySelector('code')
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code?.textContent ?? '')
      say('Copied')
    } catch {
      // Without permission the person can still copy by hand, so bring them half the way.
      if (code) getSelection()?.selectAllChildren(code)
    }
  })
  figure.prepend(button)
}

// Filters the list of calls by words of their method, path and summary. Enter opens the first.
const search = document.querySelector('.search')
const input = document.querySelector('.search__input')
const count = document.querySelector('.search__count')
const calls = [...document.querySelectorAll('.nav__call')].map(link => {
  const call = document.getElementById(link.hash.slice(1))
  const words = [...call.querySelectorAll('h3, h3 ~ p:first-of-type')].map(({ textContent }) => textContent)
  const group = link.closest('.nav__list > li').querySelector('.nav__group').textContent
  return { link, text: [group, ...words].join(' ').toLowerCase() }
})
const groups = [...document.querySelectorAll('.nav__list > li')]
search.hidden = false
input.addEventListener('input', () => {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  for (const { link, text } of calls) link.parentElement.hidden = !words.every(word => text.includes(word))
  const found = calls.filter(({ link }) => !link.parentElement.hidden).length
  for (const group of groups) group.hidden = words.length > 0 && !group.querySelector('li:not([hidden])')
  count.textContent = words.length === 0 ? '' : found === 1 ? '1 call' : `${found} calls`
})
input.addEventListener('keydown', event => {
  const first = calls.find(({ link }) => !link.parentElement.hidden)
  if (event.key === 'Enter' && input.value.trim() && first) first.link.click()
})

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

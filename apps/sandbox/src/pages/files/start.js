const cell = (text, className) => {
  const made = document.createElement('td')
  made.textContent = text
  if (className) made.className = className
  return made
}

const { data } = await (await fetch('/sandbox/cards')).json()
for (const card of data) {
  const row = document.createElement('tr')
  row.append(cell(card.number.replaceAll(/(\d{4})(?=\d)/g, '$1 '), 'mono'), cell(card.note))
  document.getElementById('rows').append(row)
}

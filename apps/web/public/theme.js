// Runs before the first paint, so that the page never flashes in the wrong theme or direction.
// Classic, blocking and separate from the bundle: the content security policy allows no inline script.
;(() => {
  const root = document.documentElement
  const read = key => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null // storage can be switched off; the system's preference is enough then
    }
  }
  const theme = read('plinth.theme')
  const dark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  root.classList.toggle('dark', dark)
  const locale = read('plinth.locale')
  if (locale) {
    root.lang = locale
    root.dir = /^(ar|fa|he|ur)\b/.test(locale) ? 'rtl' : 'ltr'
  }
  // The sign-in page's code and texts, asked for with the rest and not after it; the build names them.
  const lists = document.currentScript.dataset
  if (lists.code && /^\/(login\/?)?$/.test(location.pathname) && !read('plinth.session')) {
    const tags = [locale ?? '', ...navigator.languages].map(tag => tag.split('-')[0])
    const texts = lists[tags.find(tag => tag && tag !== 'code' && lists[tag]) ?? 'en']
    for (const href of `${lists.code} ${texts}`.split(' ')) {
      const link = document.createElement('link')
      document.head.append(Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href }))
    }
  }
})()

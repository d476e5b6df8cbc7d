import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { freshBrowser, withTexts } from '../../../test/app.tsx'
import { CardFields } from '../../ui/form/CardFields.tsx'
import { code } from '../inputs/code.tsx'
import { custom } from '../inputs/more-inputs.tsx'
import { Form } from './Form.tsx'
import { email, password } from './inputs.tsx'

beforeEach(async () => {
  freshBrowser()
  await withTexts()
})

type Body = { email?: string; password?: string }

function show() {
  const sent: Body[] = []
  render(
    <Form<Body, unknown>
      inputs={{
        email: email({ label: 'Email', required: true }),
        password: password({ label: 'Password', required: true, autoComplete: 'current-password' }),
      }}
      buttonText="Sign in"
      call={async ({ body }) => {
        sent.push(body)
        return { data: {}, message: undefined }
      }}
    />,
  )
  return { sent, button: screen.getByRole('button', { name: 'Sign in' }) }
}

/** Fills a field like a password manager: without any event. */
function fill(label: string, value: string): void {
  const field = screen.getByLabelText(label, { selector: 'input' })
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
}

test('sends values that were filled in without an event', async () => {
  const { sent, button } = show()
  fill('Email', 'ada@x.example')
  fill('Password', 'limestone-1!')
  await userEvent.click(button)
  await waitFor(() => expect(sent).toEqual([{ email: 'ada@x.example', password: 'limestone-1!' }]))
})

test('keeps a value filled in without an event while the user types in another field', async () => {
  const { sent, button } = show()
  fill('Email', 'ada@x.example')
  await userEvent.type(screen.getByLabelText('Password', { selector: 'input' }), 'limestone-1!')
  await userEvent.click(button)
  await waitFor(() => expect(sent).toEqual([{ email: 'ada@x.example', password: 'limestone-1!' }]))
})

test('removes the error of a field that was filled in without an event', async () => {
  const { button } = show()
  await userEvent.click(button)
  expect(await screen.findByText('Email is required')).toBeVisible()
  fill('Email', 'ada@x.example')
  await userEvent.tab()
  await waitFor(() => expect(screen.queryByText('Email is required')).not.toBeInTheDocument())
})

test('sends a card whose three inputs were filled in without an event', async () => {
  const sent: unknown[] = []
  render(
    <Form<{ card?: unknown }, unknown>
      inputs={{
        card: custom({
          label: 'Card',
          value: null,
          required: true,
          render: ({ onChange }) => (
            <CardFields
              onChange={onChange}
              labels={{ number: 'Card number', exp: 'Expiry date', cvc: 'Security code' }}
            />
          ),
        }),
      }}
      buttonText="Pay"
      call={async ({ body }) => {
        sent.push(body)
        return { data: {}, message: undefined }
      }}
    />,
  )
  fill('Card number', '378282246310005')
  fill('Expiry date', '12/2030')
  fill('Security code', '1234')
  const button = screen.getByRole('button', { name: 'Pay' })
  await userEvent.click(button)
  await waitFor(() =>
    expect(sent).toEqual([{ card: { number: '3782 822463 10005', exp: '12 / 30', cvc: '1234' } }]),
  )
})

test('sends once when it is submitted several times in one tick', async () => {
  const { sent, button } = show()
  fill('Email', 'ada@x.example')
  fill('Password', 'limestone-1!')
  const form = button.closest('form')
  for (let at = 0; at < 4; at++) if (form) fireEvent.submit(form)
  await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(form).not.toHaveAttribute('aria-busy')
})

test('removes spaces from a pasted code and submits once it is complete', async () => {
  const sent: { code?: string }[] = []
  const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Go on' }).form?.requestSubmit()
  render(
    <Form<{ code?: string }, unknown>
      inputs={{ code: code({ label: 'Code', required: true, onComplete: submit }) }}
      buttonText="Go on"
      call={async ({ body }) => {
        sent.push(body)
        return { data: {}, message: undefined }
      }}
    />,
  )
  await userEvent.click(screen.getByLabelText('Code'))
  await userEvent.paste('155 617 99')
  await waitFor(() => expect(sent).toEqual([{ code: '155617' }]))
})

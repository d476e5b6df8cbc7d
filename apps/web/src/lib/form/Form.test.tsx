import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { freshBrowser, withTexts } from '../../../test/app.tsx'
import { Toasts } from '../../ui/overlay/Toasts.tsx'
import { ApiError, NoAnswer } from '../api/error.ts'
import { file } from '../inputs/file.tsx'
import { custom, toggle } from '../inputs/more-inputs.tsx'
import { Form, type FormProps } from './Form.tsx'
import { email, password, text } from './inputs.tsx'

type Body = { name: string; email?: string; password?: string; confirm?: string }
type Props = Partial<FormProps<Body, unknown>>

beforeEach(async () => {
  freshBrowser()
  await withTexts()
})

const texts = { region: 'Notifications', one: 'Notification', close: 'Close' }

/** A form whose calls wait until the test answers them. */
function show(props: Props = {}) {
  const calls: Array<{
    body: Body
    key?: string
    answer: (data?: unknown, message?: string) => void
    refuse: (error: Error) => void
  }> = []
  const inputs = {
    name: text({ label: 'Name', help: 'As on the door', required: true }),
    email: email({ label: 'Email', required: true }),
  }
  render(
    <>
      <Form<Body, unknown>
        inputs={inputs}
        buttonText="Save"
        call={({ body, key }) =>
          new Promise((resolve, reject) => {
            calls.push({
              body,
              key,
              answer: (data, message) => resolve({ data, message }),
              refuse: reject,
            })
          })
        }
        {...props}
      />
      <Toasts texts={texts} />
    </>,
  )
  const last = () => {
    const call = calls.at(-1)
    if (!call) throw new Error('Nothing was sent')
    return call
  }
  return { calls, last, keyboard: userEvent.setup() }
}

async function fillIn(keyboard: ReturnType<typeof userEvent.setup>) {
  await keyboard.type(screen.getByLabelText('Name'), 'Mara')
  await keyboard.type(screen.getByLabelText('Email'), 'mara@northquay.studio')
}
const save = () => screen.getByRole('button', { name: /Save/ })

describe('validation', () => {
  test('[state:form.validates_first] sends nothing while a field is invalid; focuses the first error', async () => {
    const { calls, keyboard } = show()
    await keyboard.click(save())
    expect(await screen.findByText('Name is required')).toBeVisible()
    expect(screen.getByText('Email is required')).toBeVisible()
    expect(screen.getByLabelText('Name')).toHaveFocus()
    expect(calls).toHaveLength(0)
  })

  test('[rule:form.on_change] validates on every change', async () => {
    const { keyboard } = show()
    await keyboard.type(screen.getByLabelText('Email'), 'mara@')
    expect(await screen.findByText('Enter a valid email address')).toBeVisible()
    await keyboard.type(screen.getByLabelText('Email'), 'northquay.studio')
    await waitFor(() => expect(screen.queryByText('Enter a valid email address')).toBeNull())
  })

  test('[rule:form.help] shows the help until there is an error, which becomes the description', async () => {
    const { keyboard } = show()
    expect(screen.getByLabelText('Name')).toHaveAccessibleDescription('As on the door')
    await keyboard.click(save())
    await waitFor(() => expect(screen.getByLabelText('Name')).toHaveAccessibleDescription('Name is required'))
    expect(screen.queryByText('As on the door')).toBeNull()
    expect(screen.getByLabelText('Name')).toHaveAttribute('aria-invalid', 'true')
  })

  test('[rule:form.icons] a touched field shows a check when it is valid and a cross when it is not', async () => {
    const { keyboard } = show()
    const marks = () => ({
      good: document.querySelectorAll('.ok').length,
      bad: document.querySelectorAll('.bad').length,
    })
    await keyboard.type(screen.getByLabelText('Name'), 'Mara')
    expect(marks()).toEqual({ good: 0, bad: 0 })
    await keyboard.tab()
    await waitFor(() => expect(marks()).toEqual({ good: 1, bad: 0 }))
    await keyboard.clear(screen.getByLabelText('Name'))
    await waitFor(() => expect(marks()).toEqual({ good: 0, bad: 1 }))
  })

  test('[rule:form.password.matches] changing the password validates its confirmation again', async () => {
    const { keyboard } = show({
      inputs: {
        password: password({ label: 'Password', complex: true, autoComplete: 'new-password' }),
        confirm: password({ label: 'Repeat', matches: 'password', autoComplete: 'new-password' }),
      },
    })
    await keyboard.type(screen.getByLabelText('Password'), 'stone!')
    expect(screen.queryByText('Passwords do not match')).toBeNull()
    await keyboard.type(screen.getByLabelText('Repeat'), 'stone!')
    expect(screen.queryByText('Passwords do not match')).toBeNull()
    await keyboard.type(screen.getByLabelText('Password'), '?')
    expect(await screen.findByText('Passwords do not match')).toBeVisible()
  })
})

describe('submitting', () => {
  test('[state:form.loading] disables the inputs, shows progress and can’t be sent twice', async () => {
    const { calls, last, keyboard } = show()
    await fillIn(keyboard)
    await keyboard.click(save())
    await waitFor(() => expect(calls).toHaveLength(1))
    expect(screen.getByLabelText('Name')).toBeDisabled()
    expect(save()).toHaveAttribute('aria-busy', 'true')
    await keyboard.click(save())
    expect(calls).toHaveLength(1)
    last().answer()
    await waitFor(() => expect(screen.getByLabelText('Name')).toBeEnabled())
  })

  test('[state:form.after] [rule:form.response-message] runs the callback, shows the message and redirects', async () => {
    const answers: unknown[] = []
    const { last, calls, keyboard } = show({
      redirect: '/notfound',
      callback: (data, values) => answers.push(data, values.name),
    })
    await fillIn(keyboard)
    await keyboard.keyboard('{Enter}')
    await waitFor(() => expect(calls).toHaveLength(1))
    expect(last().body).toEqual({ name: 'Mara', email: 'mara@northquay.studio' })
    last().answer({ id: 7 }, 'Saved for you')
    expect(await screen.findByText('Saved for you')).toBeVisible()
    expect(answers).toEqual([{ id: 7 }, 'Mara'])
    await waitFor(() => expect(window.location.pathname).toBe('/notfound'))
  })

  test('[error:inputError] shows a refusal at its field, focuses it and keeps the typed values', async () => {
    const { last, calls, keyboard } = show()
    await fillIn(keyboard)
    await keyboard.click(save())
    await waitFor(() => expect(calls).toHaveLength(1))
    last().refuse(new ApiError(422, 'This address is taken', { inputError: 'email' }))
    expect(await screen.findByText('This address is taken')).toBeVisible()
    expect(screen.getByLabelText('Email')).toHaveFocus()
    expect(screen.getByLabelText('Email')).toHaveValue('mara@northquay.studio')
    expect(screen.queryByText('Something went wrong')).toBeNull()
    await keyboard.type(screen.getByLabelText('Email'), '.de')
    await waitFor(() => expect(screen.queryByText('This address is taken')).toBeNull())
  })

  test('[error:other] a refusal of a field that the form does not have goes to the default handler', async () => {
    const { last, calls, keyboard } = show()
    await fillIn(keyboard)
    await keyboard.click(save())
    await waitFor(() => expect(calls).toHaveLength(1))
    last().refuse(new ApiError(500, 'The roof is leaking', { inputError: 'roof' }))
    expect(await screen.findByText('The roof is leaking')).toBeVisible()
    expect(screen.getByText('Something went wrong')).toBeVisible()
  })

  test('a failure that the screen handles goes no further', async () => {
    const { last, calls, keyboard } = show({ onError: error => error.status === 402 })
    await fillIn(keyboard)
    await keyboard.click(save())
    await waitFor(() => expect(calls).toHaveLength(1))
    last().refuse(new ApiError(402, 'Too many', { plan: 'startup' }))
    await waitFor(() => expect(screen.getByLabelText('Name')).toBeEnabled())
    expect(window.location.pathname).not.toContain('upgrade')
  })

  test('restores the focus when a call gets no response', async () => {
    const { last, calls, keyboard } = show()
    await fillIn(keyboard)
    await keyboard.keyboard('{Enter}')
    await waitFor(() => expect(calls).toHaveLength(1))
    last().refuse(new NoAnswer(new Error('offline')))
    await waitFor(() => expect(screen.getByLabelText('Email')).toHaveFocus())
  })

  test('[rule:form.idempotency] a retry with the same values keeps its key; changed values get a new one', async () => {
    const { last, calls, keyboard } = show()
    await fillIn(keyboard)
    for (const times of [1, 2]) {
      await keyboard.click(save())
      await waitFor(() => expect(calls).toHaveLength(times))
      last().refuse(new NoAnswer(new Error('cut off')))
      await waitFor(() => expect(screen.getByLabelText('Name')).toBeEnabled())
    }
    expect(calls[1]?.key).toBe(calls[0]?.key)
    await keyboard.type(screen.getByLabelText('Name'), ' A')
    await keyboard.click(save())
    await waitFor(() => expect(calls).toHaveLength(3))
    expect(calls[2]?.key).not.toBe(calls[0]?.key)
  })

  test('converts values as their inputs define: booleans, files, nothing for read-only fields', async () => {
    const picture = new File(['x'], 'a.png', { type: 'image/png' })
    const { last, calls, keyboard } = show({
      inputs: {
        name: text({ label: 'Name', value: 'Fixed', readOnly: true }),
        email: toggle({ label: 'Mails' }),
        password: file({ label: 'Picture', maxFiles: 1, accept: ['image/png'] }),
        confirm: custom({
          label: 'Own',
          value: 'a',
          render: control => (
            <button type="button" onClick={() => control.onChange('b')}>
              {control.label}
            </button>
          ),
        }),
      },
    })
    await keyboard.click(screen.getByRole('switch', { name: 'Mails' }))
    await keyboard.upload(screen.getByLabelText('Picture'), picture)
    await keyboard.click(screen.getByRole('button', { name: 'Own' }))
    await keyboard.click(save())
    await waitFor(() => expect(calls).toHaveLength(1))
    expect(last().body).toEqual({ email: true, password: [picture], confirm: 'b' })
  })
})

describe('drafts', () => {
  const inputs = {
    name: text({ label: 'Name', required: true }),
    password: password({ label: 'Password', autoComplete: 'new-password' }),
  }

  test('[state:form.nothing_lost] typed values survive an unmount, passwords do not', async () => {
    const first = show({ inputs, keep: 'test' })
    await first.keyboard.type(screen.getByLabelText('Name'), 'Mara')
    await first.keyboard.type(screen.getByLabelText('Password'), 'secret!1')
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('secret!1')
    document.body.replaceChildren()
    show({ inputs, keep: 'test' })
    expect(screen.getByLabelText('Name')).toHaveValue('Mara')
    expect(screen.getByLabelText('Password')).toHaveValue('')
  })

  test('a draft is deleted after a successful submit', async () => {
    const { last, calls, keyboard } = show({ inputs, keep: 'test' })
    await keyboard.type(screen.getByLabelText('Name'), 'Mara')
    await keyboard.click(save())
    await waitFor(() => expect(calls).toHaveLength(1))
    last().answer()
    await waitFor(() => expect(sessionStorage.getItem('plinth.draft.test')).toBeNull())
  })

  test('a restored draft is marked as unsaved and can be discarded', async () => {
    const saved = { name: text({ label: 'Name', value: 'Mara' }), email: email({ label: 'Email' }) }
    const first = show({ inputs: saved, keep: 'test' })
    expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull()
    await first.keyboard.type(screen.getByLabelText('Name'), ' Lou')
    document.body.replaceChildren()
    // An untouched field has the newly saved value.
    show({ inputs: { ...saved, email: email({ label: 'Email', value: 'new@x.example' }) }, keep: 'test' })
    expect(screen.getByLabelText('Email')).toHaveValue('new@x.example')
    expect(screen.getByText('We restored your unsaved changes.')).toBeVisible()
    await first.keyboard.click(screen.getByRole('button', { name: 'Discard' }))
    expect(screen.getByLabelText('Name')).toHaveValue('Mara')
    expect(screen.getByLabelText('Name')).toHaveFocus()
    expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull()
    expect(sessionStorage.getItem('plinth.draft.test')).toBeNull()
  })

  test('values changed back leave no draft', async () => {
    const { keyboard } = show({ inputs, keep: 'test' })
    await keyboard.type(screen.getByLabelText('Name'), 'M')
    expect(sessionStorage.getItem('plinth.draft.test')).toContain('M')
    await keyboard.clear(screen.getByLabelText('Name'))
    expect(sessionStorage.getItem('plinth.draft.test')).toBeNull()
  })
})

describe('a form that sends only changed fields', () => {
  const saved = (name: string, address: string) => ({
    name: text({ label: 'Name', value: name }),
    email: email({ label: 'Email', value: address }),
  })

  test('sends the changed fields; without a change it sends nothing', async () => {
    let quiet = 0
    const { calls, last, keyboard } = show({
      inputs: saved('Mara', 'mara@x.example'),
      unchanged: () => quiet++,
    })
    await keyboard.click(save())
    await waitFor(() => expect(quiet).toBe(1))
    await keyboard.type(screen.getByLabelText('Name'), ' Lou')
    await keyboard.click(save())
    await waitFor(() => expect(calls).toHaveLength(1))
    expect(last().body).toEqual({ name: 'Mara Lou' })
    last().answer()
    await waitFor(() => expect(screen.getByLabelText('Name')).toBeEnabled())
    await keyboard.click(save())
    await waitFor(() => expect(quiet).toBe(2))
    expect(calls).toHaveLength(1)
  })

  test('takes over newly saved values, but not for a field that was changed', async () => {
    const call = async () => ({ data: {}, message: undefined })
    const form = (inputs: ReturnType<typeof saved>) => (
      <Form inputs={inputs} call={call} unchanged={() => null} />
    )
    const { rerender } = render(form(saved('Mara', 'mara@x.example')))
    await userEvent.type(screen.getByLabelText('Name'), ' Lou')
    rerender(form(saved('Maria', 'maria@x.example')))
    expect(screen.getByLabelText('Name')).toHaveValue('Mara Lou')
    expect(screen.getByLabelText('Email')).toHaveValue('maria@x.example')
  })
})

import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, vi } from 'vitest'
import { Form } from '../src/lib/form/Form.tsx'
import type { Input } from '../src/lib/form/types.ts'

/** One input in a form that can be sent. */
export function showInput(field: Input) {
  const call = vi.fn(async (_input: { body: { field?: unknown } }) => ({ data: {}, message: undefined }))
  render(<Form inputs={{ field }} call={call} buttonText="Save" />)
  // What an `accept` hides in a picker can still be dropped on it.
  const keyboard = userEvent.setup({ applyAccept: false })
  return {
    keyboard,
    /** What is sent for the field, or the message that stops it. */
    async save() {
      const before = call.mock.calls.length
      await keyboard.click(screen.getByRole('button', { name: 'Save' }))
      await waitFor(() => expect(call.mock.calls.length > before || screen.queryByRole('alert')).toBeTruthy())
      return call.mock.calls.length > before
        ? call.mock.calls.at(-1)?.[0].body.field
        : screen.getByRole('alert').textContent
    },
  }
}

import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, vi } from 'vitest'
import { Form } from '../src/lib/form/Form.tsx'
import type { Input } from '../src/lib/form/types.ts'

/** Renders one input in a form with a submit button. */
export function showInput(field: Input) {
  const call = vi.fn(async (_input: { body: { field?: unknown } }) => ({ data: {}, message: undefined }))
  render(<Form inputs={{ field }} call={call} buttonText="Save" />)
  // Files that `accept` filters out can still be dropped on the input.
  const keyboard = userEvent.setup({ applyAccept: false })
  return {
    keyboard,
    /** Submits; returns the field's value in the request, or the error message. */
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
